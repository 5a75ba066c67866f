/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for the end of another has handled, once it goes on, what that one sent before it ended.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_t first;
volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

static void *send(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	first = pthread_self();
	signal(SIGUSR1, handle);
	pthread_create(&thread, NULL, send, NULL);
	pthread_join(thread, NULL);
	assert(handled == SIGUSR1);
	return 0;
}
