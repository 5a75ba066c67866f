/* SPDX-License-Identifier: MIT
 *
 * A wait that ends with a signal, because time is up, or because the thread is cancelled.
 *
 * expect: optimal 6
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, left;

static void leave(void *unused)
{
	left++;
	pthread_mutex_unlock(&mutex);
}

static void *wait(void *arg)
{
	struct timespec until;
	int error = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(leave, NULL);
	while (!ready && error != ETIMEDOUT) error = pthread_cond_timedwait(&condition, &mutex, &until);
	assert(ready || error == ETIMEDOUT);
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait, NULL);
	pthread_cancel(thread);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	assert(left == 1);
	return 0;
}
