/* SPDX-License-Identifier: MIT
 *
 * Who is cancelled while it waits for the end of a thread leaves that to another one. The thread itself only sleeps.
 *
 * expect: optimal 4
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *sleep_on(void *arg)
{
	for (;;) sleep(1);
	return arg;
}

static void *join(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	return NULL;
}

int main(void)
{
	pthread_t sleeper, joiner;
	void *result;
	pthread_create(&sleeper, NULL, sleep_on, NULL);
	pthread_create(&joiner, NULL, join, &sleeper);
	pthread_cancel(joiner);
	pthread_join(joiner, &result);
	assert(result == PTHREAD_CANCELED);
	pthread_cancel(sleeper);
	pthread_join(sleeper, &result);
	assert(result == PTHREAD_CANCELED);
	return 0;
}
