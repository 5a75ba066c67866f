/* SPDX-License-Identifier: MIT
 *
 * One value out of ten is wrong.
 *
 * expect: optimal 10
 * expect: dfs 10
 * finding: assertion @seven
 */
#include <assert.h>
#include <mazurka.h>

int main(void)
{
	assert(mz_choose(10) != 7 || !mz_exploring()); /* @seven */
	return 0;
}
