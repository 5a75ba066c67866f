/* SPDX-License-Identifier: MIT
 *
 * A queue that is closed takes nothing: whether it is, is known where the item is put in.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int closed;
int queued, taken, accepted;

static void *push(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (!atomic_load(&closed)) {
		queued++;
		accepted++;
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *close_and_drain(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_store(&closed, 1);
	taken += queued;
	queued = 0;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, push, NULL);
	pthread_create(&threads[1], NULL, close_and_drain, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(taken == accepted);
	return 0;
}
