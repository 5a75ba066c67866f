/* SPDX-License-Identifier: MIT
 *
 * A buffer for one item, with a condition for those who put and one for those who take.
 *
 * expect: optimal 64
 * expect: dfs 64
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full;

static void *put(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (full) pthread_cond_wait(&emptied, &mutex);
	full = 1;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *take(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!full) pthread_cond_wait(&filled, &mutex);
	full = 0;
	pthread_cond_signal(&emptied);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	pthread_create(&threads[0], NULL, put, NULL);
	pthread_create(&threads[1], NULL, put, NULL);
	pthread_create(&threads[2], NULL, take, NULL);
	pthread_create(&threads[3], NULL, take, NULL);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	return 0;
}
