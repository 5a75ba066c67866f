/* SPDX-License-Identifier: MIT
 *
 * A block of memory moves with what depends on inputs in it; one that is allocated anew, in the same place, has nothing.
 *
 * expect: all 2
 * options: --heap reuse
 */
#include <assert.h>
#include <mazurka.h>
#include <stdlib.h>

int main(void)
{
	char *block = malloc(8);
	mz_symbolic(block, 8, "block");
	block = realloc(block, 64);
	block[7]++;
	if (block[7] == 'y') return 0;
	free(block);
	block = calloc(1, 64);
	assert(block[7] == 0);
	free(block);
	return 0;
}
