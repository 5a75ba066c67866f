/* SPDX-License-Identifier: MIT
 *
 * Two threads add 1 with a load and a store: an addition can be lost.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @lost
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *run(void *arg)
{
	(void)arg;
	int seen = atomic_load(&counter);
	atomic_store(&counter, seen + 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(atomic_load(&counter) == 2); /* @lost */
	return 0;
}
