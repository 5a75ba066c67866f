/* SPDX-License-Identifier: MIT
 *
 * Time passes as threads sleep, the same on all clocks, and whoever hears of one that has slept is no earlier. Nobody
 * else has to wait for it: whether the other is done sleeping is all that there is to explore.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic(double) slept_until;

static double now(clockid_t clock)
{
	struct timespec time;
	assert(clock_gettime(clock, &time) == 0);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *sleeps(void *arg)
{
	double before = now(CLOCK_MONOTONIC);
	struct timespec half = {2, 500000000};
	assert(sleep(1) == 0);
	assert(nanosleep(&half, NULL) == 0);
	assert(now(CLOCK_MONOTONIC) - before >= 3.5);
	atomic_store(&slept_until, now(CLOCK_MONOTONIC));
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct timeval day;
	struct timespec universal, then;
	double start = now(CLOCK_MONOTONIC);
	time_t date = time(NULL);
	pthread_create(&thread, NULL, sleeps, NULL);
	double other = atomic_load(&slept_until);
	assert(other == 0 || now(CLOCK_MONOTONIC) >= other);
	pthread_join(thread, NULL);
	assert(now(CLOCK_MONOTONIC) >= start + 3.5 && time(NULL) >= date + 3);
	gettimeofday(&day, NULL);
	assert(timespec_get(&universal, TIME_UTC) == TIME_UTC);
	clock_gettime(CLOCK_REALTIME, &then);
	assert(day.tv_sec - universal.tv_sec <= 1 && then.tv_sec - universal.tv_sec <= 1);
	then.tv_sec += 10;
	assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL) == 0);
	assert(time(NULL) >= then.tv_sec);
	return 0;
}
