/* SPDX-License-Identifier: MIT
 *
 * A request to be cancelled waits until the thread wants to hear of it; who ends by itself is not cancelled any more.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int done, ended;

static void end(void *unused)
{
	pthread_testcancel(); /* it has begun to end already */
	ended++;
}

static void *work(void *arg)
{
	int old;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	assert(old == PTHREAD_CANCEL_ENABLE);
	pthread_testcancel();
	done = 1;
	pthread_setcancelstate(old, NULL);
	pthread_cleanup_push(end, NULL);
	pthread_testcancel();
	done = 2;
	pthread_exit(arg);
	pthread_cleanup_pop(0);
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, work, &done);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	assert(ended == 1 && (result == PTHREAD_CANCELED ? done == 1 : result == &done && done == 2));
	return 0;
}
