/* SPDX-License-Identifier: MIT
 *
 * Names for temporary files that the program opens itself: the C library draws them from the clock and from the
 * system's randomness, these from the thread's own (chance.h). They name nothing that exists.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path)
{
	struct stat status;
	int error = errno;
	bool found = MZ_REAL(lstat)(path, &status) == 0;
	errno = error;
	return found;
}

/* Fills the six characters at the end of NAME; false if all that were tried exist. */
static bool complete(struct mz_fiber *self, char *name)
{
	char *blank = name + strlen(name) - 6;
	for (int tries = 0; tries < 100; tries++) {
		mz_chance_name(self, blank);
		if (!exists(name)) return true;
	}
	errno = EEXIST;
	return false;
}

/* Makes a name in `room`, of at least L_tmpnam bytes. */
static char *name_in(struct mz_fiber *self, char *room, uintptr_t caller)
{
	char name[] = P_tmpdir "/fileXXXXXX";
	_Static_assert(sizeof name <= L_tmpnam && L_tmpnam <= sizeof mz_library.name, "there is room");
	if (!complete(self, name)) return NULL;
	mz_plain_result(self, room, name, sizeof name, caller);
	return room;
}

MZ_EXPORT char *mz_name_tmpnam(char *room) __asm__("tmpnam");
char *mz_name_tmpnam(char *room)
{
	static char *(*real)(char *);
	if (!real) *(void **)&real = mz_real_find("tmpnam");
	if (!MZ_SELF()) return real(room);
	return name_in(mz_current, room ? room : mz_library.name, MZ_CALLER());
}

MZ_EXPORT char *tmpnam_r(char room[L_tmpnam])
{
	if (!MZ_SELF() || !room) return MZ_REAL(tmpnam_r)(room);
	return name_in(mz_current, room, MZ_CALLER());
}

static bool is_folder(const char *path)
{
	struct stat status;
	return path && *path && MZ_REAL(stat)(path, &status) == 0 && S_ISDIR(status.st_mode);
}

MZ_EXPORT char *mz_name_tempnam(const char *folder, const char *prefix) __asm__("tempnam");
char *mz_name_tempnam(const char *folder, const char *prefix)
{
	static char *(*real)(const char *, const char *);
	if (!real) *(void **)&real = mz_real_find("tempnam");
	if (!MZ_SELF()) return real(folder, prefix);
	const char *wanted = MZ_REAL(getenv)("TMPDIR");
	char name[PATH_MAX];
	if (!is_folder(wanted)) wanted = is_folder(folder) ? folder : P_tmpdir;
	snprintf(name, sizeof name, "%s/%.5sXXXXXX", wanted, prefix && *prefix ? prefix : "file");
	if (!complete(mz_current, name)) return NULL;
	const struct mz_heap_request request = {.size = strlen(name) + 1, .caller = MZ_CALLER()};
	char *copy = mz_allocate(&request, MZ_FAULT_MALLOC);
	return copy ? strcpy(copy, name) : NULL;
}

MZ_EXPORT char *mz_name_mktemp(char *template) __asm__("mktemp");
char *mz_name_mktemp(char *template)
{
	static char *(*real)(char *);
	if (!real) *(void **)&real = mz_real_find("mktemp");
	size_t length = strlen(template);
	if (!MZ_SELF() || length < 6 || strcmp(template + length - 6, "XXXXXX") != 0) return real(template);
	mz_plain(mz_current, (uintptr_t)(template + length - 6), 6, true, MZ_CALLER());
	if (!complete(mz_current, template)) *template = 0;
	return template;
}
