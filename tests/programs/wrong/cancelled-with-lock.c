/* SPDX-License-Identifier: MIT
 *
 * A thread that can be cancelled while it holds a mutex, and has no cleanup handler.
 *
 * expect: optimal 3
 * finding: deadlock @lock
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int done;

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_testcancel();
	done = 1;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_mutex_lock(&mutex); /* @lock */
	done = 0;
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
