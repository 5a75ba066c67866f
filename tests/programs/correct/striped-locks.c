/* SPDX-License-Identifier: MIT
 *
 * A lock for each half of a table: even keys and odd keys.
 *
 * expect: optimal 2
 * expect: dfs 7
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int table[4];

static void add(int key, int value)
{
	pthread_mutex_t *stripe = &stripes[key % 2];
	pthread_mutex_lock(stripe);
	table[key] += value;
	pthread_mutex_unlock(stripe);
}

static void *one(void *unused)
{
	add(2, 1);
	add(3, 5);
	return unused;
}

static void *two(void *unused)
{
	add(2, 2);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
