/* SPDX-License-Identifier: MIT
 *
 * The number of the signal that a thread has waited for is read before that thread has ended.
 *
 * expect: optimal 2
 * finding: data-race @wait|@read
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t signals;
int number;

static void *wait(void *arg)
{
	sigwait(&signals, &number); /* @wait */
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR1);
	int early = number; /* @read */
	pthread_join(thread, NULL);
	return early && early != number;
}
