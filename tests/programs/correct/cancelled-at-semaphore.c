/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for a semaphore gets it or is cancelled, never both.
 *
 * expect: optimal 5
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;

static void *wait(void *arg)
{
	sem_wait(&semaphore);
	return arg;
}

static void *post(void *arg)
{
	sem_post(&semaphore);
	return arg;
}

int main(void)
{
	pthread_t waiter, poster;
	void *result;
	int value;
	sem_init(&semaphore, 0, 0);
	pthread_create(&waiter, NULL, wait, NULL);
	pthread_create(&poster, NULL, post, NULL);
	pthread_cancel(waiter);
	pthread_join(waiter, &result);
	pthread_join(poster, NULL);
	sem_getvalue(&semaphore, &value);
	assert(value == (result == PTHREAD_CANCELED));
	return 0;
}
