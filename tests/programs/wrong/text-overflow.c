/* SPDX-License-Identifier: MIT
 *
 * Functions that write text do so beyond the end of blocks, or read where none ends.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -U_FORTIFY_SOURCE -Wno-format-overflow -Wno-stringop-overflow -Wno-stringop-overread
 * finding: out-of-bounds @sprintf
 * finding: out-of-bounds @snprintf
 * finding: out-of-bounds @stpncpy
 * finding: out-of-bounds @strcat
 * finding: out-of-bounds @memccpy
 * finding: out-of-bounds @strcasecmp
 * finding: out-of-bounds @strspn
 * finding: out-of-bounds @asprintf
 * finding: out-of-bounds @bzero
 * finding: out-of-bounds @fputs
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int result;
size_t five = 5, more = 8;

__attribute__((noinline)) static char *block(const char *text)
{
	char *made = malloc(five);
	strncpy(made, text, five);
	__asm__ volatile("" : "+r"(made) : : "memory");
	return made;
}

int main(void)
{
	char *text = "text and more";
	__asm__ volatile("" : "+r"(text));
	sprintf(block(""), "%d", 12345);               /* @sprintf */
	snprintf(block(""), more, "%s", "123456");     /* @snprintf */
	stpncpy(block(""), "1", five + 1);             /* @stpncpy */
	strcat(block("12"), "345");                    /* @strcat */
	memccpy(block(""), text, 'a', 20);             /* @memccpy */
	result += strcasecmp(block("12345"), "12345"); /* @strcasecmp */
	result += (int)strspn("1", block("12345"));    /* @strspn */
	char *made = NULL;
	if (asprintf(&made, "%d", 123) != 3) return 1;
	made[five - 1] = 1;            /* @asprintf */
	bzero(block(""), five + 1);    /* @bzero */
	fputs(block("12345"), stdout); /* @fputs */
	return 0;
}
