/* SPDX-License-Identifier: MIT
 *
 * A barrier that can be used again: who waits does so for the end of its own round.
 *
 * expect: optimal 6
 * expect: dfs 6
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

enum { THREADS = 2 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int arrived, rounds;

static void await_all(void)
{
	pthread_mutex_lock(&mutex);
	int mine = rounds;
	if (++arrived == THREADS) {
		arrived = 0;
		rounds++;
		pthread_cond_broadcast(&condition);
	}
	while (mine == rounds) pthread_cond_wait(&condition, &mutex);
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
