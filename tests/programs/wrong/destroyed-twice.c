/* SPDX-License-Identifier: MIT
 *
 * Both who made a mutex and who used it last destroy it.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: misuse @again
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_destroy(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	pthread_mutex_destroy(&mutex); /* @again */
	return 0;
}
