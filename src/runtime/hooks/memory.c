/* SPDX-License-Identifier: MIT
 *
 * The mem* and str* functions: called from the program they are plain accesses to what they read and write; called from
 * the C library and its kin they are what they always were. A string is read up to and including its terminator, or as
 * far as the function has to look.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do. These functions are called before the
 * loader has finished with us, so that they cannot rely on anything but themselves. They begin in entry.S.
 */
#include "runtime/memory/memory.h"
#include "runtime/core/core.h"
#include "runtime/watch/watch.h"
#include <string.h>

/* What _FORTIFY_SOURCE calls: no header declares them. */
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int byte, size_t size, size_t room);

MZ_HOOKS_DECLARE(MEMORY)

static void touch(const void *address, size_t size, bool write, uintptr_t caller)
{
	mz_plain(mz_current, (uintptr_t)address, size, write, caller);
}

/* Reports whether the call is the program's own, within an execution. */
static bool observed(uintptr_t caller)
{
	return MZ_UNLIKELY(mz_current != NULL) && mz_image_owns_code(caller);
}

/* The real function; the loader may call us before it can be found. */
#define REAL(name, fallback)                                                                                           \
	({                                                                                                             \
		static __typeof__(&name) found;                                                                        \
		static _Bool looking;                                                                                  \
		if (MZ_UNLIKELY(!found && !looking)) {                                                                 \
			looking = 1;                                                                                   \
			found = (__typeof__(&name))mz_real_find(#name);                                                \
		}                                                                                                      \
		found ? found : fallback;                                                                              \
	})

static void *slow_copy(void *to, const void *from, size_t size)
{
	volatile char *out = to;
	for (size_t i = 0; i < size; i++) out[i] = ((const char *)from)[i];
	return to;
}

static void *slow_move(void *to, const void *from, size_t size)
{
	volatile char *out = to;
	if (to <= from) return slow_copy(to, from, size);
	while (size--) out[size] = ((const char *)from)[size];
	return to;
}

static void *slow_set(void *to, int byte, size_t size)
{
	volatile char *out = to;
	for (size_t i = 0; i < size; i++) out[i] = (char)byte;
	return to;
}

static int slow_compare(const void *a, const void *b, size_t size)
{
	const volatile unsigned char *x = a, *y = b;
	for (size_t i = 0; i < size; i++)
		if (x[i] != y[i]) return x[i] - y[i];
	return 0;
}

static size_t slow_length(const char *text)
{
	const volatile char *end = text;
	while (*end) end++;
	return (size_t)(end - text);
}

/* ---- bytes ---- */

void *mz_entry_memcpy(void *restrict to, const void *restrict from, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		touch(from, size, false, caller);
		touch(to, size, true, caller);
	}
	return REAL(memcpy, slow_copy)(to, from, size);
}

void *mz_entry_memmove(void *to, const void *from, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		touch(from, size, false, caller);
		touch(to, size, true, caller);
	}
	return REAL(memmove, slow_move)(to, from, size);
}

void *mz_entry_mempcpy(void *restrict to, const void *restrict from, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		touch(from, size, false, caller);
		touch(to, size, true, caller);
	}
	return (char *)REAL(memcpy, slow_copy)(to, from, size) + size;
}

void *mz_entry_memset(void *to, int byte, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) touch(to, size, true, caller);
	return REAL(memset, slow_set)(to, byte, size);
}

int mz_entry_memcmp(const void *a, const void *b, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		touch(a, size, false, caller);
		touch(b, size, false, caller);
	}
	return REAL(memcmp, slow_compare)(a, b, size);
}

void *mz_entry_memchr(const void *bytes, int byte, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	char *found = MZ_REAL(memchr)(bytes, byte, size);
	if (observed(caller)) {
		touch(bytes, found ? (size_t)(found - (const char *)bytes) + 1 : size, false, caller);
		found = MZ_REAL(memchr)(bytes, byte, size);
	}
	return found;
}

/* ---- strings ---- */

static size_t length_of(const char *text)
{
	return REAL(strlen, slow_length)(text);
}

static size_t bounded_length(const char *text, size_t size)
{
	const char *end = MZ_REAL(memchr)(text, 0, size);
	return end ? (size_t)(end - text) + 1 : size;
}

