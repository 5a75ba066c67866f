/* SPDX-License-Identifier: MIT
 *
 * A handler arrives at the barrier that its thread waits at: the two make up a round, and the other thread is alone.
 *
 * expect: optimal 11
 * findings: deadlock @arrive|@work|@handler
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void handle(int number)
{
	(void)number;
	pthread_barrier_wait(&barrier); /* @handler */
}

static void *work(void *arg)
{
	pthread_barrier_wait(&barrier); /* @work */
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_barrier_wait(&barrier); /* @arrive */
	pthread_join(thread, NULL);
	return 0;
}
