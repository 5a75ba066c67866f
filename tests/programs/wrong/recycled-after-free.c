/* SPDX-License-Identifier: MIT
 *
 * A thread writes through a pointer to what it has freed. Where the memory has been handed out again, it is another
 * thread's that changes; else the access is seen.
 *
 * expect: optimal 8
 * expect: dfs 85
 * options: --heap reuse
 * levels: -O0
 * finding: use-after-free @here
 * finding: assertion @changed
 * findings: data-race @here|@free
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *forget(void *arg)
{
	int *block = malloc(sizeof *block);
	free(block);
	pthread_mutex_lock(&mutex);
	*block = 2; /* @here */
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *use(void *arg)
{
	int *block = malloc(sizeof *block);
	pthread_mutex_lock(&mutex);
	*block = 1;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	assert(*block == 1); /* @changed */
	pthread_mutex_unlock(&mutex);
	free(block); /* @free */
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, forget, NULL);
	pthread_create(&threads[1], NULL, use, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
