/* SPDX-License-Identifier: MIT
 *
 * A thread that comes second ends the program with a status.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: exit @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void *first(void *arg)
{
	(void)arg;
	atomic_store(&turn, 1);
	return NULL;
}

static void *second(void *arg)
{
	(void)arg;
	if (atomic_load(&turn) == 1) exit(3); /* @here */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
