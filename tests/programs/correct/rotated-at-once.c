/* SPDX-License-Identifier: MIT
 *
 * A log is closed and opened again in one critical section: nobody finds it closed.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int is_open = 1, logged;

static void *rotate(void *unused)
{
	pthread_mutex_lock(&mutex);
	is_open = 0;
	is_open = 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *insert(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (is_open) logged++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, rotate, NULL);
	pthread_create(&threads[1], NULL, insert, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(logged == 1);
	return 0;
}
