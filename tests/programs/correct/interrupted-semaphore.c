/* SPDX-License-Identifier: MIT
 *
 * A wait for a semaphore that is interrupted is made again.
 *
 * expect: optimal 8
 * options: --fail sem_wait:EINTR
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;
static int inside;

static void *run(void *arg)
{
	while (sem_wait(&semaphore) != 0) assert(errno == EINTR);
	inside++;
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
