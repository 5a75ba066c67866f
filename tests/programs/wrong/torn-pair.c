/* SPDX-License-Identifier: MIT
 *
 * The same pair written as two 64-bit atomics: a reader can see half of it.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @torn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long low, high;

static void *write_pair(void *arg)
{
	(void)arg;
	atomic_store(&low, 7);
	atomic_store(&high, 7);
	return NULL;
}

static void *read_pair(void *arg)
{
	(void)arg;
	long l = atomic_load(&low), h = atomic_load(&high);
	assert(l == h); /* @torn */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, write_pair, NULL);
	pthread_create(&threads[1], NULL, read_pair, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
