/* SPDX-License-Identifier: MIT
 *
 * A mutex is unlocked by a thread that does not hold it: held by main, or free already.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @here
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	(void)arg;
	pthread_mutex_unlock(&mutex); /* @here */
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&mutex);
	return 0;
}
