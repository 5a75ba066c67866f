/* SPDX-License-Identifier: MIT
 *
 * A function calls itself as often as the input says: up to seven times.
 *
 * expect: all 8
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

static int depth(unsigned n)
{
	if (n == 0) return 0;
	return 1 + depth(n - 1);
}

int main(void)
{
	unsigned char n;
	mz_symbolic(&n, sizeof n, "n");
	assert(depth(n & 7) < 7);
	return 0;
}
