/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that read or write text and memory of the program and are called less often than those of
 * memory.c: what they touch counts as plain accesses. What they allocate comes from the program's heap.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void reads(struct mz_fiber *self, const void *from, size_t size, uintptr_t caller)
{
	mz_plain(self, (uintptr_t)from, size, false, caller);
}

static void writes(struct mz_fiber *self, const void *to, size_t size, uintptr_t caller)
{
	mz_plain(self, (uintptr_t)to, size, true, caller);
}

static void reads_text(struct mz_fiber *self, const char *text, uintptr_t caller)
{
	reads(self, text, MZ_REAL(strlen)(text) + 1, caller);
}

static void outputs_text(struct mz_fiber *self, const char *text, FILE *stream, uintptr_t caller)
{
	mz_plain_output(self, (uintptr_t)text, MZ_REAL(strlen)(text) + 1, fileno_unlocked(stream), caller);
}

static size_t bounded(const char *text, size_t size)
{
	size_t length = MZ_REAL(strnlen)(text, size);
	return length < size ? length + 1 : size;
}

/* ---- looking for something ---- */

/* Defines functions of two texts, both of which count as read to their ends. */
#define TWO_TEXTS(type, name, first, second)                                                                           \
	MZ_EXPORT type mz_text_##name(first a, second b) __asm__(#name);                                               \
	type mz_text_##name(first a, second b)                                                                         \
	{                                                                                                              \
		struct mz_fiber *self = MZ_SELF();                                                                     \
		if (self) {                                                                                            \
			reads_text(self, a, MZ_CALLER());                                                              \
			reads_text(self, b, MZ_CALLER());                                                              \
		}                                                                                                      \
		return MZ_REAL(name)(a, b);                                                                            \
	}

TWO_TEXTS(int, strcoll, const char *, const char *)
#undef strcasestr
TWO_TEXTS(char *, strcasestr, const char *, const char *)

/* Defines functions of a text and a set of characters. The text counts as read up to the first character that ends what
 * the function looks for, which `length` finds; the set to its end. */
#define TEXT_AND_SET(type, name, length)                                                                               \
	MZ_EXPORT type mz_text_##name(const char *text, const char *set) __asm__(#name);                               \
	type mz_text_##name(const char *text, const char *set)                                                         \
	{                                                                                                              \
		struct mz_fiber *self = MZ_SELF();                                                                     \
		if (self) {                                                                                            \
			reads(self, text, MZ_REAL(length)(text, set) + 1, MZ_CALLER());                                \
			reads_text(self, set, MZ_CALLER());                                                            \
		}                                                                                                      \
		return MZ_REAL(name)(text, set);                                                                       \
	}

TEXT_AND_SET(size_t, strspn, strspn)
TEXT_AND_SET(size_t, strcspn, strcspn)
#undef strpbrk
TEXT_AND_SET(char *, strpbrk, strcspn)

/* Returns how many bytes a comparison reads that takes capital and small letters for the same. */
static size_t compared(const char *a, const char *b, size_t size)
{
	size_t i = 0;
	while (i < size && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
	return i < size ? i + 1 : size;
}

static void reads_both(const char *a, const char *b, size_t size, uintptr_t caller)
{
	reads(mz_current, a, size, caller);
	reads(mz_current, b, size, caller);
}

MZ_EXPORT int mz_text_strcasecmp(const char *a, const char *b) __asm__("strcasecmp");
int mz_text_strcasecmp(const char *a, const char *b)
{
	if (MZ_SELF()) reads_both(a, b, compared(a, b, SIZE_MAX), MZ_CALLER());
	return MZ_REAL(strcasecmp)(a, b);
}

MZ_EXPORT int mz_text_strncasecmp(const char *a, const char *b, size_t size) __asm__("strncasecmp");
int mz_text_strncasecmp(const char *a, const char *b, size_t size)
{
	if (MZ_SELF()) reads_both(a, b, compared(a, b, size), MZ_CALLER());
	return MZ_REAL(strncasecmp)(a, b, size);
}

MZ_EXPORT int mz_text_bcmp(const void *a, const void *b, size_t size) __asm__("bcmp");
int mz_text_bcmp(const void *a, const void *b, size_t size)
{
	if (MZ_SELF()) reads_both(a, b, size, MZ_CALLER());
	return MZ_REAL(memcmp)(a, b, size);
}

MZ_EXPORT char *mz_text_strchrnul(const char *text, int byte) __asm__("strchrnul");
char *mz_text_strchrnul(const char *text, int byte)
{
	struct mz_fiber *self = MZ_SELF();
	char *found = MZ_REAL(strchrnul)(text, byte);
	if (self) reads(self, text, (size_t)(found - text) + 1, MZ_CALLER());
	return found;
}

MZ_EXPORT void *mz_text_memrchr(const void *bytes, int byte, size_t size) __asm__("memrchr");
void *mz_text_memrchr(const void *bytes, int byte, size_t size)
{
	if (MZ_SELF()) reads(mz_current, bytes, size, MZ_CALLER());
	return MZ_REAL(memrchr)(bytes, byte, size);
}

MZ_EXPORT void *mz_text_rawmemchr(const void *bytes, int byte) __asm__("rawmemchr");
void *mz_text_rawmemchr(const void *bytes, int byte)
{
	char *found = MZ_REAL(rawmemchr)(bytes, byte);
	if (MZ_SELF()) reads(mz_current, bytes, (size_t)(found - (const char *)bytes) + 1, MZ_CALLER());
	return found;
}

MZ_EXPORT void *memmem(const void *bytes, size_t size, const void *wanted, size_t length)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) {
		reads(self, bytes, size, MZ_CALLER());
		reads(self, wanted, length, MZ_CALLER());
	}
	return MZ_REAL(memmem)(bytes, size, wanted, length);
}

