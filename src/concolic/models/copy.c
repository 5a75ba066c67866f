/* SPDX-License-Identifier: MIT
 *
 * Strings: what copies them.
 */
#include "concolic/models/models.h"
#include <stdlib.h>
#include <string.h>

char *MODEL(stpcpy)(char *to, const char *from);
char *MODEL(strcpy)(char *to, const char *from);
char *MODEL(strncpy)(char *to, const char *from, size_t n);
char *MODEL(strcat)(char *to, const char *from);
char *MODEL(strncat)(char *to, const char *from, size_t n);
char *MODEL(strdup)(const char *s);
char *MODEL(strndup)(const char *s, size_t n);

/* Copies `length` bytes, which have been looked at, and ends them with NUL if `ends`. */
static void copy(char *to, const char *from, size_t length, bool ends, const void *code)
{
	if (!STEPS) {
		__mz_sym_move(to, from, length, code);
		if (ends) __mz_sym_zero(to + length, 1, code);
		return;
	}
	for (size_t i = 0; i < length; i++) put(to + i, (char)look(from + i, code), code);
	if (ends) put(to + length, '\0', code);
}

/* Copies a text. Returns its length. */
static size_t copy_text(char *to, const char *from, const void *code)
{
	size_t length = decide_length(from, SIZE_MAX, code);
	tell_read(from, length + 1, code);
	tell_write(to, length + 1, code);
	copy(to, from, length, true, code);
	return length;
}

char *MODEL(stpcpy)(char *to, const char *from)
{
	if (CONCRETE || is_concrete_text(from, SIZE_MAX, HERE)) GO_ON stpcpy(to, from);
	return to + copy_text(to, from, HERE);
}

char *MODEL(strcpy)(char *to, const char *from)
{
	if (CONCRETE || is_concrete_text(from, SIZE_MAX, HERE)) GO_ON strcpy(to, from);
	copy_text(to, from, HERE);
	return to;
}

/* Fills what is left with NUL. */
static void fill(char *to, size_t size, const void *code)
{
	if (!STEPS) __mz_sym_zero(to, size, code);
	for (size_t i = 0; i < size && STEPS; i++) put(to + i, '\0', code);
}

char *MODEL(strncpy)(char *to, const char *from, size_t n)
{
	if (CONCRETE || is_concrete_text(from, n, HERE)) GO_ON strncpy(to, from, n);
	size_t length = decide_length(from, n, HERE);
	tell_read(from, looked_at(length, n), HERE);
	tell_write(to, n, HERE);
	copy(to, from, length, false, HERE);
	fill(to + length, n - length, HERE);
	return to;
}

static void append(char *to, const char *from, size_t n, const void *code)
{
	size_t length = decide_length(from, n, code), start = decide_length(to, SIZE_MAX, code);
	tell_read(from, looked_at(length, n), code);
	tell_read(to, start + 1, code);
	tell_write(to + start, length + 1, code);
	copy(to + start, from, length, true, code);
}

char *MODEL(strcat)(char *to, const char *from)
{
	if (CONCRETE || (is_concrete_text(from, SIZE_MAX, HERE) && is_concrete_text(to, SIZE_MAX, HERE)))
		GO_ON strcat(to, from);
	append(to, from, SIZE_MAX, HERE);
	return to;
}

char *MODEL(strncat)(char *to, const char *from, size_t n)
{
	if (CONCRETE || (KNOWN(n) && is_concrete_text(from, n, HERE) && is_concrete_text(to, SIZE_MAX, HERE)))
		GO_ON strncat(to, from, n);
	append(to, from, n, HERE);
	return to;
}

static char *duplicate(const char *s, size_t most, const void *code)
{
	size_t length = decide_length(s, most, code);
	tell_read(s, looked_at(length, most), code);
	return __mz_sym_duplicate(s, length, code);
}

char *MODEL(strdup)(const char *s)
{
	if (CONCRETE || is_concrete_text(s, SIZE_MAX, HERE)) GO_ON strdup(s);
	return duplicate(s, SIZE_MAX, HERE);
}

char *MODEL(strndup)(const char *s, size_t n)
{
	if (CONCRETE || (KNOWN(n) && is_concrete_text(s, n, HERE))) GO_ON strndup(s, n);
	return duplicate(s, n, HERE);
}
