/* SPDX-License-Identifier: MIT
 *
 * A block is used after it was freed, in good order: no race, a wrong order of two critical sections.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: use-after-free @here
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *user(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	*block = 1; /* @here */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *owner(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	free(block);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	block = malloc(sizeof *block);
	pthread_create(&threads[0], NULL, user, NULL);
	pthread_create(&threads[1], NULL, owner, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
