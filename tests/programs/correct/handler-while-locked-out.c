/* SPDX-License-Identifier: MIT
 *
 * A thread waits for a mutex, and its holder for what the handler of that thread does: the handler runs meanwhile.
 *
 * expect: optimal 8
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t handled;
int count;

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
	assert(++count == 2);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	while (sem_wait(&handled)) {}
	count++;
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	assert(count == 2);
	return 0;
}