/* ---- numbers: as far as they go, and what ends them ---- */

static void ended(const char *text, char *last, char **end, uintptr_t caller)
{
	if (MZ_SELF()) reads(mz_current, text, (size_t)(last - text) + 1, caller);
	if (MZ_SELF() && end) writes(mz_current, end, sizeof *end, caller);
	if (end) *end = last;
}

#define NUMBER(type, name)                                                                                             \
	MZ_EXPORT type mz_text_##name(const char *text, char **end, int base) __asm__(#name);                          \
	type mz_text_##name(const char *text, char **end, int base)                                                    \
	{                                                                                                              \
		char *last = NULL; /* it stays that if there is no such base: nothing is read then, or written */      \
		type value = MZ_REAL(name)(text, &last, base);                                                         \
		if (last) ended(text, last, end, MZ_CALLER());                                                         \
		return value;                                                                                          \
	}
#define FRACTION(type, name)                                                                                           \
	MZ_EXPORT type mz_text_##name(const char *text, char **end) __asm__(#name);                                    \
	type mz_text_##name(const char *text, char **end)                                                              \
	{                                                                                                              \
		char *last = (char *)text;                                                                             \
		type value = MZ_REAL(name)(text, &last);                                                               \
		ended(text, last, end, MZ_CALLER());                                                                   \
		return value;                                                                                          \
	}
/* The same for functions that do not tell where the number ends (atoi and its kin). */
#define WHOLE(type, name, scanned)                                                                                     \
	MZ_EXPORT type mz_text_##name(const char *text) __asm__(#name);                                                \
	type mz_text_##name(const char *text)                                                                          \
	{                                                                                                              \
		char *last = (char *)text;                                                                             \
		type value = (type)scanned;                                                                            \
		if (MZ_SELF()) reads(mz_current, text, (size_t)(last - text) + 1, MZ_CALLER());                        \
		return value;                                                                                          \
	}

NUMBER(long, strtol)
NUMBER(long long, strtoll)
NUMBER(unsigned long, strtoul)
NUMBER(unsigned long long, strtoull)
FRACTION(float, strtof)
FRACTION(double, strtod)
FRACTION(long double, strtold)
WHOLE(int, atoi, MZ_REAL(strtol)(text, &last, 10))
WHOLE(long, atol, MZ_REAL(strtol)(text, &last, 10))
WHOLE(long long, atoll, MZ_REAL(strtoll)(text, &last, 10))
WHOLE(double, atof, MZ_REAL(strtod)(text, &last))

/* ---- taking texts apart ---- */

/* Notes the accesses of strtok and its kin: `part`, which was found, begins somewhere in `text`; the separator behind
 * it was overwritten if `rest` is behind it. */
static void took(struct mz_fiber *self, const char *text, const char *part, const char *rest, uintptr_t caller)
{
	const char *end = part ? part + MZ_REAL(strlen)(part) : text + MZ_REAL(strlen)(text);
	reads(self, text, (size_t)(end - text) + 1, caller);
	if (part && rest == end + 1) writes(self, end, 1, caller);
}

MZ_EXPORT char *mz_text_strtok_r(char *text, const char *separators, char **rest) __asm__("strtok_r");
char *mz_text_strtok_r(char *text, const char *separators, char **rest)
{
	const char *from = text ? text : *rest;
	char *part = MZ_REAL(strtok_r)(text, separators, rest);
	if (!MZ_SELF() || !from) return part;
	reads_text(mz_current, separators, MZ_CALLER());
	took(mz_current, from, part, *rest, MZ_CALLER());
	return part;
}

