/* SPDX-License-Identifier: MIT
 *
 * Texts are printed that are not there any more or do not end; words and numbers are scanned beyond the end of blocks.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -U_FORTIFY_SOURCE -Wno-format-overflow -Wno-stringop-overread -Wno-use-after-free
 * finding: use-after-free @freed
 * finding: out-of-bounds @endless
 * finding: out-of-bounds @precision
 * finding: out-of-bounds @printed
 * finding: out-of-bounds @position
 * finding: out-of-bounds @word
 * finding: out-of-bounds @set
 * finding: out-of-bounds @bytes
 * finding: out-of-bounds @number
 * finding: out-of-bounds @strtol
 * finding: out-of-bounds @token
 * finding: out-of-bounds @sorted
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t four = 4;
long number;

__attribute__((noinline)) static char *block(const char *text)
{
	char *made = malloc(four);
	memcpy(made, text, four);
	__asm__ volatile("" : "+r"(made) : : "memory");
	return made;
}

static int compare(const void *a, const void *b)
{
	return (a > b) - (a < b); /* as they are */
}

int main(void)
{
	char printed[40], *rest, *freed = block("abc");
	free(freed);
	__asm__ volatile("" : "+r"(freed));
	printf("%d: %s\n", 1, freed);                             /* @freed */
	fprintf(stderr, "%s-%d", block("abcd"), 1);               /* @endless */
	snprintf(printed, sizeof printed, "%.5s", block("wxyz")); /* @precision */
	sprintf(printed, "%c%s", 'x', block("abcd"));             /* @printed */
	printf("x%ln\n", (long *)block("abc"));                   /* @position */
	sscanf("word", "%s", block("abc"));                       /* @word */
	sscanf("aaaa", "%[a]", block("abc"));                     /* @set */
	sscanf("fives", "%5c", block("abc"));                     /* @bytes */
	sscanf("12", "%ld", (long *)block("abc"));                /* @number */
	number = strtol(block("1234"), NULL, 10);                 /* @strtol */
	strtok_r(block("abcd"), ",", &rest);                      /* @token */
	qsort(block("dcba"), four + 1, 1, compare);               /* @sorted */
	return 0;
}
