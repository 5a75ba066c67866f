/* SPDX-License-Identifier: MIT
 *
 * Two threads allocate and free blocks of the same size, which go from one to the other; and of another size, which do
 * not matter to them. What is handed out again is ordered behind what was done with it before.
 *
 * expect: optimal 24
 * expect: dfs 34650
 * options: --heap reuse
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* Compilers know what malloc is, and leave out what is not used. */
static void *seen(void *block)
{
	__asm__ volatile("" : "+r"(block) : : "memory");
	return block;
}

static void *pair(void *arg)
{
	int *a = seen(malloc(24)), *b = seen(malloc(20));
	*a = *b = 1;
	assert(a != b);
	free(a);
	free(b);
	return arg;
}

static void *other(void *arg)
{
	char *block = seen(calloc(1, 100));
	assert(block[99] == 0);
	block[99] = 1;
	free(block);
	block = seen(calloc(1, 98));
	assert(block[97] == 0);
	block = realloc(block, 110);
	block[109] = 1;
	free(block);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, pair, NULL);
	pthread_create(&threads[1], NULL, pair, NULL);
	pthread_create(&threads[2], NULL, other, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