MZ_EXPORT char *mz_text_strtok(char *text, const char *separators) __asm__("strtok");
char *mz_text_strtok(char *text, const char *separators)
{
	static char *(*real)(char *, const char *);
	if (!real) *(void **)&real = mz_real_find("strtok");
	if (!MZ_IS_KEPT()) return real(text, separators);
	const char *from = text ? text : mz_library.words;
	if (mz_current) writes(mz_current, &mz_library.words, sizeof mz_library.words, MZ_CALLER());
	char *part = MZ_REAL(strtok_r)(text, separators, &mz_library.words);
	if (!mz_current || !from) return part;
	reads_text(mz_current, separators, MZ_CALLER());
	took(mz_current, from, part, mz_library.words, MZ_CALLER());
	return part;
}

MZ_EXPORT char *mz_text_strsep(char **text, const char *separators) __asm__("strsep");
char *mz_text_strsep(char **text, const char *separators)
{
	char *part = MZ_REAL(strsep)(text, separators);
	if (!MZ_SELF() || !part) return part;
	reads_text(mz_current, separators, MZ_CALLER());
	took(mz_current, part, part, *text, MZ_CALLER());
	return part;
}

/* ---- sorting: what is compared the program reads itself ---- */

MZ_EXPORT void qsort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (MZ_SELF() && n && size) writes(mz_current, items, n * size, MZ_CALLER());
	MZ_REAL(qsort)(items, n, size, compare);
}

MZ_EXPORT void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                       void *argument)
{
	if (MZ_SELF() && n && size) writes(mz_current, items, n * size, MZ_CALLER());
	MZ_REAL(qsort_r)(items, n, size, compare, argument);
}

/* ---- copying ---- */

MZ_EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) {
		reads(self, from, bounded(from, size), MZ_CALLER());
		writes(self, to, size, MZ_CALLER());
	}
	return MZ_REAL(stpncpy)(to, from, size);
}

MZ_EXPORT void *memccpy(void *restrict to, const void *restrict from, int last, size_t size)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) {
		const char *end = MZ_REAL(memchr)(from, last, size);
		size_t copied = end ? (size_t)(end - (const char *)from) + 1 : size;
		reads(self, from, copied, MZ_CALLER());
		writes(self, to, copied, MZ_CALLER());
	}
	return MZ_REAL(memccpy)(to, from, last, size);
}

MZ_EXPORT void mz_text_bcopy(const void *from, void *to, size_t size) __asm__("bcopy");
void mz_text_bcopy(const void *from, void *to, size_t size)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) {
		reads(self, from, size, MZ_CALLER());
		writes(self, to, size, MZ_CALLER());
	}
	MZ_REAL(memmove)(to, from, size);
}

MZ_EXPORT void mz_text_bzero(void *to, size_t size) __asm__("bzero");
void mz_text_bzero(void *to, size_t size)
{
	if (MZ_SELF()) writes(mz_current, to, size, MZ_CALLER());
	MZ_REAL(memset)(to, 0, size);
}

MZ_EXPORT void explicit_bzero(void *to, size_t size)
{
	if (MZ_SELF()) writes(mz_current, to, size, MZ_CALLER());
	MZ_REAL(memset)(to, 0, size);
}

/* Copies, or if `appends` appends, a text: for the checked variants of _FORTIFY_SOURCE. */
static void copy_text(char *to, const char *from, size_t most, bool appends, size_t room, uintptr_t caller)
{
	size_t there = appends ? MZ_REAL(strlen)(to) : 0, length = MZ_REAL(strnlen)(from, most);
	if (mz_current && mz_image_owns_code(caller)) {
		if (appends) reads_text(mz_current, to, caller);
		reads(mz_current, from, length < most ? length + 1 : most, caller);
		writes(mz_current, to + there, length + 1, caller);
	}
	if (there + length >= room) __builtin_trap();
	MZ_REAL(memcpy)(to + there, from, length);
	to[there + length] = 0;
}

#define CHECKED(name, parameters, most, appends, result)                                                               \
	MZ_EXPORT char *__##name##_chk parameters;                                                                     \
	MZ_EXPORT char *__##name##_chk parameters                                                                      \
	{                                                                                                              \
		copy_text(to, from, most, appends, room, MZ_CALLER());                                                 \
		return result;                                                                                         \
	}

CHECKED(strcpy, (char *to, const char *from, size_t room), SIZE_MAX, false, to)
CHECKED(stpcpy, (char *to, const char *from, size_t room), SIZE_MAX, false, to + MZ_REAL(strlen)(to))
CHECKED(strcat, (char *to, const char *from, size_t room), SIZE_MAX, true, to)
CHECKED(strncat, (char *to, const char *from, size_t size, size_t room), size, true, to)

