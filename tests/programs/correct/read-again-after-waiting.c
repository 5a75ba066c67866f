/* SPDX-License-Identifier: MIT
 *
 * What was read before a wait is read again after it.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, balance = 1;

static void *spend(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!ready) pthread_cond_wait(&condition, &mutex);
	int before = balance;
	balance = before + 10;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *earn(void *unused)
{
	pthread_mutex_lock(&mutex);
	balance += 100;
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, spend, NULL);
	pthread_create(&threads[1], NULL, earn, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(balance == 111);
	return 0;
}
