/* SPDX-License-Identifier: MIT
 *
 * Whoever is cancelled while it waits for a condition has the mutex again when its cleanup handler runs. A signal that
 * comes first is not lost on it.
 *
 * expect: optimal 5
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, seen, left;

static void leave(void *unused)
{
	left++;
	pthread_mutex_unlock(&mutex);
}

static void *wait(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(leave, NULL);
	while (!ready) pthread_cond_wait(&condition, &mutex);
	seen = 1;
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, wait, NULL);
	pthread_cancel(thread);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, &result);
	assert(left == 1 && seen == (result != PTHREAD_CANCELED));
	return 0;
}
