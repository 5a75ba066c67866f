/* SPDX-License-Identifier: MIT
 *
 * A barrier for three at which only two arrive.
 *
 * expect: optimal 1
 * expect: dfs 2
 * finding: deadlock @wait
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier); /* @wait */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&barrier, NULL, 3);
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