MZ_EXPORT char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
MZ_EXPORT char *__strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) {
		reads(self, from, bounded(from, size), MZ_CALLER());
		writes(self, to, size, MZ_CALLER());
	}
	if (size > room) __builtin_trap();
	return MZ_REAL(strncpy)(to, from, size);
}

/* ---- lines of streams ---- */

static bool resize_line(char **line, size_t *size, char *block, size_t wanted, uintptr_t caller)
{
	char *room = mz_resize(block, wanted, caller);
	if (!room) return false;
	*line = room;
	*size = wanted;
	return true;
}

/* As in version 2.36 of the C library: there is room from the start, also where there is no line. */
bool mz_line_room(char **line, size_t *size, size_t wanted, uintptr_t caller)
{
	if ((!*line || !*size) && !resize_line(line, size, NULL, 120, caller)) return false;
	if (wanted <= *size) return true;
	return resize_line(line, size, *line, wanted < 2 * *size ? 2 * *size : wanted, caller);
}

/* Reads a line, into memory of the C library first. */
static ssize_t read_line(char **line, size_t *size, int delimiter, FILE *stream, uintptr_t caller)
{
	char *read = NULL;
	size_t room = 0;
	if (!mz_current || !mz_allocates_for(caller)) return MZ_REAL(getdelim)(line, size, delimiter, stream);
	mz_shared_file_use_stream(mz_current, stream, MZ_FILE_READS, caller);
	ssize_t length = MZ_REAL(getdelim)(&read, &room, delimiter, stream);
	mz_stdin_lose(stream, "getline", caller);
	if (!mz_line_room(line, size, length < 0 ? 1 : (size_t)length + 1, caller)) length = -1;
	if (length >= 0) {
		writes(mz_current, *line, (size_t)length + 1, caller);
		MZ_REAL(memcpy)(*line, read, (size_t)length + 1);
	}
	free(read);
	return length;
}

MZ_EXPORT MZ_PASSED_ON ssize_t mz_text_getline(char **line, size_t *size, FILE *stream) __asm__("getline");
ssize_t mz_text_getline(char **line, size_t *size, FILE *stream)
{
	return read_line(line, size, '\n', stream, MZ_CALLER());
}

MZ_EXPORT MZ_PASSED_ON ssize_t mz_text_getdelim(char **line, size_t *size, int delimiter,
                                                FILE *stream) __asm__("getdelim");
ssize_t mz_text_getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
	return read_line(line, size, delimiter, stream, MZ_CALLER());
}

/* Does what fgets() does. Returns how many bytes were read, among which there may be NUL; a failure counts as none. */
static size_t get_line(char *to, size_t most, FILE *stream)
{
	size_t n = 0;
	int c = 0, failed = ferror_unlocked(stream);
	while (n < most && c != '\n' && (c = getc_unlocked(stream)) != EOF) to[n++] = (char)c;
	return c == EOF && ferror_unlocked(stream) && !failed && errno != EAGAIN ? 0 : n;
}

MZ_EXPORT MZ_PASSED_ON char *mz_text_fgets(char *to, int size, FILE *stream) __asm__("fgets");
char *mz_text_fgets(char *to, int size, FILE *stream)
{
	if (!MZ_SELF()) return MZ_REAL(fgets)(to, size, stream);
	mz_shared_file_use_stream(mz_current, stream, MZ_FILE_READS, MZ_CALLER());
	if (size <= 0) return NULL;
	size_t n = get_line(to, (size_t)size - 1, stream);
	mz_stdin_lose(stream, "fgets", MZ_CALLER());
	if (n == 0 && size > 1) return NULL;
	writes(mz_current, to, n + 1, MZ_CALLER());
	to[n] = 0;
	return to;
}

MZ_EXPORT MZ_PASSED_ON int mz_text_fputs(const char *text, FILE *stream) __asm__("fputs");
int mz_text_fputs(const char *text, FILE *stream)
{
	if (MZ_SELF()) {
		outputs_text(mz_current, text, stream, MZ_CALLER());
		mz_shared_file_use_stream(mz_current, stream, mz_stream_writes(stream, MZ_REAL(strlen)(text)),
		                          MZ_CALLER());
	}
	mz_said(stream, text, MZ_REAL(strlen)(text));
	return MZ_REAL(fputs)(text, stream);
}

MZ_EXPORT MZ_PASSED_ON int mz_text_puts(const char *text) __asm__("puts");
int mz_text_puts(const char *text)
{
	if (MZ_SELF()) outputs_text(mz_current, text, stdout, MZ_CALLER());
	return MZ_REAL(puts)(text);
}
