/* SPDX-License-Identifier: MIT
 *
 * A thread that was woken waits for the mutex, which is held until its handler has run.
 *
 * expect: optimal 32
 * varies: states
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t handled;
int ready;

static void handle(int number)
{
	assert(number == SIGUSR1);
	sem_post(&handled);
}

static void *wait(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (!ready) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&handled, 0, 0);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_kill(thread, SIGUSR1);
	while (sem_wait(&handled)) {}
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
