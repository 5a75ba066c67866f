/* SPDX-License-Identifier: MIT
 *
 * A handler wants a mutex that the thread it interrupts may have.
 *
 * expect: optimal 3
 * finding: deadlock @handler
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
	pthread_mutex_unlock(&mutex);
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
