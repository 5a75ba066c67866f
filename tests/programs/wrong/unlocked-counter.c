/* SPDX-License-Identifier: MIT
 *
 * Two threads add 1 to a plain variable with nothing between them.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @race
 */
#include <pthread.h>

int counter;

static void *run(void *arg)
{
	(void)arg;
	counter++; /* @race */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
