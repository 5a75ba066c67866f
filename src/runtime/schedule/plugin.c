/* SPDX-License-Identifier: MIT */
#include "runtime/schedule/plugin.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/states/states.h"
#include "runtime/watch/watch.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A library that was not there from the beginning. */
struct plugin_library {
	const ElfW(Dyn) * dynamic;
	uint64_t base;
	uintptr_t low, high;
	const char *path; /* the loader's */
	bool stays;       /* dlclose does not unload it */
	uint64_t build;   /* a hash of its notes: the linker puts an identity there */
};

#define NONE SIZE_MAX

/* A name that the program has asked for, and the library that is loaded for it. */
struct plugin {
	char *path;
	void *handle;  /* NULL: it cannot be loaded */
	size_t number; /* number of the library, or NONE if it was there from the beginning */
};

/* What the execution under way has done with a library. */
struct plugin_use {
	uint32_t opened; /* how often it is open, by the program and by libraries that need it */
	uint32_t spent;  /* it was closed once: its data have to be reset before it is opened again */
};

static struct plugin_library *libraries;
static size_t nlibraries, libraries_capacity;
static struct plugin *plugins;
static size_t nplugins, plugins_capacity;
static struct plugin_use *uses; /* one for each library */
static size_t uses_capacity;

static char loader; /* its address names the lock of the loader */

/* ---- loading ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static uint64_t hash_notes(const void *notes, size_t size, uint64_t hash)
{
	return mz_hash_bytes(notes, size, (struct mz_key){hash, 0}).low;
}

static void add_library(const struct dl_phdr_info *info, bool stays)
{
	mz_array_require(&libraries, &libraries_capacity, nlibraries + 1);
	mz_array_require(&uses, &uses_capacity, nlibraries + 1);
	struct plugin_library *library = &libraries[nlibraries];
	*library =
	    (struct plugin_library){mz_elf_dynamic(info), info->dlpi_addr, UINTPTR_MAX, 0, info->dlpi_name, stays, 0};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
		if (header->p_type == PT_NOTE)
			library->build = hash_notes((const void *)low, header->p_memsz, library->build);
		if (header->p_type != PT_LOAD) continue;
		if (low < library->low) library->low = low;
		if (high > library->high) library->high = high;
	}
	uses[nlibraries++] = (struct plugin_use){0, 0};
}

/* A library is loaded and unloaded, to see what that leaves, and loaded for good. */
struct loading {
	void *handle; /* NULL: it is unloaded again */
	uint64_t stayed[MZ_SESSION_LIBRARIES];
	size_t nstayed;
};

static bool has_stayed(const struct loading *loading, uint64_t base)
{
	for (size_t i = 0; i < loading->nstayed; i++)
		if (loading->stayed[i] == base) return true;
	return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *argument)
{
	(void)size;
	struct loading *loading = argument;
	if (mz_image_knows(info->dlpi_addr)) return 0;
	if (!loading->handle) {
		if (loading->nstayed < MZ_SESSION_LIBRARIES) loading->stayed[loading->nstayed++] = info->dlpi_addr;
		return 0;
	}
	if (!mz_image_add_late(info)) return 0;
	if (!mz_fresh_make(info, loading->handle)) mz_unsupported("a library that it loads cannot be read");
	add_library(info, has_stayed(loading, info->dlpi_addr));
	return 0;
}

/* Returns the number of a library, or NONE. */
static size_t library_of(void *handle)
{
	uint64_t base = handle ? ((const struct link_map *)handle)->l_addr : 0;
	for (size_t n = 0; handle && n < nlibraries; n++)
		if (libraries[n].base == base) return n;
	return NONE;
}

/* ---- opening and closing ---- */

typedef void initialiser(int argc, char **argv, char **environment);
typedef void finaliser(void);

static uintptr_t table(const struct plugin_library *library, ElfW(Sxword) tag)
{
	return mz_elf_pointer(library->dynamic, tag, library->base);
}

static bool is_called(const struct plugin_library *library, const char *name)
{
	uintptr_t own = mz_elf_number(library->dynamic, DT_SONAME);
	if (own && strcmp((const char *)table(library, DT_STRTAB) + own, name) == 0) return true;
	return strcmp(last_part(library->path), last_part(name)) == 0;
}

/* For each library that this one needs and that was not there from the beginning. */
static void for_needed(size_t number, void (*each)(size_t needed))
{
	const struct plugin_library *library = &libraries[number];
	const char *names = (const char *)table(library, DT_STRTAB);
	for (const ElfW(Dyn) *entry = library->dynamic; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag != DT_NEEDED) continue;
		for (size_t n = 0; n < nlibraries; n++)
			if (n != number && is_called(&libraries[n], names + entry->d_un.d_val)) each(n);
	}
}

static void construct(const struct plugin_library *library)
{
	initialiser *first = (initialiser *)table(library, DT_INIT);
	initialiser **others = (initialiser **)table(library, DT_INIT_ARRAY);
	size_t count = mz_elf_number(library->dynamic, DT_INIT_ARRAYSZ) / sizeof *others;
	if (first) first(mz_rt.program.argc, mz_rt.program.argv, environ);
	for (size_t i = 0; others && i < count; i++) others[i](mz_rt.program.argc, mz_rt.program.argv, environ);
}

static void destruct(const struct plugin_library *library)
{
	finaliser *last = (finaliser *)table(library, DT_FINI);
	finaliser **others = (finaliser **)table(library, DT_FINI_ARRAY);
	mz_exit_run_those(library->low, library->high);
	for (size_t i = mz_elf_number(library->dynamic, DT_FINI_ARRAYSZ) / sizeof *others; others && i; i--)
		others[i - 1]();
	if (last) last();
}

