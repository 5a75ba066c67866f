/* SPDX-License-Identifier: MIT
 *
 * Sleeping and yielding let others go first and change nothing else: no time passes, and there is one trace.
 *
 * expect: optimal 1
 * arguments: long
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static void *run(void *arg)
{
	(void)arg;
	struct timespec hour = {3600, 0};
	if (!arg) hour.tv_sec = 0;
	assert(sched_yield() == 0);
	assert(usleep(1) == 0);
	assert(nanosleep(&hour, NULL) == 0);
	assert(sleep(arg ? 3600 : 0) == 0);
	return NULL;
}

int main(int argc, char **argv)
{
	(void)argv;
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, argc > 1 ? &threads[0] : NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
