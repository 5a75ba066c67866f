/* SPDX-License-Identifier: MIT
 *
 * When time is up the thread may still be at it.
 *
 * expect: optimal 3
 * finding: assertion @early
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void *run(void *arg)
{
	atomic_store(&done, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct timespec until;
	pthread_create(&thread, NULL, run, NULL);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 10;
	pthread_timedjoin_np(thread, NULL, &until);
	assert(atomic_load(&done)); /* @early */
	return 0;
}
