/* SPDX-License-Identifier: MIT
 *
 * A write one past the end of a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: out-of-bounds @here
 */
#include <stdlib.h>

__attribute__((noinline)) static void fill(char *block, int size)
{
	for (int i = 0; i <= size; i++) block[i] = 1; /* @here */
}

int main(void)
{
	char *block = malloc(10);
	fill(block, 10);
	free(block);
	return 0;
}
