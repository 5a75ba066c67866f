/* SPDX-License-Identifier: MIT
 *
 * A thread is waited for, but not for ever: it has ended, or time is up.
 *
 * expect: optimal 2
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *run(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct timespec until, now;
	void *result = NULL;
	pthread_create(&thread, NULL, run, &thread);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	int error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &until);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert(error == 0 ? result == &thread : error == ETIMEDOUT && now.tv_sec >= until.tv_sec);
	if (error) pthread_join(thread, NULL);
	return 0;
}
