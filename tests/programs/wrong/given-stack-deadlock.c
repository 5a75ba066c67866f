/* SPDX-License-Identifier: MIT
 *
 * Two threads on given stacks take two locks, one of which lies on such a stack, in different orders.
 *
 * flags: -D_GNU_SOURCE
 * varies: states
 * expect: optimal 3
 * expect: dfs 6
 * finding: deadlock
 */
#include <pthread.h>
#include <stdlib.h>

#define SIZE 32768

static pthread_mutex_t *lent, known = PTHREAD_MUTEX_INITIALIZER;
static pthread_t other;

static void create(pthread_t *thread, void *(*function)(void *), void *stack)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, SIZE);
	pthread_create(thread, &attributes, function, NULL);
}

static void *backwards(void *unused)
{
	pthread_mutex_lock(&known);
	pthread_mutex_lock(lent);
	pthread_mutex_unlock(lent);
	pthread_mutex_unlock(&known);
	return unused;
}

static void *forwards(void *unused)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	void *stack = malloc(SIZE);
	lent = &own;
	create(&other, backwards, stack);
	pthread_mutex_lock(&own);
	pthread_mutex_lock(&known);
	pthread_mutex_unlock(&known);
	pthread_mutex_unlock(&own);
	pthread_join(other, NULL);
	free(stack);
	return unused;
}

int main(void)
{
	static char stack[SIZE] __attribute__((aligned(64)));
	pthread_t thread;
	create(&thread, forwards, stack);
	pthread_join(thread, NULL);
	return 0;
}
