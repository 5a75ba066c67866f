/* SPDX-License-Identifier: MIT
 *
 * A thread is joined by somebody who does not hold what it needs.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	value++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	value++;
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
