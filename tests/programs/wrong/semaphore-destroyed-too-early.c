/* SPDX-License-Identifier: MIT
 *
 * Two threads post when they are done; the semaphore is destroyed when one of them has.
 *
 * expect: optimal 5
 * expect: dfs 6
 * finding: misuse @post
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *unused)
{
	sem_post(&done); /* @post */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&done, 0, 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
	sem_wait(&done);
	sem_destroy(&done);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
