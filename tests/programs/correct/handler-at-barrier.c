/* SPDX-License-Identifier: MIT
 *
 * A thread waits at a barrier, and the other one comes only after its handler has run. They meet twice, and one of them
 * is told each time that it is the one.
 *
 * expect: optimal 4
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static sem_t handled;
int values[2], chosen[2];

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *work(void *arg)
{
	values[0] = 1;
	chosen[0] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	assert(values[1] == 1);
	chosen[0] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	values[1] = 2;
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	while (sem_wait(&handled)) {}
	values[1] = 1;
	chosen[1] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	assert(values[0] == 1);
	chosen[1] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	pthread_join(thread, NULL);
	assert(values[1] == 2 && chosen[0] + chosen[1] == 2);
	pthread_barrier_destroy(&barrier);
	return 0;
}
