/* SPDX-License-Identifier: MIT
 *
 * A signal that is ignored is not kept when it is sent, unless its thread blocks it; and when it becomes ignored, what is
 * pending of it is discarded, for all threads and for the process, whether it queues or not. SIG_DFL ignores some signals.
 *
 * varies: states
 * expect: optimal 8
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static int handled;
static sigset_t all, pending;
static pthread_t first;

static void handle(int number)
{
	(void)number;
	handled++;
}

static int is_pending(int number)
{
	sigpending(&pending);
	return sigismember(&pending, number);
}

static void discards(void)
{
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_kill(first, SIGUSR1);
	pthread_kill(first, SIGUSR2);
	pthread_kill(first, SIGRTMIN);
	pthread_kill(first, SIGRTMIN);
	kill(getpid(), SIGRTMIN);
	assert(is_pending(SIGUSR1) && is_pending(SIGUSR2) && is_pending(SIGRTMIN));
	signal(SIGUSR1, SIG_IGN);
	signal(SIGRTMIN, SIG_IGN);
	assert(!is_pending(SIGUSR1) && is_pending(SIGUSR2) && !is_pending(SIGRTMIN));
	signal(SIGUSR1, handle);
	signal(SIGRTMIN, handle);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	assert(handled == 1); /* SIGUSR2 */
}

static void loses(void)
{
	signal(SIGUSR1, SIG_IGN);
	pthread_kill(first, SIGUSR1);
	kill(getpid(), SIGUSR1);
	pthread_kill(first, SIGWINCH);
	signal(SIGUSR1, handle);
	signal(SIGWINCH, handle);
	sleep(1);
	assert(handled == 1);
}

static void keeps(void)
{
	const struct timespec none = {0, 0};
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	signal(SIGUSR1, SIG_IGN);
	kill(getpid(), SIGUSR1);
	assert(is_pending(SIGUSR1) && sigtimedwait(&all, NULL, &none) == SIGUSR1);
	kill(getpid(), SIGCHLD);
	assert(is_pending(SIGCHLD));
	signal(SIGCHLD, SIG_DFL);
	assert(!is_pending(SIGCHLD) && sigtimedwait(&all, NULL, &none) == -1 && errno == EAGAIN);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

static void *does_both(void *unused)
{
	pthread_kill(first, SIGURG); /* is not blocked there */
	signal(SIGUSR2, SIG_IGN);    /* is pending there */
	return unused;
}

static void beside_another(void)
{
	pthread_t thread;
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	pthread_kill(first, SIGUSR2);
	pthread_create(&thread, NULL, does_both, NULL);
	pthread_join(thread, NULL);
	assert(!is_pending(SIGUSR2));
	signal(SIGURG, handle);
	signal(SIGUSR2, handle);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	assert(handled == 1);
}

int main(void)
{
	first = pthread_self();
	sigfillset(&all);
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	signal(SIGRTMIN, handle);
	discards();
	loses();
	keeps();
	beside_another();
	return 0;
}
