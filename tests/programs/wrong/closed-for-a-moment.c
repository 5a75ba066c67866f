/* SPDX-License-Identifier: MIT
 *
 * A log is closed in one critical section and opened again in the next. Who comes between them finds it closed and
 * takes that to mean that nothing is to be logged.
 *
 * expect: optimal 3
 * expect: dfs 3
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int is_open = 1, logged;

static void *rotate(void *unused)
{
	pthread_mutex_lock(&mutex);
	is_open = 0;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
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
	assert(logged == 1); /* @here */
	return 0;
}
