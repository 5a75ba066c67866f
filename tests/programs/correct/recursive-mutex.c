/* SPDX-License-Identifier: MIT
 *
 * A recursive mutex is locked twice by its holder; others wait for the last unlock.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int value;

static void add(void)
{
	assert(pthread_mutex_lock(&mutex) == 0);
	value++;
	assert(pthread_mutex_unlock(&mutex) == 0);
}

static void *run(void *arg)
{
	(void)arg;
	assert(pthread_mutex_lock(&mutex) == 0);
	add();
	assert(pthread_mutex_trylock(&mutex) == 0);
	add();
	assert(pthread_mutex_unlock(&mutex) == 0);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(value == 4);
	assert(pthread_mutex_destroy(&mutex) == 0);
	return 0;
}
