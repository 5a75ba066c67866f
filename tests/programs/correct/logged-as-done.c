/* SPDX-License-Identifier: MIT
 *
 * What is done to a table is logged before anybody else can do something to it: who replays the log gets the table.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER, log_mutex = PTHREAD_MUTEX_INITIALIZER;
int table, logged[2], length;

static void set(int value)
{
	pthread_mutex_lock(&table_mutex);
	table = value;
	pthread_mutex_lock(&log_mutex);
	logged[length++] = value;
	pthread_mutex_unlock(&log_mutex);
	pthread_mutex_unlock(&table_mutex);
}

static void *one(void *unused)
{
	set(1);
	return unused;
}

static void *two(void *unused)
{
	set(2);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(logged[1] == table);
	return 0;
}
