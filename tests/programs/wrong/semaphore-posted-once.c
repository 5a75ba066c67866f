/* SPDX-License-Identifier: MIT
 *
 * Two wait for what is posted once.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: deadlock @wait
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t there;

static void *waits(void *arg)
{
	(void)arg;
	sem_wait(&there); /* @wait */
	return NULL;
}

static void *posts(void *arg)
{
	(void)arg;
	sem_post(&there);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&there, 0, 0);
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, waits, NULL);
	pthread_create(&threads[2], NULL, posts, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
