/* SPDX-License-Identifier: MIT
 *
 * The environment. The C library's functions keep copies of what they were given in memory that is not restored; these
 * have them on the program's heap. As in the C library nothing is ever freed, for whoever called getenv may still have
 * it. Programs that write to `environ` themselves are served as well: it is the only thing that is looked at.
 *
 * To change the environment counts as a write to `environ`, to look at it as a read.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void touch(bool changes, uintptr_t caller)
{
	if (!mz_current) return;
	if (changes) mz_spin_forget(mz_current);
	mz_plain(mz_current, (uintptr_t)&environ, sizeof environ, changes, caller);
}

static void reads(const char *text, uintptr_t caller)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)text, MZ_REAL(strlen)(text) + 1, false, caller);
}

/* Allocates memory that is never freed and never counts as lost. Returns NULL with errno set if there is none. */
static void *allocate_block(size_t size, uintptr_t caller)
{
	void **block = mz_allocate_surely(&(struct mz_heap_request){.size = sizeof *block + size, .caller = caller});
	if (!block) return NULL;
	*block = mz_library.environment_blocks;
	mz_library.environment_blocks = block;
	return block + 1;
}

static bool is_named(const char *variable, const char *name, size_t length)
{
	return MZ_REAL(strncmp)(variable, name, length) == 0 && variable[length] == '=';
}

/* Returns the place of a variable in `environ`; NULL if the variable is not set. */
static char **find_variable(const char *name, size_t length)
{
	for (char **each = environ; each && *each; each++)
		if (is_named(*each, name, length)) return each;
	return NULL;
}

static size_t count_variables(void)
{
	size_t n = 0;
	while (environ && environ[n]) n++;
	return n;
}

/* Appends a variable. Returns 0, or -1 with errno set. */
static int append_variable(char *variable, uintptr_t caller)
{
	size_t n = count_variables();
	if (environ != mz_library.environment || n + 2 > mz_library.environment_room) {
		size_t room = 2 * n + 8;
		char **grown = allocate_block(room * sizeof *grown, caller);
		if (!grown) return -1;
		if (n) MZ_REAL(memcpy)(grown, environ, n * sizeof *grown);
		environ = mz_library.environment = grown;
		mz_library.environment_room = room;
	}
	environ[n] = variable;
	environ[n + 1] = NULL;
	return 0;
}

static int put_variable(char *variable, size_t length, uintptr_t caller)
{
	char **place = find_variable(variable, length);
	if (!place) return append_variable(variable, caller);
	*place = variable;
	return 0;
}

static void remove_all(const char *name, size_t length)
{
	for (char **each = find_variable(name, length); each; each = find_variable(name, length)) do
			each[0] = each[1];
		while (*each++);
}

static bool is_name(const char *name)
{
	if (name && *name && !MZ_REAL(strchr)(name, '=')) return true;
	errno = EINVAL;
	return false;
}

#undef getenv
MZ_EXPORT char *getenv(const char *name)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(getenv)(name);
	size_t length = MZ_REAL(strlen)(name);
	reads(name, MZ_CALLER());
	touch(false, MZ_CALLER());
	char **place = length ? find_variable(name, length) : NULL;
	return place ? *place + length + 1 : NULL;
}

MZ_EXPORT char *secure_getenv(const char *name)
{
	if (!MZ_IS_KEPT() || MZ_REAL(secure_getenv)(name) != MZ_REAL(getenv)(name)) return MZ_REAL(secure_getenv)(name);
	reads(name, MZ_CALLER());
	touch(false, MZ_CALLER());
	return MZ_REAL(getenv)(name);
}

MZ_EXPORT int setenv(const char *name, const char *value, int replace)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(setenv)(name, value, replace);
	if (!is_name(name)) return -1;
	size_t length = MZ_REAL(strlen)(name), size = MZ_REAL(strlen)(value) + 1;
	reads(name, MZ_CALLER());
	reads(value, MZ_CALLER());
	touch(true, MZ_CALLER());
	if (!replace && find_variable(name, length)) return 0;
	char *variable = allocate_block(length + 1 + size, MZ_CALLER());
	if (!variable) return -1;
	MZ_REAL(memcpy)(variable, name, length);
	variable[length] = '=';
	MZ_REAL(memcpy)(variable + length + 1, value, size);
	return put_variable(variable, length, MZ_CALLER());
}

MZ_EXPORT int unsetenv(const char *name)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(unsetenv)(name);
	if (!is_name(name)) return -1;
	reads(name, MZ_CALLER());
	touch(true, MZ_CALLER());
	remove_all(name, MZ_REAL(strlen)(name));
	return 0;
}

MZ_EXPORT int putenv(char *variable)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(putenv)(variable);
	const char *end = MZ_REAL(strchr)(variable, '=');
	reads(variable, MZ_CALLER());
	touch(true, MZ_CALLER());
	if (end) return put_variable(variable, (size_t)(end - variable), MZ_CALLER());
	if (*variable) remove_all(variable, MZ_REAL(strlen)(variable));
	return 0;
}

MZ_EXPORT int clearenv(void)
{
	if (!MZ_IS_KEPT()) return MZ_REAL(clearenv)();
	touch(true, MZ_CALLER());
	environ = NULL;
	return 0;
}
