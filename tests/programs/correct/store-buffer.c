/* SPDX-License-Identifier: MIT
 *
 * Dekker's test: with sequentially consistent atomics at least one thread sees the other's store.
 *
 * expect: optimal 3
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int saw_x, saw_y;

static void *run_x(void *arg)
{
	(void)arg;
	atomic_store(&x, 1);
	saw_y = atomic_load(&y);
	return NULL;
}

static void *run_y(void *arg)
{
	(void)arg;
	atomic_store(&y, 1);
	saw_x = atomic_load(&x);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_x, NULL);
	pthread_create(&threads[1], NULL, run_y, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(saw_x || saw_y);
	return 0;
}
