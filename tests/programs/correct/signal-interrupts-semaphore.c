/* SPDX-License-Identifier: MIT
 *
 * A wait for a semaphore that a signal interrupts, but only one that comes while it waits.
 *
 * expect: optimal 5
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t semaphore;
int handled, interrupted;

static void handle(int number)
{
	handled += number == SIGUSR1;
}

static void *wait(void *arg)
{
	interrupted = sem_wait(&semaphore) != 0;
	assert(!interrupted || (errno == EINTR && handled));
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	int value;
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR1);
	sem_post(&semaphore);
	pthread_join(thread, NULL);
	sem_getvalue(&semaphore, &value);
	assert(value == interrupted);
	return 0;
}
