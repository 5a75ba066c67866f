/* SPDX-License-Identifier: MIT
 *
 * Who waits in an inner monitor has left the outer one.
 *
 * expect: optimal 4
 * expect: dfs 18
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items, calls;

static void *take(void *unused)
{
	pthread_mutex_lock(&outer);
	calls++;
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&inner);
	while (items == 0) pthread_cond_wait(&filled, &inner);
	items--;
	pthread_mutex_unlock(&inner);
	return unused;
}

static void *put(void *unused)
{
	pthread_mutex_lock(&outer);
	calls++;
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&inner);
	items++;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&inner);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, take, NULL);
	pthread_create(&threads[1], NULL, put, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
