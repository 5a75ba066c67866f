/* SPDX-License-Identifier: MIT
 *
 * A wait that ends with a signal or because time is up, and does what is right in both cases.
 *
 * expect: optimal 4
 * expect: dfs 6
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void *wait(void *arg)
{
	struct timespec until, now;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	pthread_mutex_lock(&mutex);
	if (!ready) {
		int error = pthread_cond_timedwait(&condition, &mutex, &until);
		clock_gettime(CLOCK_REALTIME, &now);
		assert(error == 0 ? ready : error == ETIMEDOUT && now.tv_sec >= until.tv_sec);
	}
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait, NULL);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	struct timespec past = {1, 0};
	pthread_mutex_lock(&mutex);
	assert(pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
	return 0;
}
