/* SPDX-License-Identifier: MIT
 *
 * Executions that are dropped do not count: three values are left.
 *
 * expect: all 3
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char x;
	mz_symbolic(&x, sizeof x, "x");
	mz_assume(x < 3);
	switch (x) {
	case 0: return 0;
	case 1: return 0;
	default: assert(x == 2);
	}
	return 0;
}
