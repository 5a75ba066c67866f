/* SPDX-License-Identifier: MIT
 *
 * A signal that is ignored is not kept when it is sent, unless its thread blocks it; and when it becomes ignored, what is
 * pending of it is discarded, for all threads and for the process, whether it queues or not. SIG_DFL ignores some signals.
 *
 * varies: states
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static int handled;
static sem_t go, done;
static sigset_t all, pending;

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

static void *blocks(void *unused)
{
	sem_wait(&go);
	assert(!is_pending(SIGUSR1) && !is_pending(SIGRTMIN) && is_pending(SIGUSR2));
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	assert(handled == 1); /* SIGUSR2 */
	sem_post(&done);
	sem_wait(&go);
	assert(handled == 1); /* what was sent then was ignored */
	return unused;
}

int main(void)
{
	pthread_t thread;
	const struct timespec none = {0, 0};
	sigfillset(&all);
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	signal(SIGRTMIN, handle);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_create(&thread, NULL, blocks, NULL);

	pthread_kill(thread, SIGUSR1);
	pthread_kill(thread, SIGUSR2);
	pthread_kill(thread, SIGRTMIN);
	pthread_kill(thread, SIGRTMIN);
	kill(getpid(), SIGRTMIN);
	assert(is_pending(SIGRTMIN));
	signal(SIGUSR1, SIG_IGN);
	signal(SIGRTMIN, SIG_IGN);
	assert(!is_pending(SIGRTMIN));
	signal(SIGUSR1, handle);
	signal(SIGRTMIN, handle);
	sem_post(&go);
	sem_wait(&done);

	signal(SIGUSR1, SIG_IGN);
	pthread_kill(thread, SIGUSR1); /* not blocked there */
	pthread_kill(thread, SIGWINCH);
	signal(SIGUSR1, handle);
	signal(SIGWINCH, handle);
	sem_post(&go);
	pthread_join(thread, NULL);

	signal(SIGUSR1, SIG_IGN);
	kill(getpid(), SIGUSR1); /* blocked: kept, and can be waited for */
	assert(is_pending(SIGUSR1) && sigtimedwait(&all, NULL, &none) == SIGUSR1);
	kill(getpid(), SIGCHLD);
	assert(is_pending(SIGCHLD));
	signal(SIGCHLD, SIG_DFL);
	assert(!is_pending(SIGCHLD) && sigtimedwait(&all, NULL, &none) == -1 && errno == EAGAIN);
	assert(handled == 1);
	return 0;
}
