/* SPDX-License-Identifier: MIT
 *
 * One waits for what another does, and takes every end of its wait for a signal.
 *
 * expect: optimal 4
 * expect: dfs 4
 * options: --fail pthread_cond_wait:spurious
 * finding: assertion @here
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg)
{
	pthread_mutex_lock(&mutex);
	if (!ready) pthread_cond_wait(&condition, &mutex);
	assert(ready); /* @here */
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *do_it(void *arg)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, wait_for_it, NULL);
	pthread_create(&threads[1], NULL, do_it, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
