/* SPDX-License-Identifier: MIT
 *
 * A signal to the process is handled by a thread that waits for a semaphore, by one that waits at a barrier, or by one that
 * waits for the end of the other: once, and all three go on waiting.
 *
 * varies: states
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sem_t posted;
static pthread_barrier_t both;
static __thread int handled;
static long handled_by[3];

static void handle(int number)
{
	(void)number;
	handled++;
}

static void *wait_for_post(void *arg)
{
	int failed = 0;
	while (sem_wait(&posted) < 0) {
		assert(errno == EINTR && handled);
		failed++;
	}
	assert(failed <= handled);
	handled_by[0] = handled;
	return arg;
}

static void *wait_at_barrier(void *arg)
{
	pthread_barrier_wait(&both);
	handled_by[1] = handled;
	return arg;
}

static void *wait_for_end(void *thread)
{
	pthread_join(*(pthread_t *)thread, NULL);
	handled_by[2] = handled;
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;
	sigset_t signals, pending;
	struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sem_init(&posted, 0, 0);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&a, NULL, wait_for_post, NULL);
	pthread_create(&b, NULL, wait_at_barrier, NULL);
	pthread_create(&c, NULL, wait_for_end, &b);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	kill(getpid(), SIGUSR1);
	pthread_barrier_wait(&both);
	sem_post(&posted);
	pthread_join(c, NULL);
	pthread_join(a, NULL);
	sigpending(&pending);
	assert(handled_by[0] + handled_by[1] + handled_by[2] + sigismember(&pending, SIGUSR1) == 1);
	return 0;
}
