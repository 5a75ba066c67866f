/* SPDX-License-Identifier: MIT
 *
 * A lock for each half of a table, picked by the value instead of the key: two who change the same entry hold
 * different ones.
 *
 * expect: optimal 1
 * expect: dfs 15
 * findings: data-race @add
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>

pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int table[4];

static void add(int key, int value)
{
	pthread_mutex_t *stripe = &stripes[value % 2];
	pthread_mutex_lock(stripe);
	table[key] += value; /* @add */
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
