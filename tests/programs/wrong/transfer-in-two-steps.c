/* SPDX-License-Identifier: MIT
 *
 * Money is taken in one critical section and given in another: who counts between them misses some.
 *
 * expect: optimal 3
 * expect: dfs 3
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int from = 100, to;

static void *transfer(void *unused)
{
	pthread_mutex_lock(&mutex);
	from -= 30;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	to += 30;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *audit(void *unused)
{
	pthread_mutex_lock(&mutex);
	assert(from + to == 100); /* @here */
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, transfer, NULL);
	pthread_create(&threads[1], NULL, audit, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
