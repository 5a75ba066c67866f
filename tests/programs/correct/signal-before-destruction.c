/* SPDX-License-Identifier: MIT
 *
 * Who waits for a thread destroys the condition as soon as it knows that the thread is done, which signals before it
 * unlocks.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int done;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	while (!done) pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_cond_destroy(&changed);
	pthread_join(thread, NULL);
	return 0;
}
