/* SPDX-License-Identifier: MIT
 *
 * A write one past the end of a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: out-of-bounds @here
 */
#include <stdlib.h>

int main(void)
{
	static volatile int size = 10;
	volatile char *block = malloc((size_t)size);
	block[size - 1] = 1;
	block[size] = 1; /* @here */
	free((void *)block);
	return 0;
}
