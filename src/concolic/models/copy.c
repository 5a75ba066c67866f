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
size_t MODEL(strlen)(const char *s);
size_t MODEL(strnlen)(const char *s, size_t max);

char *MODEL(stpcpy)(char *to, const char *from)
{
	if (CONCRETE) return stpcpy(to, from);
	while ((*to = *from)) to++, from++;
	return to;
}

char *MODEL(strcpy)(char *to, const char *from)
{
	if (CONCRETE) return strcpy(to, from);
	MODEL(stpcpy)(to, from);
	return to;
}

char *MODEL(strncpy)(char *to, const char *from, size_t n)
{
	if (CONCRETE) return strncpy(to, from, n);
	size_t i = 0;
	for (; i < n && from[i]; i++) to[i] = from[i];
	for (; i < n; i++) to[i] = '\0';
	return to;
}

char *MODEL(strcat)(char *to, const char *from)
{
	if (CONCRETE) return strcat(to, from);
	MODEL(stpcpy)(to + MODEL(strlen)(to), from);
	return to;
}

char *MODEL(strncat)(char *to, const char *from, size_t n)
{
	if (CONCRETE) return strncat(to, from, n);
	size_t start = MODEL(strlen)(to), i = 0;
	for (; i < n && from[i]; i++) to[start + i] = from[i];
	to[start + i] = '\0';
	return to;
}

static char *copy(const char *s, size_t n)
{
	char *to = malloc(n + 1);
	if (!to) return NULL;
	for (size_t i = 0; i < n; i++) to[i] = s[i];
	to[n] = '\0';
	return to;
}

char *MODEL(strdup)(const char *s)
{
	return CONCRETE ? strdup(s) : copy(s, MODEL(strlen)(s));
}

char *MODEL(strndup)(const char *s, size_t n)
{
	return CONCRETE ? strndup(s, n) : copy(s, MODEL(strnlen)(s, n));
}
