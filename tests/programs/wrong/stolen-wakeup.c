/* SPDX-License-Identifier: MIT
 *
 * A waiter is woken for an item, and somebody who never waited takes it before the waiter has the mutex again.
 *
 * expect: optimal 18
 * expect: dfs 18
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int items;

static void *produce(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&mutex);
		items++;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void *consume(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (items == 0) pthread_cond_wait(&condition, &mutex);
	assert(items > 0); /* @here */
	items--;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *pass_by(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (items > 0) items--;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, produce, NULL);
	pthread_create(&threads[1], NULL, consume, NULL);
	pthread_create(&threads[2], NULL, pass_by, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
