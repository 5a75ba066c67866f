/* SPDX-License-Identifier: MIT
 *
 * A mutex is destroyed by somebody who was told so after the last one had unlocked it.
 *
 * expect: optimal 2
 * expect: dfs 4
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex;
atomic_int items;

static void *produce(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	atomic_store(&items, 1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_init(&mutex, NULL);
	pthread_create(&thread, NULL, produce, NULL);
	while (!atomic_load(&items)) {}
	pthread_mutex_destroy(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
