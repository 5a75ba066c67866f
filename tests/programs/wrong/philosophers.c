/* SPDX-License-Identifier: MIT
 *
 * Three philosophers take the left fork first.
 *
 * expect: optimal 7
 * expect: dfs 168
 * finding: deadlock
 */
#include <pthread.h>

#define N 3

static pthread_mutex_t forks[N];

static void *run(void *arg)
{
	pthread_mutex_t *left = arg, *right = &forks[(left - forks + 1) % N];
	pthread_mutex_lock(left);
	pthread_mutex_lock(right);
	pthread_mutex_unlock(right);
	pthread_mutex_unlock(left);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
	for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, &forks[i]);
	for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < N; i++) pthread_mutex_destroy(&forks[i]);
	return 0;
}
