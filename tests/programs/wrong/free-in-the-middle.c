/* SPDX-License-Identifier: MIT
 *
 * free of an address inside a block.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <stdlib.h>

int middle = 16; /* not static: the compiler does not know that nobody changes it */
char *kept;

int main(void)
{
	char *block = kept = malloc(64);
	free(block + middle); /* @here */
	free(block);
	return 0;
}
