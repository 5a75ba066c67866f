/* SPDX-License-Identifier: MIT
 *
 * Who waits for a condition with a robust mutex is told when it wakes up that the thread which signalled has ended with
 * it.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, repaired;

static int look(int status)
{
	if (status != EOWNERDEAD) return status;
	repaired++;
	return pthread_mutex_consistent(&mutex);
}

static void *waits(void *arg)
{
	(void)arg;
	assert(look(pthread_mutex_lock(&mutex)) == 0);
	while (!ready) assert(look(pthread_cond_wait(&condition, &mutex)) == 0);
	assert(repaired == 1);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

static void *dies(void *arg)
{
	(void)arg;
	assert(pthread_mutex_lock(&mutex) == 0);
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
	assert(pthread_mutex_consistent(&mutex) == EINVAL);
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, dies, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
