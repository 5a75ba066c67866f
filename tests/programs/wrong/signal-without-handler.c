/* SPDX-License-Identifier: MIT
 *
 * The handler is set too late for one of the orders.
 *
 * expect: optimal 2
 * finding: crash @raise
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void handle(int number)
{
	(void)number;
}

static void *work(void *arg)
{
	raise(SIGUSR1); /* @raise */
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	signal(SIGUSR1, handle);
	pthread_join(thread, NULL);
	return 0;
}
