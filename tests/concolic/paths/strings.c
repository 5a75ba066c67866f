/* SPDX-License-Identifier: MIT
 *
 * A string of up to five bytes: six lengths. One of length 3 differs from a name in the first byte, the second, the third,
 * or not at all: 5 + 4. The name has the hash that memcmp() finds.
 *
 * expect: all 9
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <string.h>

int main(void)
{
	char s[6];
	mz_symbolic(s, sizeof s - 1, "s");
	s[5] = 0;
	if (strlen(s) != 3) return 0;
	if (strcmp(s, "abc") != 0) return 0;
	assert(memcmp(s, "abc", 4) != 0);
	return 0;
}
