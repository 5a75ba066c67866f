/* SPDX-License-Identifier: MIT
 *
 * A thread that does nothing but look at the clock until it is late waits for time to pass, and time passes.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *waits(void *arg)
{
	struct timespec start, time;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do clock_gettime(CLOCK_MONOTONIC, &time);
	while (time.tv_sec < start.tv_sec + 2);
	return arg;
}

int main(void)
{
	pthread_t thread;
	clock_t start = clock();
	pthread_create(&thread, NULL, waits, NULL);
	while (clock() - start < CLOCKS_PER_SEC / 10) {}
	pthread_join(thread, NULL);
	return 0;
}
