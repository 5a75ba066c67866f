/* SPDX-License-Identifier: MIT
 *
 * A thread ends with a robust mutex: the next one is told so and puts in order what it protects.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int half;

static void *dies(void *arg)
{
	(void)arg;
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
	half = 1;
	return NULL;
}

static void *repairs(void *arg)
{
	(void)arg;
	int status = pthread_mutex_lock(&mutex);
	assert(status == 0 || status == EOWNERDEAD);
	if (status) {
		assert(half == 1);
		half = 0;
		assert(pthread_mutex_consistent(&mutex) == 0);
	}
	assert(half == 0);
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
	pthread_create(&threads[1], NULL, repairs, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
