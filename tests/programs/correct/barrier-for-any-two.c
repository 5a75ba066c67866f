/* SPDX-License-Identifier: MIT
 *
 * Three threads at a barrier for two: whoever comes first meets the second, and main meets the third.
 *
 * expect: optimal 144
 * expect: dfs 360
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t pair;
static atomic_int met;

static void *run(void *arg)
{
	pthread_barrier_wait(&pair);
	atomic_fetch_add(&met, 1);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	pthread_barrier_init(&pair, NULL, 2);
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	pthread_barrier_wait(&pair);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(met == 3);
	pthread_barrier_destroy(&pair);
	return 0;
}
