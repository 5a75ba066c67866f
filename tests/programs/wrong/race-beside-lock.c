/* SPDX-License-Identifier: MIT
 *
 * One of two threads forgets the mutex. The race is there whichever of them comes first.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @locked|@forgotten
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

static void *with_lock(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	value = 1; /* @locked */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *without_lock(void *arg)
{
	(void)arg;
	value = 2; /* @forgotten */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, with_lock, NULL);
	pthread_create(&threads[1], NULL, without_lock, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
