/* SPDX-License-Identifier: MIT
 *
 * A semaphore is destroyed although a thread may wait for it, which gets what it waits for later.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: misuse @destroy|@take|@post
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t start;

static void *work(void *unused)
{
	sem_wait(&start); /* @take */
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&start, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	sem_destroy(&start); /* @destroy */
	sem_post(&start);    /* @post */
	pthread_join(thread, NULL);
	return 0;
}
