/* SPDX-License-Identifier: MIT
 *
 * Reading characters and lines of streams. The library gives bytes that fread() stores in memory their shadows, where
 * the stream is an input; where a line ends is a branch of the program, and so is whether there is a further byte.
 */
#include "concolic/models/models.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int MODEL(fgetc)(FILE *stream);
char *MODEL(fgets)(char *to, int size, FILE *stream);
ssize_t MODEL(getdelim)(char **line, size_t *size, int delimiter, FILE *stream);

static bool is_plain(FILE *stream)
{
	return CONCRETE || !__mz_sym_is_input(stream);
}

int MODEL(fgetc)(FILE *stream)
{
	unsigned char c;
	if (is_plain(stream)) return fgetc(stream);
	return fread(&c, 1, 1, stream) == 1 ? c : EOF;
}

#define CHARACTER(name, parameters, stream)                                                                            \
	int MODEL(name) parameters;                                                                                    \
	int MODEL(name) parameters                                                                                     \
	{                                                                                                              \
		return MODEL(fgetc)(stream);                                                                           \
	}
CHARACTER(getc, (FILE * from), from)
CHARACTER(_IO_getc, (FILE * from), from)
CHARACTER(fgetc_unlocked, (FILE * from), from)
CHARACTER(getc_unlocked, (FILE * from), from)
CHARACTER(getchar, (void), stdin)
CHARACTER(getchar_unlocked, (void), stdin)

/* Returns the byte, after a branch for each value that it can have: no shadow follows it into the C library. */
static int settled(unsigned char byte)
{
	static const char nothing[256];
	return byte + nothing[byte];
}

int MODEL(ungetc)(int c, FILE *stream);
int MODEL(ungetc)(int c, FILE *stream)
{
	unsigned char byte = (unsigned char)c;
	if (CONCRETE || c == EOF) return ungetc(c, stream);
	if (!__mz_sym_is_input(stream)) return ungetc(settled(byte), stream);
	if (ungetc(byte, stream) == EOF) return EOF;
	__mz_sym_put_back(&byte);
	return byte;
}

char *MODEL(fgets)(char *to, int size, FILE *stream)
{
	int n = 0;
	if (is_plain(stream)) return fgets(to, size, stream);
	while (n < size - 1 && fread(to + n, 1, 1, stream) == 1)
		if (to[n++] == '\n') break;
	if (n == 0 && size > 1) return NULL;
	to[n] = 0;
	return to;
}

char *MODEL(fgets_unlocked)(char *to, int size, FILE *stream);
char *MODEL(fgets_unlocked)(char *to, int size, FILE *stream)
{
	return MODEL(fgets)(to, size, stream);
}

/* Makes room for `wanted` characters of a line. */
static bool reserve(char **line, size_t *size, size_t wanted)
{
	if (*line && *size >= wanted) return true;
	size_t larger = *line && *size > 60 ? 2 * *size : 120;
	char *grown = realloc(*line, larger < wanted ? wanted : larger);
	if (!grown) return false;
	*line = grown;
	*size = larger < wanted ? wanted : larger;
	return true;
}

ssize_t MODEL(getdelim)(char **line, size_t *size, int delimiter, FILE *stream)
{
	size_t n = 0;
	if (is_plain(stream)) return getdelim(line, size, delimiter, stream);
	if (!*line) *size = 0;
	do {
		if (!reserve(line, size, n + 2)) return -1;
		if (fread(*line + n, 1, 1, stream) != 1) break;
	} while ((unsigned char)(*line)[n++] != delimiter);
	(*line)[n] = 0;
	return n ? (ssize_t)n : -1;
}

ssize_t MODEL(__getdelim)(char **line, size_t *size, int delimiter, FILE *stream);
ssize_t MODEL(__getdelim)(char **line, size_t *size, int delimiter, FILE *stream)
{
	return MODEL(getdelim)(line, size, delimiter, stream);
}

ssize_t MODEL(getline)(char **line, size_t *size, FILE *stream);
ssize_t MODEL(getline)(char **line, size_t *size, FILE *stream)
{
	return MODEL(getdelim)(line, size, '\n', stream);
}
