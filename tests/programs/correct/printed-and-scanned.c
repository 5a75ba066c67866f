/* SPDX-License-Identifier: MIT
 *
 * Formats of every kind print what they always print and read what they always read; texts need no end where a
 * precision gives one, and what is scanned into new memory is freed like any other.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -Wno-format
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text; /* on the heap, so that all of it is looked at */

static void prints(const char *wanted, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	assert(vsprintf(text, format, arguments) == (int)strlen(wanted));
	va_end(arguments);
	assert(strcmp(text, wanted) == 0);
}

static void print(void)
{
	char *four = malloc(4);
	int so_far = 0;
	memcpy(four, "abcd", 4);
	prints("1  2.50 str", "%d %5.2f %s", 1, 2.5, "str");
	prints("abcd ab|ab    |x%", "%.4s %.*s|%-*s|%c%%%n", four, 2, four, 6, "ab", 'x', &so_far);
	assert(so_far == 17);
	prints("1.5 5 7 9 3 4", "%.1Lf %lld %zu %jd %hhd %ld", 1.5L, 5LL, (size_t)7, (intmax_t)9, 259, 4L);
	prints("b-a", "%2$s-%1$s", "a", "b");
	prints("wide (null)", "%ls %s", L"wide", (char *)NULL);
	assert(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
	free(four);
}

static void scan(void)
{
	int whole = 0, position = 0;
	short small = 0;
	float fraction = 0;
	double longer = 0;
	char word[5], letter, *made = NULL;
	assert(sscanf("12 1.5 2.5 word x abc]", "%d %f %lf %4s %c %[abc]%n", &whole, &fraction, &longer, word, &letter,
	              text, &position) == 6);
	assert(whole == 12 && fraction == 1.5F && longer == 2.5 && strcmp(word, "word") == 0 && letter == 'x');
	assert(strcmp(text, "abc") == 0 && position == 21);
	assert(sscanf("7 8 made] by", "%*d %hd %m[]adem] %s", &small, &made, text) == 3);
	assert(small == 8 && strcmp(made, "made]") == 0 && strcmp(text, "by") == 0);
	free(made);
	assert(sscanf("", "%d", &whole) == EOF && sscanf("x", "%d", &whole) == 0);
}

static int descends(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

int main(void)
{
	char *end, *rest, *digits = malloc(3);
	int items[3] = {2, 3, 1};
	text = malloc(40);
	print();
	scan();
	memcpy(digits, "12,", 3); /* a number ends where it ends */
	assert(strtol(digits, &end, 10) == 12 && end == digits + 2 && atoi(digits) == 12 && strtod(digits, NULL) == 12);
	strcpy(text, "a,b,,c");
	assert(strcmp(strtok_r(text, ",", &rest), "a") == 0 && strcmp(strsep(&rest, ","), "b") == 0);
	assert(strcmp(strtok_r(NULL, ",", &rest), "c") == 0 && strtok_r(NULL, ",", &rest) == NULL);
	qsort(items, 3, sizeof *items, descends);
	assert(items[0] == 3 && items[1] == 2 && items[2] == 1);
	free(digits);
	free(text);
	return 0;
}
