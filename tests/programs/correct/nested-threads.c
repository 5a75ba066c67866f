/* SPDX-License-Identifier: MIT
 *
 * Threads create threads and join them.
 *
 * expect: optimal 56
 * expect: dfs 80
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *leaf(void *arg)
{
	(void)arg;
	atomic_fetch_add(&value, 1);
	return NULL;
}

static void *branch(void *arg)
{
	(void)arg;
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, leaf, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(value >= 2);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, branch, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return value != 4;
}
