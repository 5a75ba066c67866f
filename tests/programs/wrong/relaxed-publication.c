/* SPDX-License-Identifier: MIT
 *
 * The same with relaxed atomics: the flag does not order the value.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @write|@read
 * unseen: data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *writer(void *arg)
{
	(void)arg;
	value = 42; /* @write */
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(value == 42); /* @read */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
