/* SPDX-License-Identifier: MIT
 *
 * Every value of a choice is explored, and choices of two threads in every combination.
 *
 * expect: optimal 6
 * expect: dfs 12
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

static void *two(void *arg)
{
	(void)arg;
	int value = mz_choose(2);
	assert(value >= 0 && value < 2);
	return NULL;
}

static void *three(void *arg)
{
	(void)arg;
	int value = mz_choose(3);
	assert(value >= 0 && value < 3);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, two, NULL);
	pthread_create(&threads[1], NULL, three, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
