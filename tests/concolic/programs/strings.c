/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library on text that depends on the input.
 */
#include "checker.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void compared(const char *s, const char *t)
{
	observe(strlen(s));
	observe(strnlen(s, 3));
	observe((uint64_t)(strcmp(s, t) > 0) + 2 * (uint64_t)(strcmp(s, "key") == 0));
	observe((uint64_t)(strncmp(s, t, 2) < 0));
	observe((uint64_t)(strcasecmp(s, "Ab") > 0) + (strncasecmp(s, t, 2) == 0));
	observe((uint64_t)(memcmp(s, t, 3) > 0));
	observe(bcmp(s, t, 2) == 0);
}

static void searched(const char *s)
{
	const char *at = strchr(s, 'a'), *last = strrchr(s, 'a'), *part = strstr(s, "ab"), *any = strpbrk(s, "+-");
	const void *zero = memchr(s, 0, 4);
	observe((uint64_t)(at ? at - s : -1));
	observe((uint64_t)(last ? last - s : -1));
	observe((uint64_t)(part ? part - s : -1));
	observe((uint64_t)(any ? any - s : -1));
	observe((uint64_t)(zero ? (const char *)zero - s : -1));
	observe(strspn(s, "abc"));
	observe(strcspn(s, "xyz"));
}

static void copied(const char *s)
{
	char a[16], b[16];
	strcpy(a, s);
	strcat(a, "!");
	strncpy(b, a, 4);
	b[4] = 0;
	strncat(b, s, 2);
	char *end = stpcpy(b + 8, "x"), *copy = strdup(s), *less = strndup(s, 2);
	observe((uint64_t)a[1] + (uint64_t)b[2] + (uint64_t)copy[0] + (uint64_t)less[1] + (uint64_t)(end - b));
	free(copy);
	free(less);
}

static void cut(const char *s)
{
	char a[8], b[8], *rest, *last = b;
	strcpy(a, s);
	strcpy(b, s);
	for (char *part = strtok_r(a, "a,", &rest); part; part = strtok_r(NULL, "a,", &rest)) observe(strlen(part));
	for (char *part; (part = strsep(&last, "b;"));) observe(strlen(part));
	strcpy(a, s);
	for (char *part = strtok(a, "ab"); part; part = strtok(NULL, "ab")) observe(strlen(part));
	const char *middle = memmem(s, 5, "ca", 2);
	observe((uint64_t)(middle ? middle - s : -1));
	observe((uint64_t)(strchrnul(s, 'c') - s));
	const char *found = memrchr(s, 'c', 4);
	observe((uint64_t)(found ? found - s : -1));
}

static void of_kind(int c)
{
	observe((uint64_t)(!!isalnum(c) + 2 * !!isalpha(c) + 4 * !!isblank(c) + 8 * !!iscntrl(c) + 16 * !!isdigit(c) +
	                   32 * !!isgraph(c) + 64 * !!islower(c) + 128 * !!isprint(c) + 256 * !!ispunct(c) +
	                   512 * !!isspace(c) + 1024 * !!isupper(c) + 2048 * !!isxdigit(c)));
	observe((uint64_t)(tolower(c) + 256 * toupper(c)));
}

static void numbers(const char *s)
{
	char *end;
	observe((uint64_t)strtol(s, &end, 0));
	observe((uint64_t)(end - s));
	observe((uint64_t)atoi(s));
	observe((uint64_t)atol(s) + (uint64_t)atoll(s));
	observe(strtoul(s, NULL, 16));
	observe((uint64_t)abs(s[0] - s[1]) + (uint64_t)labs(s[0]));
}

void test(void)
{
	char s[6], t[4], digits[5];
	INPUT(s);
	INPUT(t);
	INPUT(digits);
	s[5] = t[3] = digits[4] = 0;
	compared(s, t);
	searched(s);
	copied(s);
	cut(s);
	of_kind((unsigned char)t[0]);
	numbers(s);
	for (int i = 0; i < 4; i++) digits[i] = (char)('0' + (digits[i] & 15) % 11);
	numbers(digits);
}
