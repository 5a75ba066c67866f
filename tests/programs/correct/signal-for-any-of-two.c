/* SPDX-License-Identifier: MIT
 *
 * A signal to the process is handled once, by any one of the threads that do not block it: all of these are explored.
 *
 * varies: states
 * expect: optimal 5
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t signals;
static __thread int handled;

static void handle(int number)
{
	(void)number;
	handled++;
}

static void *work(void *arg)
{
	(void)arg;
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	return (void *)(long)handled;
}

int main(void)
{
	pthread_t a, b;
	void *by_a, *by_b;
	sigset_t pending;
	signal(SIGUSR1, handle);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	kill(getpid(), SIGUSR1);
	pthread_join(a, &by_a);
	pthread_join(b, &by_b);
	sigpending(&pending);
	assert((long)by_a + (long)by_b + sigismember(&pending, SIGUSR1) == 1 && !handled);
	return 0;
}
