/* SPDX-License-Identifier: MIT
 *
 * A thread exits with a mutex that no cleanup handler gives back.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: deadlock @lock
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *leaves(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	pthread_exit(NULL);
	return NULL;
}

static void *locks(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex); /* @lock */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, leaves, NULL);
	pthread_create(&threads[1], NULL, locks, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
