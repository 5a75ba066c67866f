/* SPDX-License-Identifier: MIT
 *
 * A barrier whose last one to arrive sets the count back, for which the others wait. It is used again: who is quick
 * has counted itself in for the next round before the slow one has seen the end of this.
 *
 * expect: optimal 6
 * expect: dfs 6
 * findings: deadlock
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>

enum { THREADS = 2 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int arrived;

static void await_all(void)
{
	pthread_mutex_lock(&mutex);
	if (++arrived == THREADS) {
		arrived = 0;
		pthread_cond_broadcast(&condition);
	}
	while (arrived != 0) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
	await_all();
	await_all();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
