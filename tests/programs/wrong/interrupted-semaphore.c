/* SPDX-License-Identifier: MIT
 *
 * Whoever waits for a semaphore does not look whether it got it: two are where one should be.
 *
 * expect: optimal 7
 * options: --fail sem_wait:EINTR
 * findings: data-race @here
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;
static int inside;

static void *run(void *arg)
{
	sem_wait(&semaphore);
	inside++; /* @here */
	sem_post(&semaphore);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, 1);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	sem_destroy(&semaphore);
	return 0;
}
