/* SPDX-License-Identifier: MIT
 *
 * Conditions inside of others. a < 10: three ways, two of them where b < a; else two.
 *
 * expect: all 5
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char a, b;
	mz_symbolic(&a, sizeof a, "a");
	mz_symbolic(&b, sizeof b, "b");
	if (a < 10) {
		if (b < a) assert(a + b != 15);
	} else if (b == 200) {
		return 0;
	}
	return 0;
}
