/* SPDX-License-Identifier: MIT
 *
 * A thread takes a post for that of the one who wrote the value, but there is another one who posts.
 *
 * expect: optimal 3
 * expect: dfs 4
 * finding: data-race @write
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t there;
int value;

static void set(void)
{
	value = 1; /* @write */
}

static void *writes(void *arg)
{
	(void)arg;
	set();
	sem_post(&there);
	return NULL;
}

static void *posts(void *arg)
{
	(void)arg;
	sem_post(&there);
	return NULL;
}

static void *reads(void *arg)
{
	(void)arg;
	sem_wait(&there);
	set();
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&there, 0, 0);
	pthread_create(&threads[0], NULL, writes, NULL);
	pthread_create(&threads[1], NULL, posts, NULL);
	pthread_create(&threads[2], NULL, reads, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
