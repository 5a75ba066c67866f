/* SPDX-License-Identifier: MIT
 *
 * A thread waits to write, and has said so; one reader waits for what its handler does, and another comes and goes. New
 * readers are kept out meanwhile.
 *
 * expect: optimal 148
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static sem_t handled;
int value;

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *write_it(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *read_it(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	assert(value == 0 || value == 1);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t writer, reader;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_rwlock_rdlock(&lock);
	pthread_create(&writer, NULL, write_it, NULL);
	pthread_create(&reader, NULL, read_it, NULL);
	pthread_kill(writer, SIGUSR1);
	while (sem_wait(&handled)) {}
	assert(value == 0);
	pthread_rwlock_unlock(&lock);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	assert(value == 1);
	return 0;
}
