/* SPDX-License-Identifier: MIT
 *
 * When time is up there is nothing there.
 *
 * expect: optimal 4
 * finding: assertion @empty
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void *wait(void *arg)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	pthread_mutex_lock(&mutex);
	if (!ready) pthread_cond_timedwait(&condition, &mutex, &until);
	assert(ready); /* @empty */
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
	return 0;
}
