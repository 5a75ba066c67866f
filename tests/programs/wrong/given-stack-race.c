/* SPDX-License-Identifier: MIT
 *
 * A variable on a stack that the program gave a thread is shared like any other: its owner and another thread write to
 * it, and nothing orders the two.
 *
 * flags: -D_GNU_SOURCE
 * varies: states
 * expect: optimal 2
 * expect: dfs 3
 * unseen: data-race
 * finding: data-race @owner
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static char stack[32768] __attribute__((aligned(64)));
static int *_Atomic place;
static sem_t over;

static void *own(void *unused)
{
	int own = 0;
	place = &own;
	own = 1; /* @owner */
	sem_wait(&over);
	return unused;
}

static void *borrow(void *unused)
{
	int *borrowed = place;
	if (borrowed) *borrowed = 2; /* @owner */
	sem_post(&over);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, sizeof stack);
	pthread_create(&a, &attributes, own, NULL);
	pthread_create(&b, NULL, borrow, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
