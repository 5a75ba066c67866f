/* SPDX-License-Identifier: MIT
 *
 * A thread unblocks a signal that is ignored; main sends it to the thread; another thread sets a handler. Sent before
 * both, it is kept, as it is blocked, and handled if the handler comes before it is unblocked. Sent when it is ignored and
 * not blocked, it is lost. All of that can be, and a handler that runs is a failure here, as is a signal that never came.
 *
 * expect: optimal 7
 * findings: assertion @handled
 * findings: assertion @lost
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int handled;
static sigset_t signals;

static void handle(int number)
{
	(void)number;
	handled = 1;
}

static void *unblocks(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	return unused;
}

static void *sets(void *unused)
{
	signal(SIGUSR1, handle);
	return unused;
}

int main(void)
{
	pthread_t target, other;
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&target, NULL, unblocks, NULL);
	pthread_create(&other, NULL, sets, NULL);
	pthread_kill(target, SIGUSR1);
	pthread_join(other, NULL);
	pthread_join(target, NULL);
	assert(!handled); /* @handled */
	assert(handled);  /* @lost */
	return 0;
}
