/* SPDX-License-Identifier: MIT
 *
 * Two threads add 1 twice each, atomically: nothing is lost.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *run(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) atomic_fetch_add(&counter, 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(atomic_load(&counter) == 4);
	return 0;
}
