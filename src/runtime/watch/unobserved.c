/* SPDX-License-Identifier: MIT */
#include "runtime/watch/unobserved.h"
#include "base/assembly.h"
#include "base/hash.h"
#include "base/note.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MODULES_MAX 512

/* A library that is not instrumented, and is not known to share anything so far. */
struct candidate {
	const char *path;
	uint64_t base;
	struct mz_key before; /* its variables when there was one thread */
};

static struct candidate candidates[MODULES_MAX];
static size_t ncandidates;
static uint64_t looked_at[MODULES_MAX]; /* load biases */
static size_t nlooked_at;
static bool compares; /* in the execution under way */

/* ---- what is said ---- */

static void add_library(const char *path, const char *why)
{
	struct mz_session_hidden hidden = {.kind = MZ_HIDDEN_LIBRARY};
	snprintf(hidden.place, sizeof hidden.place, "%s", path);
	snprintf(hidden.what, sizeof hidden.what, "%s", why);
	mz_session_hide(mz_rt.session, &hidden);
}

static void add_code(const struct dl_phdr_info *info, const char *path, const uint8_t *code)
{
	static struct mz_session_hidden hidden;
	hidden = (struct mz_session_hidden){.kind = MZ_HIDDEN_CODE, .code = (uintptr_t)code + 1};
	snprintf(hidden.what, sizeof hidden.what, "is not instrumented and uses atomic instructions%s",
	         mz_rt.session->configuration.races ? ": data races are not judged" : "");
	mz_rt.mode.finds_races = false;
	struct mz_session_module *module = &hidden.module;
	module->base = info->dlpi_addr;
	module->start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
		if (header->p_type != PT_LOAD) continue;
		if (low < module->start) module->start = low;
		if (high > module->end) module->end = high;
	}
	snprintf(module->path, sizeof module->path, "%s", path);
	mz_session_hide(mz_rt.session, &hidden);
}

/* ---- notes ---- */

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Calls `visit` for each note of ours in a module. Reports whether one says that the module is instrumented. */
static bool for_notes(const struct dl_phdr_info *info, void (*visit)(const char *content, size_t size))
{
	bool instrumented = false;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_NOTE) continue;
		const char *at = (const char *)info->dlpi_addr + header->p_vaddr, *end = at + header->p_memsz;
		for (const ElfW(Nhdr) * note; (size_t)(end - at) >= sizeof *note;) {
			note = (const ElfW(Nhdr) *)at;
			const char *name = at + sizeof *note, *content = name + padded(note->n_namesz);
			if (padded(note->n_namesz) + padded(note->n_descsz) > (size_t)(end - name)) break;
			at = content + padded(note->n_descsz);
			if (note->n_namesz != sizeof MZ_NOTE_NAME || strcmp(name, MZ_NOTE_NAME) != 0) continue;
			instrumented |= note->n_type == MZ_NOTE_TYPE;
			if (note->n_type == MZ_ASSEMBLY_NOTE && visit) visit(content, note->n_descsz);
		}
	}
	return instrumented;
}

static void add_assembly(const char *content, size_t size)
{
	struct mz_session_hidden hidden = {.kind = MZ_HIDDEN_ASSEMBLY};
	size_t place = strnlen(content, size);
	if (place + 1 >= size) return;
	snprintf(hidden.place, sizeof hidden.place, "%.*s", (int)place, content);
	snprintf(hidden.what, sizeof hidden.what, "%.*s", (int)(size - place - 1), content + place + 1);
	mz_session_hide(mz_rt.session, &hidden);
}

/* ---- code ---- */

/* Reports whether an instruction is followed: the code that cli/as_follow.c inserts is right before it. */
static bool is_followed(const uint8_t *code, const uint8_t *start)
{
	static const uint8_t restores[] = {0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0};
	return (size_t)(code - start) >= sizeof restores &&
	       MZ_REAL(memcmp)(code - sizeof restores, restores, sizeof restores) == 0;
}

/* Returns the first atomic instruction of a module that is not followed; NULL if there is none. */
static const uint8_t *find_atomic(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
		const uint8_t *start = (const uint8_t *)info->dlpi_addr + header->p_vaddr,
		              *end = start + header->p_memsz;
		for (const uint8_t *at, *next = start; (at = mz_arch_find_atomic(next, end, &next));)
			if (!is_followed(at, start)) return at;
	}
	return NULL;
}

/* ---- modules ---- */

static bool is_known_library(const char *path)
{
	static const char *const known[] = {"libstdc++", "libc++", "libatomic", "libunwind"};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(name, known[i], strlen(known[i])) == 0) return true;
	return !mz_image_rolls_back(path);
}

static bool is_new(uint64_t base)
{
	for (size_t i = 0; i < nlooked_at; i++)
		if (looked_at[i] == base) return false;
	if (nlooked_at == MODULES_MAX) return false;
	looked_at[nlooked_at++] = base;
	return true;
}

static const char *asked_about;

static bool is_access(const char *module, const char *symbol)
{
	return strcmp(symbol, "mz_access") == 0 && strcmp(module, asked_about) == 0;
}

/* Reports whether the module calls mz_access(): then the program itself declares what its uninstrumented code does. */
static bool says_itself(const char *module)
{
	asked_about = module;
	return mz_imports_any(is_access);
}

