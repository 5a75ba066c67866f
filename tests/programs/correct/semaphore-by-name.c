/* SPDX-License-Identifier: MIT
 *
 * Two threads open a semaphore by the same name and get the same one, which nobody has left there before.
 *
 * expect: optimal 2
 * expect: dfs 3
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

static void *gives(void *arg)
{
	(void)arg;
	sem_t *there = sem_open("/mazurka-there", O_CREAT, 0600, 0);
	value = 1;
	sem_post(there);
	sem_close(there);
	return NULL;
}

static void *takes(void *arg)
{
	(void)arg;
	sem_t *there = sem_open("/mazurka-there", O_CREAT, 0600, 0);
	sem_wait(there);
	assert(value == 1);
	sem_close(there);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	assert(sem_open("/mazurka-there", 0) == SEM_FAILED && errno == ENOENT);
	pthread_create(&threads[0], NULL, gives, NULL);
	pthread_create(&threads[1], NULL, takes, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(sem_unlink("/mazurka-there") == 0);
	return 0;
}
