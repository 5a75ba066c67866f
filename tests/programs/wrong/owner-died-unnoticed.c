/* SPDX-License-Identifier: MIT
 *
 * A thread does not look at what its wait for a condition returns: the one that signalled has ended with the mutex, and
 * when it is given back as it is nobody gets it any more.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @lock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
	(void)arg;
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
	while (!ready) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	assert(pthread_mutex_lock(&mutex) == 0); /* @lock */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *dies(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, dies, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
