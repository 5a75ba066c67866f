/* SPDX-License-Identifier: MIT
 *
 * Who gets a robust mutex of a dead thread and gives it back as it is spoils it for good.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: assertion @lock
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *dies(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	return NULL;
}

static void *next(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	pthread_create(&threads[0], NULL, dies, NULL);
	pthread_create(&threads[1], NULL, next, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(pthread_mutex_lock(&mutex) == 0); /* @lock */
	return 0;
}
