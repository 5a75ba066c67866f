/* SPDX-License-Identifier: MIT
 *
 * A thread waits until another one has done what is done once, which takes until the handler of the first has run.
 *
 * expect: optimal 14
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t waiter;
static sem_t handled;
int count;

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *wait(void *arg);

static void begin(void)
{
	pthread_create(&waiter, NULL, wait, NULL);
	pthread_kill(waiter, SIGUSR1);
	while (sem_wait(&handled)) {}
	count++;
}

static void *wait(void *arg)
{
	pthread_once(&once, begin);
	assert(count == 1);
	return arg;
}

int main(void)
{
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_once(&once, begin);
	pthread_join(waiter, NULL);
	return 0;
}
