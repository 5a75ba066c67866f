/* SPDX-License-Identifier: MIT
 *
 * A lock that is waited for, but not for ever: it is not had if and only if time is up.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	struct timespec until, now;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until);
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (error == 0)
		pthread_mutex_unlock(&mutex);
	else
		assert(error == ETIMEDOUT && now.tv_sec >= until.tv_sec);
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct timespec wrong = {0, -1};
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	assert(pthread_mutex_timedlock(&mutex, &wrong) == EINVAL);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
