/* SPDX-License-Identifier: MIT
 *
 * Two threads wait, for a time each; each signal wakes one of those that are still there.
 *
 * expect: optimal 78
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
	struct timespec until;
	pthread_mutex_lock(&mutex);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	int error = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until);
	assert(error == 0 || error == ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait, NULL);
	pthread_cond_signal(&condition);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
