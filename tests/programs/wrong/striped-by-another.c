/* SPDX-License-Identifier: MIT
 *
 * A lock for each half of a table; one of the functions picks it by something else than the key.
 *
 * expect: optimal 2
 * expect: dfs 7
 * findings: data-race @add|@clear
 */
#include <pthread.h>

pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int table[4];

static void add(int key, int value)
{
	pthread_mutex_lock(&stripes[key % 2]);
	table[key] += value; /* @add */
	pthread_mutex_unlock(&stripes[key % 2]);
}

static void clear(int key)
{
	pthread_mutex_lock(&stripes[key / 2]);
	table[key] = 0; /* @clear */
	pthread_mutex_unlock(&stripes[key / 2]);
}

static void *adder(void *unused)
{
	add(2, 1);
	add(1, 1);
	return unused;
}

static void *clearer(void *unused)
{
	clear(2);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, adder, NULL);
	pthread_create(&threads[1], NULL, clearer, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
