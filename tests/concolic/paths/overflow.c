/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of 64 bits. With the highest bit, three times a always overflows, and may be 7 (2 ways); without, it overflows
 * and cannot be 7, or does not overflow.
 *
 * expect: all 4
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <stdint.h>

int main(void)
{
	uint64_t a, r;
	mz_symbolic(&a, sizeof a, "a");
	int high = a + 0x8000000000000000 < a;
	if (high) assert((int64_t)a < 0);
	if (!__builtin_mul_overflow(a, (uint64_t)3, &r)) return 0;
	assert(r != 7);
	return 0;
}
