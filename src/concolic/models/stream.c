/* SPDX-License-Identifier: MIT
 *
 * Reading characters and lines of streams that are inputs: each byte that is taken has its shadow, and is a branch on
 * whether there is one. The use of the stream is one step, as it is where the C library reads it.
 */
/* Else headers have bodies for functions of this file, which look into the buffers of streams. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include "concolic/models/models.h"
#include <stdio.h>
#include <stdlib.h>

int MODEL(fgetc)(FILE *stream);
int MODEL(ungetc)(int c, FILE *stream);
char *MODEL(fgets)(char *to, int size, FILE *stream);
char *MODEL(fgets_unlocked)(char *to, int size, FILE *stream);
ssize_t MODEL(getdelim)(char **line, size_t *size, int delimiter, FILE *stream);
ssize_t MODEL(__getdelim)(char **line, size_t *size, int delimiter, FILE *stream);
ssize_t MODEL(getline)(char **line, size_t *size, FILE *stream);

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream);

#define IS_OTHER(stream) (CONCRETE || !__mz_sym_is_input(stream))

static int read_character(FILE *stream, const void *code)
{
	unsigned char c;
	int at;
	__mz_sym_use(stream, 1, code);
	bool found = __mz_sym_take(&c, &at, stream, code);
	__mz_sym_there(at, code);
	__mz_sym_taken();
	return found ? c : EOF;
}

#undef getc
#undef getchar
#define CHARACTER(name, parameters, stream, call)                                                                      \
	int MODEL(name) parameters;                                                                                    \
	int MODEL(name) parameters                                                                                     \
	{                                                                                                              \
		if (IS_OTHER(stream)) GO_ON call;                                                                      \
		return read_character(stream, HERE);                                                                   \
	}
int _IO_getc(FILE *stream);
CHARACTER(fgetc, (FILE * from), from, fgetc(from))
CHARACTER(getc, (FILE * from), from, getc(from))
CHARACTER(_IO_getc, (FILE * from), from, _IO_getc(from))
CHARACTER(fgetc_unlocked, (FILE * from), from, fgetc_unlocked(from))
CHARACTER(getc_unlocked, (FILE * from), from, getc_unlocked(from))
CHARACTER(getchar, (void), stdin, getchar())
CHARACTER(getchar_unlocked, (void), stdin, getchar_unlocked())

/* Returns the byte, after a branch for each value that it can have: no shadow follows it into the C library. */
static int settled(unsigned char byte)
{
	static const char nothing[256];
	return byte + nothing[byte];
}

int MODEL(ungetc)(int c, FILE *stream)
{
	unsigned char byte = (unsigned char)c;
	if (CONCRETE || c == EOF) GO_ON ungetc(c, stream);
	if (!__mz_sym_is_input(stream)) return ungetc(settled(byte), stream);
	if (ungetc(byte, stream) == EOF) return EOF;
	__mz_sym_put_back(&byte);
	return byte;
}

/* ---- lines ---- */

/* Takes up to `most` bytes, or to the delimiter. Returns how many; `*ended`: the end was found. */
static size_t take_line(char *to, int *at, size_t most, uint32_t delimiter, FILE *stream, bool *ended, const void *code)
{
	size_t n = 0;
	*ended = false;
	while (n < most && !*ended) {
		*ended = !__mz_sym_take(to + n, at + n, stream, code);
		if (!*ended && __mz_sym_plain(to + n++) == delimiter) break;
	}
	return n;
}

/* Reads up to `most` bytes, or to the delimiter. Returns how many. All are taken before a branch, where other threads can
 * run. */
static size_t read_line(char *to, size_t most, int delimiter, FILE *stream, const void *code)
{
	size_t left = __mz_sym_left(stream) + 1;
	unsigned char byte = (unsigned char)delimiter;
	if (most > left) most = left;
	int at[most + 1];
	bool ended;
	size_t taken = take_line(to, at, most, __mz_sym_plain(&byte), stream, &ended, code);
	for (size_t n = 0; n < taken; n++) {
		__mz_sym_there(at[n], code);
		if (n + 1 < most && (unsigned char)to[n] == (unsigned char)delimiter) break;
	}
	if (ended) __mz_sym_there(at[taken], code);
	__mz_sym_taken();
	return taken;
}

static char *get_line(char *to, int size, FILE *stream, const void *code)
{
	__mz_sym_use(stream, 0, code);
	if (size <= 0) return NULL;
	size_t n = read_line(to, (size_t)size - 1, '\n', stream, code);
	if (n == 0 && size > 1) return NULL;
	__mz_sym_touch(to, n + 1, 1, code);
	__mz_sym_zero(to + n, 1, code);
	return to;
}

char *MODEL(fgets)(char *to, int size, FILE *stream)
{
	if (IS_OTHER(stream)) GO_ON fgets(to, size, stream);
	return get_line(to, size, stream, HERE);
}

char *MODEL(fgets_unlocked)(char *to, int size, FILE *stream)
{
	if (IS_OTHER(stream)) GO_ON fgets_unlocked(to, size, stream);
	return get_line(to, size, stream, HERE);
}

static ssize_t get_delimited(char **line, size_t *size, int delimiter, FILE *stream, const void *code)
{
	__mz_sym_use(stream, 0, code);
	size_t most = __mz_sym_left(stream) + 1;
	char bytes[most];
	size_t n = read_line(bytes, most, delimiter, stream, code);
	char *to = __mz_sym_line(line, size, n, code);
	if (to && n) {
		__mz_sym_touch(to, n + 1, 1, code);
		__mz_sym_move(to, bytes, n, code);
		__mz_sym_zero(to + n, 1, code);
	}
	__mz_sym_forget(bytes, most);
	return to && n ? (ssize_t)n : -1;
}

ssize_t MODEL(getdelim)(char **line, size_t *size, int delimiter, FILE *stream)
{
	if (IS_OTHER(stream)) GO_ON getdelim(line, size, delimiter, stream);
	return get_delimited(line, size, delimiter, stream, HERE);
}

ssize_t MODEL(__getdelim)(char **line, size_t *size, int delimiter, FILE *stream)
{
	if (IS_OTHER(stream)) GO_ON __getdelim(line, size, delimiter, stream);
	return get_delimited(line, size, delimiter, stream, HERE);
}

ssize_t MODEL(getline)(char **line, size_t *size, FILE *stream)
{
	if (IS_OTHER(stream)) GO_ON getline(line, size, stream);
	return get_delimited(line, size, '\n', stream, HERE);
}
