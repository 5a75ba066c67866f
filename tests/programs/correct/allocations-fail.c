/* SPDX-License-Identifier: MIT
 *
 * Every kind of allocation may fail, and says so as it should.
 *
 * expect: optimal 32
 * expect: dfs 32
 * options: --fail malloc,calloc,realloc,aligned_alloc,strdup
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void *seen(void *block)
{
	__asm__ volatile("" : "+r"(block) : : "memory");
	return block;
}

int main(void)
{
	errno = 0;
	char *block = seen(malloc(10));
	assert(block || errno == ENOMEM);
	errno = 0;
	char *zeros = seen(calloc(2, 5));
	assert(zeros || errno == ENOMEM);
	errno = 0;
	char *more = seen(realloc(zeros, 20));
	assert(more || errno == ENOMEM);
	if (zeros && !more) assert(zeros[9] == 0); /* it is still there */
	errno = 0;
	char *aligned = seen(aligned_alloc(64, 64));
	assert(aligned || errno == ENOMEM);
	errno = 0;
	char *copy = seen(strdup("text"));
	assert(copy ? strcmp(copy, "text") == 0 : errno == ENOMEM);
	free(block);
	free(more ? more : zeros);
	free(aligned);
	free(copy);
	return 0;
}
