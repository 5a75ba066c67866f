/* SPDX-License-Identifier: MIT
 *
 * Two threads post when they are done; the semaphore is destroyed when both have.
 *
 * expect: optimal 3
 * expect: dfs 4
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *unused)
{
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&done, 0, 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) sem_wait(&done);
	assert(sem_destroy(&done) == 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
