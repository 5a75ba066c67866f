/* SPDX-License-Identifier: MIT
 *
 * A handler that runs while its thread waits for a mutex gets it first, and keeps it: the thread waits for itself.
 *
 * expect: optimal 6
 * findings: deadlock @lock|@handler
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

static void handle(int number)
{
	pthread_mutex_lock(&mutex); /* @handler */
	count += number;
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex); /* @lock */
	count++;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
