/* SPDX-License-Identifier: MIT
 *
 * A barrier orders what is before it with what is behind, but not what both do behind it.
 *
 * expect: optimal 1
 * expect: dfs 2
 * finding: data-race @write
 */
#include <pthread.h>

static pthread_barrier_t barrier;
int value;

static void *run(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier);
	value = 1; /* @write */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
