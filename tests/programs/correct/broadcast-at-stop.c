/* SPDX-License-Identifier: MIT
 *
 * All who wait are told that it is over.
 *
 * expect: optimal 10
 * expect: dfs 10
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int stop;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!stop) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *stopper(void *unused)
{
	pthread_mutex_lock(&mutex);
	stop = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, work, NULL);
	pthread_create(&threads[1], NULL, work, NULL);
	pthread_create(&threads[2], NULL, stopper, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