static const char *program_path(void)
{
	static char path[1024];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	path[length < 0 ? 0 : length] = '\0';
	return path;
}

static uintptr_t called_low, called_high;

static bool is_called(const char *module, const char *symbol)
{
	(void)module;
	uintptr_t address = (uintptr_t)dlsym(RTLD_DEFAULT, symbol);
	return address - called_low < called_high - called_low;
}

/* Reports whether instrumented code calls the library: then what the library orders is not known, and every data race
 * may be none. */
static bool orders_threads(const struct dl_phdr_info *info)
{
	called_low = UINTPTR_MAX, called_high = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
		if (header->p_type != PT_LOAD) continue;
		if (low < called_low) called_low = low;
		if (high > called_high) called_high = high;
	}
	return mz_imports_any_instrumented(is_called);
}

static void add_synchronising(const struct dl_phdr_info *info)
{
	bool judged = mz_rt.session->configuration.races;
	if (orders_threads(info)) mz_rt.mode.finds_races = false;
	add_library(
	    info->dlpi_name,
	    judged && !mz_rt.mode.finds_races
	        ? "is not instrumented and synchronises by atomic instructions of its own: data races are not judged"
	        : "is not instrumented and synchronises by atomic instructions of its own");
}

static void look_at_library(const struct dl_phdr_info *info)
{
	if (find_atomic(info))
		add_synchronising(info);
	else if (ncandidates < MODULES_MAX)
		candidates[ncandidates++] = (struct candidate){.path = info->dlpi_name, .base = info->dlpi_addr};
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	bool is_program = !*info->dlpi_name;
	if (!is_new(info->dlpi_addr)) return 0;
	if (!is_program && is_known_library(info->dlpi_name)) return 0;
	if (!for_notes(info, add_assembly) && !is_program) {
		look_at_library(info);
		return 0;
	}
	const uint8_t *code = find_atomic(info);
	if (code && !says_itself(info->dlpi_name)) add_code(info, is_program ? program_path() : info->dlpi_name, code);
	return 0;
}

void mz_unobserved_look(void)
{
	dl_iterate_phdr(look_at, NULL);
}

/* ---- places ---- */

struct place {
	uintptr_t code, own; /* asked about, and in libmazurka.so */
	bool blind;
};

static bool contains(const struct dl_phdr_info *info, uintptr_t code)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type == PT_LOAD && code - start < header->p_memsz) return true;
	}
	return false;
}

static int look_for_place(struct dl_phdr_info *info, size_t size, void *argument)
{
	(void)size;
	struct place *place = argument;
	if (!contains(info, place->code)) return 0;
	place->blind = *info->dlpi_name && !contains(info, place->own) && !for_notes(info, NULL);
	return 1;
}

bool mz_unobserved_is_blind(uintptr_t code)
{
	struct place place = {code, (uintptr_t)mz_unobserved_is_blind, false};
	dl_iterate_phdr(look_for_place, &place);
	return place.blind;
}

/* ---- libraries of our own ---- */

static uint64_t loaded_before[MODULES_MAX];
static size_t nloaded_before;

static int note_loaded(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	if (nloaded_before < MODULES_MAX) loaded_before[nloaded_before++] = info->dlpi_addr;
	return 0;
}

static int pass_over(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (size_t i = 0; i < nloaded_before; i++)
		if (loaded_before[i] == info->dlpi_addr) return 0;
	is_new(info->dlpi_addr);
	return 0;
}

void mz_unobserved_before_own(void)
{
	nloaded_before = 0;
	dl_iterate_phdr(note_loaded, NULL);
}

void mz_unobserved_after_own(void)
{
	dl_iterate_phdr(pass_over, NULL);
}

/* ---- variables of libraries ---- */

static struct candidate *candidate_at(uint64_t base)
{
	for (size_t i = 0; i < ncandidates; i++)
		if (candidates[i].base == base) return &candidates[i];
	return NULL;
}

static struct mz_key hash_variables(const struct dl_phdr_info *info)
{
	struct mz_key hash = {0};
	uint8_t *low, *high;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (mz_image_data(info, &info->dlpi_phdr[i], &low, &high))
			hash = mz_hash_bytes(low, (size_t)(high - low), hash);
	return hash;
}

static int keep_hash(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct candidate *library = candidate_at(info->dlpi_addr);
	(void)size, (void)unused;
	if (library) library->before = hash_variables(info);
	return 0;
}

static int compare_hash(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct candidate *library = candidate_at(info->dlpi_addr);
	(void)size, (void)unused;
	if (!library) return 0;
	struct mz_key now = hash_variables(info);
	if (now.low == library->before.low && now.high == library->before.high) return 0;
	add_library(library->path, "is not instrumented, and its variables change while there are several threads");
	*library = candidates[--ncandidates];
	return 0;
}

/* Compares in executions 1, 2, 4, 8, ... only: libraries are large, and do much the same in every execution. */
void mz_unobserved_begin(void)
{
	uint32_t number = mz_rt.generation - mz_rt.first_generation + 1;
	if (mz_rt.mode.replaying || !ncandidates || (number & (number - 1))) return;
	compares = true;
	dl_iterate_phdr(keep_hash, NULL);
}

void mz_unobserved_end(void)
{
	if (!compares) return;
	compares = false;
	dl_iterate_phdr(compare_hash, NULL);
}
