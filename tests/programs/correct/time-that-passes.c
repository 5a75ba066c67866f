/* SPDX-License-Identifier: MIT
 *
 * Time passes from one look at a clock to the next, on all clocks, and a look that comes after another thread's shows a
 * later time. Looking orders nothing: there are two traces, one for each order of the lock.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int64_t latest;

static int64_t now(clockid_t clock)
{
	struct timespec time;
	assert(clock_gettime(clock, &time) == 0);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t day(void)
{
	struct timeval time;
	gettimeofday(&time, NULL);
	return time.tv_sec * INT64_C(1000000) + time.tv_usec;
}

static void *work(void *rate)
{
	clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_PROCESS_CPUTIME_ID,
	                      CLOCK_THREAD_CPUTIME_ID};
	int64_t sum = 0;
	for (unsigned i = 0; i < 5; i++) {
		int64_t begin = now(clocks[i]);
		sum += 1000000 / (now(clocks[i]) - begin + !mz_exploring());
	}
	for (int i = 0; i < 10; i++) { /* with --points all it reads its own variables in between */
		int64_t begin = day();
		sum += 1000000 / (day() - begin + !mz_exploring());
	}
	clock_t used = clock();
	*(int64_t *)rate = sum + 1000000 / (clock() - used + !mz_exploring());
	pthread_mutex_lock(&lock);
	int64_t mine = now(CLOCK_MONOTONIC);
	assert(mine > latest || !mz_exploring());
	latest = mine;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	struct tms times_;
	pthread_t threads[2];
	int64_t rates[2], begin = now(CLOCK_MONOTONIC);
	clock_t ticks = times(&times_);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &rates[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(now(CLOCK_MONOTONIC) > latest - !mz_exploring() && latest >= begin && rates[0] && rates[1]);
	assert(times(&times_) >= ticks);
	return 0;
}
