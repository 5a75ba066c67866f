/* SPDX-License-Identifier: MIT
 *
 * Whether a thread has ended can be asked: it may have or not.
 *
 * expect: optimal 2
 * expect: dfs 2
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int value;

static void *run(void *arg)
{
	(void)arg;
	value = 1;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	int status = pthread_tryjoin_np(thread, NULL);
	assert(status == 0 || status == EBUSY);
	if (status) pthread_join(thread, NULL);
	assert(value == 1);
	return 0;
}
