/* SPDX-License-Identifier: MIT
 *
 * That a semaphore can be full is forgotten: who posts last is not heard.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @value
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *posts(void *arg)
{
	(void)arg;
	sem_post(&semaphore);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int posted = 0;
	sem_init(&semaphore, 0, SEM_VALUE_MAX - 1);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, posts, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++) posted += sem_trywait(&semaphore) == 0;
	sem_getvalue(&semaphore, &posted);
	assert(posted == SEM_VALUE_MAX - 1); /* @value */
	return 0;
}
