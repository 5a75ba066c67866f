/* SPDX-License-Identifier: MIT
 *
 * Who waits for a thread destroys the condition as soon as it knows that the thread is done. But that one signals after
 * it has unlocked, and may come too late.
 *
 * expect: optimal 3
 * expect: dfs 5
 * finding: misuse @signal
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int done;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&changed); /* @signal */
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
