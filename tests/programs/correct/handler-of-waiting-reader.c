/* SPDX-License-Identifier: MIT
 *
 * A thread waits to read under a lock, and the writer for what the handler of that thread does: the handler runs
 * meanwhile.
 *
 * expect: optimal 8
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t handled;
int value;

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *read_it(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	assert(value == 1);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_rwlock_wrlock(&lock);
	pthread_create(&thread, NULL, read_it, NULL);
	pthread_kill(thread, SIGUSR1);
	while (sem_wait(&handled)) {}
	value = 1;
	pthread_rwlock_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