/* Opens a library, after those that it needs. */
static void open_library(size_t number)
{
	if (uses[number].opened++) return;
	for_needed(number, open_library);
	const struct plugin_library *library = &libraries[number];
	if (uses[number].spent) {
		mz_image_renew(library->base, library->low, library->high);
		mz_objects_forget_range(library->low, library->high);
	}
	construct(library);
}

static void close_library(size_t number)
{
	if (libraries[number].stays || --uses[number].opened) return;
	destruct(&libraries[number]);
	uses[number].spent = 1;
	for_needed(number, close_library);
}

static _Noreturn void restart_with_library(const char *path, int flags)
{
	struct mz_session_learned *learned = &mz_rt.session->learned;
	struct mz_session_library *library = &learned->libraries[learned->nlibraries];
	if (learned->nlibraries == MZ_SESSION_LIBRARIES) mz_unsupported("it loads more libraries than can be followed");
	if (strlen(path) >= sizeof library->path) mz_unsupported("it loads a library whose path is too long");
	mz_rt.way->not_in_states("it loads libraries while it runs, which a search of states cannot follow");
	snprintf(library->path, sizeof library->path, "%s", path);
	library->flags = flags;
	learned->nlibraries++;
	mz_restart_search();
}

static struct plugin *find_plugin(const char *path)
{
	for (size_t i = 0; i < nplugins; i++)
		if (strcmp(plugins[i].path, path) == 0) return &plugins[i];
	return NULL;
}

static void *open_plugin(const char *path, int flags)
{
	const struct plugin *plugin = find_plugin(path);
	bool only_look = flags & RTLD_NOLOAD;
	if (!plugin && !only_look) restart_with_library(path, flags);
	if (!plugin || plugin->number == NONE)
		return MZ_REAL(dlopen)(path, flags); /* the C library knows it, or nothing has that name */
	if (only_look && !uses[plugin->number].opened) return NULL;
	open_library(plugin->number);
	return plugin->handle;
}

static int close_plugin(void *handle)
{
	size_t number = library_of(handle);
	if (number == NONE) return MZ_REAL(dlclose)(handle);
	if (!uses[number].opened) return -1;
	close_library(number);
	return 0;
}

/* Acquires the lock of the loader. Returns false if SELF holds it: constructors and destructors may open and close
 * libraries too. */
static bool lock_loader(struct mz_fiber *self, uintptr_t caller)
{
	if (mz_lock_owner((uintptr_t)&loader) == self) return false;
	mz_lock_acquire(self, (uintptr_t)&loader, caller);
	return true;
}

void *mz_plugin_open(struct mz_fiber *self, const char *path, int flags, uintptr_t caller)
{
	bool first = lock_loader(self, caller);
	void *handle = open_plugin(path, flags);
	if (first) mz_lock_release(self, (uintptr_t)&loader, caller);
	return handle;
}

int mz_plugin_close(struct mz_fiber *self, void *handle, uintptr_t caller)
{
	bool first = lock_loader(self, caller);
	int status = close_plugin(handle);
	if (first) mz_lock_release(self, (uintptr_t)&loader, caller);
	return status;
}

/* ---- what executions have asked for ---- */

/* The loader will run constructors, which expect that those of what they need have been run. */
static void open_all(void)
{
	mz_plugin_reset();
	for (size_t n = 0; n < nlibraries; n++) open_library(n);
}

static void load(const struct mz_session_library *library)
{
	mz_array_require(&plugins, &plugins_capacity, nplugins + 1);
	char *path = mz_alloc(strlen(library->path) + 1);
	if (!path) mz_unsupported("out of memory");
	struct loading loading = {0};
	mz_parts_restore();
	open_all();
	void *handle = MZ_REAL(dlopen)(library->path, library->flags);
	if (handle) {
		MZ_REAL(dlclose)(handle);
		dl_iterate_phdr(look_at, &loading);
		loading.handle = handle = MZ_REAL(dlopen)(library->path, library->flags | RTLD_NODELETE);
		dl_iterate_phdr(look_at, &loading);
		mz_image_save_more();
		mz_unobserved_look();
	}
	plugins[nplugins++] = (struct plugin){strcpy(path, library->path), handle, library_of(handle)};
}

/* Ends the run unless library `number` is where all workers that share the exploration have it, and the same: events name
 * objects by their addresses. */
static void agree_on(size_t number)
{
	const struct plugin_library *library = &libraries[number];
	uint64_t here = mz_hash2(library->base, library->build);
	if (mz_agree_on(MZ_SUBJECT_LIBRARY, number, here) != here)
		mz_unsupported("a library that it loads while it runs is not the same, or not at the same address, in "
		               "all processes");
}

/* Workers that share an exploration load libraries when they begin, in the same order, and before anything else that takes
 * memory: so all of them have the libraries at the same addresses. */
void mz_plugin_open_known(void)
{
	const struct mz_session_learned *learned = &mz_rt.session->learned;
	if (MZ_LIKELY(nplugins >= learned->nlibraries)) return;
	size_t before = nlibraries;
	while (nplugins < learned->nlibraries) load(&learned->libraries[nplugins]);
	for (size_t n = before; n < nlibraries; n++) agree_on(n);
}

/* ---- the execution ---- */

void mz_plugin_reset(void)
{
	for (size_t i = 0; i < nlibraries; i++) uses[i] = (struct plugin_use){0, 0};
}

void mz_plugin_store(struct mz_state *state)
{
	mz_state_put(state, uses, nlibraries * sizeof *uses);
}

void mz_plugin_load(struct mz_state *state)
{
	mz_state_get(state, uses, nlibraries * sizeof *uses);
}
