/* SPDX-License-Identifier: MIT
 *
 * Signals that are blocked, and waited for: the lower number comes first if both are there.
 *
 * expect: optimal 4
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t signals;
int number;

static void *wait(void *arg)
{
	assert(sigwait(&signals, &number) == 0);
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR2);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	assert(number == SIGUSR1 || number == SIGUSR2);
	return 0;
}
