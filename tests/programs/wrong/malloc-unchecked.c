/* SPDX-License-Identifier: MIT
 *
 * Two threads allocate; one of them does not look whether it got something.
 *
 * expect: optimal 4
 * expect: dfs 8
 * options: --fail malloc
 * finding: crash @here
 */
#include <pthread.h>
#include <stdlib.h>

/* Compilers know what malloc is, and leave out what is not used. */
static int *seen(int *block)
{
	__asm__ volatile("" : "+r"(block) : : "memory");
	return block;
}

static void *careless(void *arg)
{
	int *block = seen(malloc(sizeof *block));
	*block = 1; /* @here */
	free(seen(block));
	return arg;
}

static void *careful(void *arg)
{
	int *block = seen(malloc(sizeof *block));
	if (block) *block = 1;
	free(seen(block));
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, careless, NULL);
	pthread_create(&threads[1], NULL, careful, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
