/* SPDX-License-Identifier: MIT
 *
 * The last byte has to be the sum of the others: it is not; it is, and the first byte is A or not.
 *
 * expect: all 3
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char s[4], sum = 0;
	mz_symbolic(s, sizeof s, "s");
	for (int i = 0; i < 3; i++) sum += s[i];
	if (sum != s[3]) return 0;
	assert(s[0] != 'A');
	return 0;
}
