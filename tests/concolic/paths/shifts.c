/* SPDX-License-Identifier: MIT
 *
 * Shifts of signed numbers. Negative or not, with low bits or without; if negative, the high bits are 1010 or not: 4 + 2.
 *
 * expect: all 6
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <stdint.h>

int main(void)
{
	int32_t v;
	int low = 0;
	mz_symbolic(&v, sizeof v, "v");
	if (v >> 31 == -1) low += 0;
	if ((int32_t)((uint32_t)(v >> 4) << 4) == v) low = 1;
	if ((uint32_t)v >> 28 == 0xa) {
		assert(v >> 28 == -6);
		assert(low == 0);
	}
	return 0;
}
