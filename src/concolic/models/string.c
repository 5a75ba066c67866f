/* SPDX-License-Identifier: MIT
 *
 * Strings and bytes: what searches and compares. Each byte is looked at with a branch of its own, as the first byte
 * that differs, or ends the string, decides.
 */
#include "concolic/models/models.h"
#include <string.h>
#include <strings.h>

size_t MODEL(strlen)(const char *s);
size_t MODEL(strnlen)(const char *s, size_t max);
int MODEL(strcmp)(const char *a, const char *b);
int MODEL(strncmp)(const char *a, const char *b, size_t n);
int MODEL(strcasecmp)(const char *a, const char *b);
int MODEL(strncasecmp)(const char *a, const char *b, size_t n);
int MODEL(memcmp)(const void *a, const void *b, size_t n);
int MODEL(bcmp)(const void *a, const void *b, size_t n);
void *MODEL(memchr)(const void *s, int c, size_t n);
char *MODEL(strchr)(const char *s, int c);
char *MODEL(strrchr)(const char *s, int c);
char *MODEL(strstr)(const char *s, const char *part);
size_t MODEL(strspn)(const char *s, const char *set);
size_t MODEL(strcspn)(const char *s, const char *set);
char *MODEL(strpbrk)(const char *s, const char *set);
char *MODEL(strchrnul)(const char *s, int c);
void *MODEL(memrchr)(const void *s, int c, size_t n);
char *MODEL(strsep)(char **rest, const char *set);
char *MODEL(strtok)(char *s, const char *set);
char *MODEL(strtok_r)(char *s, const char *set, char **rest);
void *MODEL(memmem)(const void *s, size_t n, const void *part, size_t length);
int MODEL(tolower)(int c);

size_t MODEL(strlen)(const char *s)
{
	if (CONCRETE) return strlen(s);
	size_t n = 0;
	while (s[n]) n++;
	return n;
}

size_t MODEL(strnlen)(const char *s, size_t max)
{
	if (CONCRETE) return strnlen(s, max);
	size_t n = 0;
	while (n < max && s[n]) n++;
	return n;
}

int MODEL(strncmp)(const char *a, const char *b, size_t n)
{
	if (CONCRETE) return strncmp(a, b, n);
	for (size_t i = 0; i < n; i++) {
		unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
		if (x != y) return x - y;
		if (!x) break;
	}
	return 0;
}

int MODEL(strcmp)(const char *a, const char *b)
{
	return CONCRETE ? strcmp(a, b) : MODEL(strncmp)(a, b, SIZE_MAX);
}

int MODEL(strncasecmp)(const char *a, const char *b, size_t n)
{
	if (CONCRETE) return strncasecmp(a, b, n);
	for (size_t i = 0; i < n; i++) {
		int x = MODEL(tolower)((unsigned char)a[i]), y = MODEL(tolower)((unsigned char)b[i]);
		if (x != y) return x - y;
		if (!x) break;
	}
	return 0;
}

int MODEL(strcasecmp)(const char *a, const char *b)
{
	return CONCRETE ? strcasecmp(a, b) : MODEL(strncasecmp)(a, b, SIZE_MAX);
}

int MODEL(memcmp)(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	if (CONCRETE) return memcmp(a, b, n);
	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i]) return x[i] - y[i];
	return 0;
}

int MODEL(bcmp)(const void *a, const void *b, size_t n)
{
	return CONCRETE ? bcmp(a, b, n) : MODEL(memcmp)(a, b, n);
}

void *MODEL(memchr)(const void *s, int c, size_t n)
{
	const unsigned char *bytes = s;
	if (CONCRETE) return memchr(s, c, n);
	for (size_t i = 0; i < n; i++)
		if (bytes[i] == (unsigned char)c) return (void *)(bytes + i);
	return NULL;
}

char *MODEL(strchr)(const char *s, int c)
{
	if (CONCRETE) return strchr(s, c);
	for (;; s++) {
		if (*s == (char)c) return (char *)s;
		if (!*s) return NULL;
	}
}

char *MODEL(strrchr)(const char *s, int c)
{
	const char *last = NULL;
	if (CONCRETE) return strrchr(s, c);
	for (;; s++) {
		if (*s == (char)c) last = s;
		if (!*s) return (char *)last;
	}
}

/* Reports whether `s` begins with `part`. */
static int begins(const char *s, const char *part)
{
	for (; *part; s++, part++)
		if (*s != *part) return 0;
	return 1;
}

char *MODEL(strstr)(const char *s, const char *part)
{
	if (CONCRETE) return strstr(s, part);
	for (;; s++) {
		if (begins(s, part)) return (char *)s;
		if (!*s) return NULL;
	}
}

void *MODEL(memmem)(const void *s, size_t n, const void *part, size_t length)
{
	const char *bytes = s;
	if (CONCRETE) return memmem(s, n, part, length);
	for (; n >= length; bytes++, n--)
		if (MODEL(memcmp)(bytes, part, length) == 0) return (void *)bytes;
	return NULL;
}

/* Reports whether `set` has the character, which is not NUL. */
static int contains(const char *set, char c)
{
	for (; *set; set++)
		if (*set == c) return 1;
	return 0;
}

size_t MODEL(strspn)(const char *s, const char *set)
{
	if (CONCRETE) return strspn(s, set);
	size_t n = 0;
	while (s[n] && contains(set, s[n])) n++;
	return n;
}

size_t MODEL(strcspn)(const char *s, const char *set)
{
	if (CONCRETE) return strcspn(s, set);
	size_t n = 0;
	while (s[n] && !contains(set, s[n])) n++;
	return n;
}

char *MODEL(strpbrk)(const char *s, const char *set)
{
	if (CONCRETE) return strpbrk(s, set);
	s += MODEL(strcspn)(s, set);
	return *s ? (char *)s : NULL;
}

char *MODEL(strchrnul)(const char *s, int c)
{
	if (CONCRETE) return strchrnul(s, c);
	while (*s && *s != (char)c) s++;
	return (char *)s;
}

void *MODEL(memrchr)(const void *s, int c, size_t n)
{
	const unsigned char *bytes = s;
	if (CONCRETE) return memrchr(s, c, n);
	while (n > 0)
		if (bytes[--n] == (unsigned char)c) return (void *)(bytes + n);
	return NULL;
}

char *MODEL(strsep)(char **rest, const char *set)
{
	char *start = *rest;
	if (CONCRETE || !start) return strsep(rest, set);
	char *end = start + MODEL(strcspn)(start, set);
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return start;
}

/* The model has a place of its own to go on from: values may begin to depend on inputs between two calls. */
char *MODEL(strtok)(char *s, const char *set)
{
	static char *rest;
	if (!s && !rest) return NULL;
	return MODEL(strtok_r)(s, set, &rest);
}

char *MODEL(strtok_r)(char *s, const char *set, char **rest)
{
	if (CONCRETE) return strtok_r(s, set, rest);
	if (!s) s = *rest;
	s += MODEL(strspn)(s, set);
	*rest = s + MODEL(strcspn)(s, set);
	if (*rest == s) return NULL;
	if (**rest) *(*rest)++ = '\0';
	return s;
}
