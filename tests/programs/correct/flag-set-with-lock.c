/* SPDX-License-Identifier: MIT
 *
 * The flag is set under the mutex of the condition, though it is atomic: the waiter cannot be between looking and
 * waiting.
 *
 * expect: optimal 2
 * expect: dfs 5
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
atomic_int flag;

static void *set(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_store(&flag, 1);
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&condition);
	return unused;
}

static void *await(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!atomic_load(&flag)) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, set, NULL);
	pthread_create(&threads[1], NULL, await, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
