/* SPDX-License-Identifier: MIT
 *
 * A thread is cancelled that another one has joined, and was joined itself.
 *
 * expect: optimal 1
 * finding: misuse @cancel
 * unseen: misuse
 */
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *arg)
{
	return arg;
}

static void *join(void *arg)
{
	pthread_join(worker, NULL);
	return arg;
}

int main(void)
{
	pthread_t joiner;
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&joiner, NULL, join, NULL);
	pthread_join(joiner, NULL);
	pthread_cancel(worker); /* @cancel */
	return 0;
}
