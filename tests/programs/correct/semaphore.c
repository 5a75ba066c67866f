/* SPDX-License-Identifier: MIT
 *
 * A value is handed over by a semaphore; posts of two producers commute.
 *
 * expect: optimal 3
 * expect: dfs 4
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int values[2];

static void *first(void *arg)
{
	(void)arg;
	values[0] = 1;
	sem_post(&full);
	return NULL;
}

static void *second(void *arg)
{
	(void)arg;
	values[1] = 2;
	sem_post(&full);
	return NULL;
}

static void *consumes(void *arg)
{
	(void)arg;
	sem_wait(&full);
	sem_wait(&full);
	assert(values[0] + values[1] == 3);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&full, 0, 0);
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_create(&threads[2], NULL, consumes, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(sem_destroy(&full) == 0);
	return 0;
}