static void read_string(const char *text, uintptr_t caller)
{
	touch(text, length_of(text) + 1, false, caller);
}

size_t mz_entry_strlen(const char *text)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) read_string(text, caller);
	return length_of(text);
}

size_t mz_entry_strnlen(const char *text, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) touch(text, bounded_length(text, size), false, caller);
	return MZ_REAL(strnlen)(text, size);
}

char *mz_entry_strcpy(char *restrict to, const char *restrict from)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		read_string(from, caller);
		touch(to, length_of(from) + 1, true, caller);
	}
	return MZ_REAL(strcpy)(to, from);
}

char *mz_entry_stpcpy(char *restrict to, const char *restrict from)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		read_string(from, caller);
		touch(to, length_of(from) + 1, true, caller);
	}
	return MZ_REAL(stpcpy)(to, from);
}

char *mz_entry_strncpy(char *restrict to, const char *restrict from, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		touch(from, bounded_length(from, size), false, caller);
		touch(to, size, true, caller);
	}
	return MZ_REAL(strncpy)(to, from, size);
}

char *mz_entry_strcat(char *restrict to, const char *restrict from)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		read_string(from, caller);
		read_string(to, caller);
		touch(to + length_of(to), length_of(from) + 1, true, caller);
	}
	return MZ_REAL(strcat)(to, from);
}

char *mz_entry_strncat(char *restrict to, const char *restrict from, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		size_t length = MZ_REAL(strnlen)(from, size);
		touch(from, bounded_length(from, size), false, caller);
		read_string(to, caller);
		touch(to + length_of(to), length + 1, true, caller);
	}
	return MZ_REAL(strncat)(to, from, size);
}

/* Returns how many bytes a comparison reads: up to the first difference or the end. */
static size_t compared(const char *a, const char *b, size_t size)
{
	size_t i = 0;
	while (i < size && a[i] == b[i] && a[i]) i++;
	return i < size ? i + 1 : size;
}

int mz_entry_strcmp(const char *a, const char *b)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		size_t size = compared(a, b, SIZE_MAX);
		touch(a, size, false, caller);
		touch(b, size, false, caller);
	}
	return MZ_REAL(strcmp)(a, b);
}

int mz_entry_strncmp(const char *a, const char *b, size_t size)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		size_t looked = compared(a, b, size);
		touch(a, looked, false, caller);
		touch(b, looked, false, caller);
	}
	return MZ_REAL(strncmp)(a, b, size);
}

#undef strchr
#undef strrchr
char *mz_entry_strchr(const char *text, int byte)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		const char *found = MZ_REAL(strchr)(text, byte);
		touch(text, found ? (size_t)(found - text) + 1 : length_of(text) + 1, false, caller);
	}
	return MZ_REAL(strchr)(text, byte);
}

char *mz_entry_strrchr(const char *text, int byte)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) read_string(text, caller);
	return MZ_REAL(strrchr)(text, byte);
}

char *mz_entry_strstr(const char *text, const char *wanted)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) {
		const char *found = MZ_REAL(strstr)(text, wanted);
		touch(text, found ? (size_t)(found - text) + length_of(wanted) : length_of(text) + 1, false, caller);
		read_string(wanted, caller);
	}
	return MZ_REAL(strstr)(text, wanted);
}

/* The checked variants of _FORTIFY_SOURCE. */
#define CHECKED_COPY(name)                                                                                             \
	void *mz_entry___##name##_chk(void *to, const void *from, size_t size, size_t room);                           \
	void *mz_entry___##name##_chk(void *to, const void *from, size_t size, size_t room)                            \
	{                                                                                                              \
		uintptr_t caller = MZ_CALLER();                                                                        \
		if (observed(caller)) {                                                                                \
			touch(from, size, false, caller);                                                              \
			touch(to, size, true, caller);                                                                 \
		}                                                                                                      \
		if (size > room) __builtin_trap();                                                                     \
		return MZ_REAL(name)(to, from, size);                                                                  \
	}

CHECKED_COPY(memcpy)
CHECKED_COPY(memmove)

void *mz_entry___memset_chk(void *to, int byte, size_t size, size_t room)
{
	uintptr_t caller = MZ_CALLER();
	if (observed(caller)) touch(to, size, true, caller);
	if (size > room) __builtin_trap();
	return MZ_REAL(memset)(to, byte, size);
}
