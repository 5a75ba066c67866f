/* SPDX-License-Identifier: MIT
 *
 * free of an address inside a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <stdlib.h>

int main(void)
{
	static volatile int middle = 16;
	char *block = malloc(64);
	free(block + middle); /* @here */
	free(block);
	return 0;
}
