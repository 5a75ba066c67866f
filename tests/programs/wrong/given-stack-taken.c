/* SPDX-License-Identifier: MIT
 *
 * A thread is created on a stack that another thread has: the program has seen what the other does last, but not waited
 * for its end.
 *
 * flags: -D_GNU_SOURCE
 * varies: states
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @again
 */
#include <pthread.h>
#include <semaphore.h>

static char stack[32768] __attribute__((aligned(64)));
static sem_t done;

static void *post(void *unused)
{
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_attr_t attributes;
	sem_init(&done, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, sizeof stack);
	pthread_create(&a, &attributes, post, NULL);
	sem_wait(&done);
	pthread_create(&b, &attributes, post, NULL); /* @again */
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
