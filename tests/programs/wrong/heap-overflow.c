/* SPDX-License-Identifier: MIT
 *
 * A write one past the end of a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: out-of-bounds @here
 */
#include <stdlib.h>

int size = 10; /* not static: the compiler does not know that nobody changes it */
char *kept;

int main(void)
{
	char *block = kept = malloc((size_t)size);
	block[size - 1] = 1;
	block[size] = 1; /* @here */
	free(block);
	return 0;
}
