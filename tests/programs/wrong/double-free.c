/* SPDX-License-Identifier: MIT
 *
 * Two threads find that the last reference is gone, and both free.
 *
 * expect: optimal 6
 * expect: dfs 18
 * finding: double-free @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *block;

static void *run(void *arg)
{
	(void)arg;
	atomic_fetch_sub(&references, 1);
	if (atomic_load(&references) == 0) {
		pthread_mutex_lock(&mutex);
		free(block); /* @here */
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	block = malloc(10);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
