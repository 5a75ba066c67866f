/* SPDX-License-Identifier: MIT
 *
 * A buffer with semaphores: who wants an item, or a place, takes the lock first and then waits, for somebody who needs
 * the lock.
 *
 * expect: optimal 2
 * expect: dfs 3
 * findings: deadlock
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t lock, items, places;
int full;

static void *produce(void *unused)
{
	sem_wait(&lock);
	sem_wait(&places);
	assert(!full);
	full = 1;
	sem_post(&lock);
	sem_post(&items);
	return unused;
}

static void *consume(void *unused)
{
	sem_wait(&lock);
	sem_wait(&items);
	assert(full);
	full = 0;
	sem_post(&lock);
	sem_post(&places);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&lock, 0, 1);
	sem_init(&items, 0, 0);
	sem_init(&places, 0, 1);
	pthread_create(&threads[0], NULL, produce, NULL);
	pthread_create(&threads[1], NULL, consume, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
