/* SPDX-License-Identifier: MIT
 *
 * Two consumers, two items, one signal: the second who waits is not woken.
 *
 * expect: optimal 10
 * expect: dfs 10
 * findings: deadlock
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	while (items == 0) pthread_cond_wait(&condition, &mutex);
	assert(items-- > 0);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *producer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	items = 2;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, consumer, NULL);
	pthread_create(&threads[1], NULL, consumer, NULL);
	pthread_create(&threads[2], NULL, producer, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
