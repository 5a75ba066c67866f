/* SPDX-License-Identifier: MIT
 *
 * Readers count themselves in and out under a mutex; the writer has the mutex and waits until nobody reads.
 *
 * expect: optimal 3
 * expect: dfs 7
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int readers, writing;

static void *reader(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_fetch_add(&readers, 1);
	pthread_mutex_unlock(&mutex);
	assert(!atomic_load(&writing));
	atomic_fetch_sub(&readers, 1);
	return unused;
}

static void *writer(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (atomic_load(&readers)) {}
	atomic_store(&writing, 1);
	atomic_store(&writing, 0);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
