/* SPDX-License-Identifier: MIT
 *
 * A loop that looks for something under a lock and at a clock comes to its deadline: the first looks take a microsecond
 * each, later ones four times as long as the one before. After 17 looks a second is over; the other thread may come
 * before any of them or after all.
 *
 * expect: optimal 18
 * expect: dfs 18
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready;

static long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int seen = 0;
	pthread_create(&thread, NULL, work, NULL);
	long begin = now(), last = begin;
	while (!seen && last < begin + 1000000000L) {
		pthread_mutex_lock(&lock);
		seen = ready;
		pthread_mutex_unlock(&lock);
		long later = now();
		assert(later > last || !mz_exploring());
		last = later;
	}
	pthread_join(thread, NULL);
	assert(ready);
	return 0;
}
