/* SPDX-License-Identifier: MIT
 *
 * An atomic is used after its block was freed, in good order: the step that does so is part of the trace.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: use-after-free @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int *counter;

static void *count(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_fetch_add(counter, 1); /* @here */
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *end(void *unused)
{
	pthread_mutex_lock(&mutex);
	free(counter);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	counter = calloc(1, sizeof *counter);
	pthread_create(&threads[0], NULL, count, NULL);
	pthread_create(&threads[1], NULL, end, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
