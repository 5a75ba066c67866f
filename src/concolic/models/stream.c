/* SPDX-License-Identifier: MIT
 *
 * Reading characters and lines of streams. The library gives bytes that fread() stores in memory their shadows, where the
 * stream is an input; where a line ends is a branch of the program.
 */
#include "concolic/models/models.h"
#include <stdio.h>

int MODEL(fgetc)(FILE *stream);
int MODEL(fgetc)(FILE *stream)
{
	unsigned char c;
	if (CONCRETE) return fgetc(stream);
	return fread(&c, 1, 1, stream) == 1 ? c : EOF;
}

int MODEL(getc)(FILE *stream);
int MODEL(getc)(FILE *stream)
{
	return MODEL(fgetc)(stream);
}

int MODEL(getchar)(void);
int MODEL(getchar)(void)
{
	return MODEL(fgetc)(stdin);
}

char *MODEL(fgets)(char *to, int size, FILE *stream);
char *MODEL(fgets)(char *to, int size, FILE *stream)
{
	int n = 0;
	if (CONCRETE) return fgets(to, size, stream);
	while (n < size - 1 && fread(to + n, 1, 1, stream) == 1)
		if (to[n++] == '\n') break;
	if (n == 0) return NULL;
	to[n] = 0;
	return to;
}
