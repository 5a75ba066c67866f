/* SPDX-License-Identifier: MIT
 *
 * Handlers that were pushed are called when the thread exits, the last first; one that was popped is not.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls[4], ncalls;

static void note(void *arg)
{
	calls[ncalls++] = (int)(intptr_t)arg;
}

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void leave(void)
{
	pthread_cleanup_push(note, (void *)3);
	pthread_exit((void *)9);
	pthread_cleanup_pop(0);
}

static void *run(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	pthread_cleanup_push(note, (void *)1);
	pthread_cleanup_push(note, (void *)2);
	pthread_cleanup_pop(1);
	leave();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, &result);
	assert(result == (void *)9);
	assert(ncalls == 3 && calls[0] == 2 && calls[1] == 3 && calls[2] == 1);
	assert(pthread_mutex_trylock(&mutex) == 0);
	return 0;
}
