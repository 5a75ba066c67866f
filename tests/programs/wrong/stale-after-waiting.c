/* SPDX-License-Identifier: MIT
 *
 * What was read before a wait is used after it, though the mutex was open meanwhile.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, balance = 1;

static void *spend(void *unused)
{
	pthread_mutex_lock(&mutex);
	int before = balance;
	while (!ready) pthread_cond_wait(&condition, &mutex);
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
	assert(balance == 111); /* @here */
	return 0;
}
