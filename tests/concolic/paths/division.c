/* SPDX-License-Identifier: MIT
 *
 * The divisor is 0; or the quotient is 12; or it is not.
 *
 * expect: all 3
 * finding: crash
 */
#include <mazurka.h>

int main(void)
{
	unsigned char a, b;
	mz_symbolic(&a, sizeof a, "a");
	mz_symbolic(&b, sizeof b, "b");
	volatile int quotient = (signed char)a / (signed char)b;
	if (quotient == 12) quotient = 0;
	return 0;
}
