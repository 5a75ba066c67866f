/* SPDX-License-Identifier: MIT
 *
 * A barrier for two that a third thread waits at as well: who meets whom depends on who comes first, and the one that
 * is left over waits for ever.
 *
 * expect: optimal 8
 * expect: dfs 23
 * finding: assertion @partner
 * findings: deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t pair;
static atomic_int ready;

static void *prepare(void *arg)
{
	atomic_store(&ready, 1);
	pthread_barrier_wait(&pair);
	return arg;
}

static void *intrude(void *arg)
{
	pthread_barrier_wait(&pair);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&pair, NULL, 2);
	pthread_create(&threads[0], NULL, prepare, NULL);
	pthread_create(&threads[1], NULL, intrude, NULL);
	pthread_barrier_wait(&pair);
	assert(atomic_load(&ready)); /* @partner */
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
