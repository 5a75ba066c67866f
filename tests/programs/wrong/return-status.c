/* SPDX-License-Identifier: MIT
 *
 * main returns what the threads made of it: a status, in some of the executions.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: exit
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *run(void *arg)
{
	(void)arg;
	int seen = atomic_load(&counter);
	atomic_store(&counter, seen + 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return counter == 2 ? 0 : 1;
}
