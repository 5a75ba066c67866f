/* SPDX-License-Identifier: MIT
 *
 * dlopen, dlclose and dlerror. To find a library by its name alone the loader looks at who asks, which is us: so we
 * look where it would.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "base/alloc.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/schedule/schedule.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_in(const char *folder, const char *name, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && access(path, R_OK) == 0;
}

/* Returns the path of a library that is named without a folder, if it is in one of the folders that the caller's module
 * searches; else its name. */
static const char *find_library(const char *name, uintptr_t caller, char path[PATH_MAX])
{
	Dl_info info;
	struct link_map *module;
	Dl_serinfo size, *folders;
	if (!name || strchr(name, '/')) return name;
	if (!dladdr1((void *)caller, &info, (void **)&module, RTLD_DL_LINKMAP)) return name;
	if (dlinfo(module, RTLD_DI_SERINFOSIZE, &size) != 0 || !(folders = mz_alloc(size.dls_size))) return name;
	bool found = false;
	dlinfo(module, RTLD_DI_SERINFOSIZE, folders);
	if (dlinfo(module, RTLD_DI_SERINFO, folders) == 0)
		for (unsigned i = 0; !found && i < folders->dls_cnt; i++)
			found = is_in(folders->dls_serpath[i].dls_name, name, path);
	mz_free(folders);
	return found ? path : name;
}

MZ_EXPORT MZ_PASSED_ON void *dlopen(const char *name, int flags)
{
	char room[PATH_MAX];
	struct mz_fiber *self = MZ_SELF();
	const char *path = find_library(name, MZ_CALLER(), room);
	return self && path ? mz_plugin_open(self, path, flags, MZ_CALLER()) : MZ_REAL(dlopen)(path, flags);
}

MZ_EXPORT MZ_PASSED_ON int dlclose(void *handle)
{
	struct mz_fiber *self = MZ_SELF();
	return self ? mz_plugin_close(self, handle, MZ_CALLER()) : MZ_REAL(dlclose)(handle);
}

/* The text of dlerror() is valid until the next call of a function of the loader, and the runtime calls these too. So
 * the text is copied; and dlerror itself is looked up beforehand, because looking it up would be such a call. */
static char *(*real_dlerror)(void);

__attribute__((constructor(101))) static void find_dlerror(void)
{
	real_dlerror = MZ_REAL(dlerror);
}

MZ_EXPORT MZ_PASSED_ON char *dlerror(void)
{
	static char texts[16][512];
	static unsigned next;
	const char *text = (real_dlerror ? real_dlerror : MZ_REAL(dlerror))();
	if (!text) return NULL;
	char *copy = texts[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % 16];
	size_t length = 0;
	for (; text[length] && length < sizeof *texts - 1; length++)
		copy[length] = text[length]; /* copied by hand: a call might call the loader */
	copy[length] = 0;
	return copy;
}
