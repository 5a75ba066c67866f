/* SPDX-License-Identifier: MIT
 *
 * A parser of numbers of up to three digits. At each of three bytes it ends, meets a byte below the digits or one above,
 * or goes on: 3 * 3 + 1. Only three digits can be 137, which makes one more.
 *
 * expect: all 11
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

static int parse(const unsigned char *s)
{
	int n = 0;
	for (int i = 0; i < 3 && s[i]; i++) {
		if (s[i] < '0') return -1;
		if (s[i] > '9') return -1;
		n = n * 10 + s[i] - '0';
	}
	assert(n != 137);
	return n;
}

int main(void)
{
	unsigned char s[3];
	mz_symbolic(s, sizeof s, "s");
	parse(s);
	return 0;
}
