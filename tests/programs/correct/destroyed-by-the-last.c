/* SPDX-License-Identifier: MIT
 *
 * A barrier is destroyed by the one who is told so, while the others may not have left it; a condition by who has woken
 * all that waited.
 *
 * expect: optimal 2
 * expect: dfs 8
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting, woken;

static void *work(void *unused)
{
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		assert(pthread_barrier_destroy(&barrier) == 0);
	pthread_mutex_lock(&mutex);
	if (++waiting == 1) {
		while (!woken) pthread_cond_wait(&changed, &mutex);
	} else {
		woken = 1;
		pthread_cond_broadcast(&changed);
		assert(pthread_cond_destroy(&changed) == 0);
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
