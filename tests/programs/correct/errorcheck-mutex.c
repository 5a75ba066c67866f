/* SPDX-License-Identifier: MIT
 *
 * A mutex that checks answers misuse with an error, which the program handles.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *run(void *arg)
{
	(void)arg;
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	assert(pthread_mutex_lock(&mutex) == 0);
	assert(pthread_mutex_lock(&mutex) == EDEADLK);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&mutex, &attributes);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
