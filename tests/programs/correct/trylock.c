/* SPDX-License-Identifier: MIT
 *
 * A thread that does not get the mutex does something else. The failed attempt only reads.
 *
 * expect: optimal 3
 * expect: dfs 3
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *locks(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	value++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *tries(void *arg)
{
	(void)arg;
	int status = pthread_mutex_trylock(&mutex);
	if (status) {
		assert(status == EBUSY);
		return NULL;
	}
	value++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, locks, NULL);
	pthread_create(&threads[1], NULL, tries, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(value == 1 || value == 2);
	return 0;
}
