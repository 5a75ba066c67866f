/* SPDX-License-Identifier: MIT
 *
 * A read before the start of a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: out-of-bounds @here
 */
#include <stdlib.h>

int found;

__attribute__((noinline)) static int last_below(const int *sorted, int n, int value)
{
	while (sorted[n - 1] > value) n--; /* @here */
	return n;
}

int main(void)
{
	int *sorted = calloc(2, sizeof *sorted);
	sorted[0] = 5;
	sorted[1] = 7;
	found = last_below(sorted, 2, 3);
	free(sorted);
	return 0;
}
