/* SPDX-License-Identifier: MIT
 *
 * Bytes that are put back into standard input. One that depends on nothing makes no path; one that is more by 1 than the
 * first byte is 'q' or not; one that was read from the stream is that byte again, and what is behind it is the next. So
 * there is no byte; the first makes a 'q'; there is no second; there is no third; the third is 'z'; or another.
 *
 * expect: all 6
 * finding: assertion
 * options: --symbolic-stdin 3
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	int first = getchar();
	if (first == EOF) return 0;
	ungetc(0, stdin);
	if (getchar() == 'x') return 1; /* never */
	ungetc((unsigned char)(first + 1), stdin);
	if (getchar() == 'q') return 0;
	char text[2];
	int got = (int)fread(text, 1, 1, stdin);
	if (got == 0) return 0;
	ungetc((unsigned char)text[0], stdin);
	assert(fread(text, 1, 2, stdin) != 2 || text[1] != 'z');
	return 0;
}
