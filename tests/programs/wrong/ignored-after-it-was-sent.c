/* SPDX-License-Identifier: MIT
 *
 * One thread waits for a signal that main sends to it while another one makes it ignored: if it is sent before that, and not
 * taken yet, it is lost, and nobody sends it again.
 *
 * expect: optimal 20
 * finding: deadlock
 * finding: assertion @taken
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t signals;

static void *waits(void *unused)
{
	int number;
	sigwait(&signals, &number);
	assert(number != SIGUSR1); /* @taken */
	return unused;
}

static void *ignores(void *unused)
{
	signal(SIGUSR1, SIG_IGN);
	return unused;
}

static void handle(int number)
{
	(void)number;
}

int main(void)
{
	pthread_t waiter, other;
	signal(SIGUSR1, handle);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&waiter, NULL, waits, NULL);
	pthread_create(&other, NULL, ignores, NULL);
	pthread_kill(waiter, SIGUSR1);
	pthread_join(other, NULL);
	pthread_join(waiter, NULL);
	return 0;
}
