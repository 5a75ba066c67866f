/* SPDX-License-Identifier: MIT
 *
 * The first thread asks again and again whether another one has ended: it waits for that, as one that spins on a flag.
 *
 * flags: -D_GNU_SOURCE
 * counted: -O0 gcc-O2
 * expect: optimal 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int done;

static void *work(void *arg)
{
	done = 1;
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	while (pthread_tryjoin_np(thread, NULL) == EBUSY) sched_yield();
	assert(done == 1);
	return 0;
}
