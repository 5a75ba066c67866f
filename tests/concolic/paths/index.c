/* SPDX-License-Identifier: MIT
 *
 * A table is indexed by an input, twice: a path for each of 30 values, because the second index follows from the first, and
 * one for inputs below and one for those above. The highest value fails.
 *
 * expect: all 32
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>

static const signed char table[31] = {[3] = 7, [8] = 7, [29] = 7, [30] = 1};

int main(void)
{
	int i;
	mz_symbolic(&i, sizeof i, "i");
	if (i < -10) return 0;
	if (i >= 20) return 0;
	assert(table[i + 10] != 7 || table[i + 11] != 1);
	return 0;
}
