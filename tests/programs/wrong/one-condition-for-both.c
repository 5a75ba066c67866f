/* SPDX-License-Identifier: MIT
 *
 * A buffer for one item, with one condition for those who put and those who take: a signal that was meant for one kind
 * may wake the other, which goes to sleep again.
 *
 * expect: optimal 80
 * expect: dfs 80
 * finding: deadlock
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full;

static void *put(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (full) pthread_cond_wait(&changed, &mutex);
	full = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *take(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!full) pthread_cond_wait(&changed, &mutex);
	full = 0;
	pthread_cond_signal(&changed);
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
