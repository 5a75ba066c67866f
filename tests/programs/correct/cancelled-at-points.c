/* SPDX-License-Identifier: MIT
 *
 * A thread is cancelled at one of its two points, or at none, and always puts in order what it has begun.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int begun, step, undone, destroyed;
static pthread_key_t key;

static void undo(void *unused)
{
	undone += step;
}

static void destroy(void *value)
{
	assert(value == &begun);
	destroyed++;
}

static void *work(void *arg)
{
	pthread_setspecific(key, &begun);
	pthread_cleanup_push(undo, NULL);
	begun = step = 1;
	pthread_testcancel();
	begun = step = 2;
	pthread_testcancel();
	begun = step = 0;
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_key_create(&key, destroy);
	pthread_create(&thread, NULL, work, NULL);
	assert(pthread_cancel(thread) == 0);
	pthread_join(thread, &result);
	assert(undone == begun && destroyed == 1);
	assert((result == PTHREAD_CANCELED) == (begun != 0));
	return 0;
}
