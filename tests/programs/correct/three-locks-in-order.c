/* SPDX-License-Identifier: MIT
 *
 * Three threads take two of three mutexes each, always the one with the lower number first.
 *
 * expect: optimal 6
 * expect: dfs 142
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int uses[3];

static void use(int first, int second)
{
	pthread_mutex_lock(&mutexes[first]);
	pthread_mutex_lock(&mutexes[second]);
	uses[first]++;
	uses[second]++;
	pthread_mutex_unlock(&mutexes[second]);
	pthread_mutex_unlock(&mutexes[first]);
}

static void *index_and_table(void *unused)
{
	use(0, 1);
	return unused;
}

static void *table_and_log(void *unused)
{
	use(1, 2);
	return unused;
}

static void *log_and_index(void *unused)
{
	use(0, 2);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, index_and_table, NULL);
	pthread_create(&threads[1], NULL, table_and_log, NULL);
	pthread_create(&threads[2], NULL, log_and_index, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
