/* SPDX-License-Identifier: MIT
 *
 * Memory is released that a thread has as its stack: the program has seen what the thread does last, but not waited for
 * its end.
 *
 * flags: -D_GNU_SOURCE
 * varies: states
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t done;

static void *post(void *unused)
{
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_attr_t attributes;
	char *stack = malloc(32768);
	sem_init(&done, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, 32768);
	pthread_create(&a, &attributes, post, NULL);
	sem_wait(&done);
	free(stack); /* @free */
	pthread_join(a, NULL);
	return 0;
}
