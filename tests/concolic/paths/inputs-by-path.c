/* SPDX-License-Identifier: MIT
 *
 * What the second input is, and how large, depends on the first one.
 *
 * expect: all 4
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	unsigned char x;
	mz_symbolic(&x, sizeof x, "x");
	if (x & 1) {
		int y;
		mz_symbolic(&y, sizeof y, "y");
		assert(y != 5);
	} else {
		short z;
		mz_symbolic(&z, sizeof z, "z");
		if (z == 6) return 0;
	}
	return 0;
}
