/* SPDX-License-Identifier: MIT
 *
 * A signal that is blocked stays pending, and is handled as soon as it is not blocked any more. One that a thread sends
 * to itself is handled at once.
 *
 * expect: optimal 7
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t signals;
int handled;

static void handle(int number)
{
	handled += number == SIGUSR1 ? 1 : 10;
}

static void *work(void *arg)
{
	sigset_t pending;
	sigpending(&pending);
	assert(!handled);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	assert(handled == 1 || !sigismember(&pending, SIGUSR1));
	raise(SIGUSR2);
	assert(handled >= 10);
	return arg;
}

int main(void)
{
	pthread_t thread;
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
