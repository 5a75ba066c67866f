/* SPDX-License-Identifier: MIT
 *
 * A loop that does not write anything measures how long each load takes: some time passes in each round.
 *
 * expect: optimal 4
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_int value;

static long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *work(void *arg)
{
	atomic_store(&value, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	long sum = 0;
	pthread_create(&thread, NULL, work, NULL);
	for (int i = 0; i < 3; i++) {
		long begin = now();
		int seen = atomic_load(&value);
		sum += 1000000 / (now() - begin + !mz_exploring()) + seen;
	}
	pthread_join(thread, NULL);
	assert(sum > 0);
	return 0;
}
