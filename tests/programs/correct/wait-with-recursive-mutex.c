/* SPDX-License-Identifier: MIT
 *
 * A wait gives up a recursive mutex that is held once.
 *
 * expect: optimal 2
 * expect: dfs 4
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	while (!ready) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attributes);
	pthread_create(&thread, NULL, waits, NULL);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&condition);
	pthread_join(thread, NULL);
	return 0;
}
