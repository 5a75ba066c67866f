/* SPDX-License-Identifier: MIT
 *
 * Whether a queue is closed is looked at before the mutex is taken: an item may end up in a queue that nobody empties
 * any more.
 *
 * expect: optimal 3
 * expect: dfs 5
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int closed;
int queued, taken, accepted;

static void *push(void *unused)
{
	if (atomic_load(&closed)) return unused;
	pthread_mutex_lock(&mutex);
	queued++;
	accepted++;
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
	assert(taken == accepted); /* @here */
	return 0;
}
