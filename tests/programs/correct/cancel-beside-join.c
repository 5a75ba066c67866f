/* SPDX-License-Identifier: MIT
 *
 * A thread is cancelled while another one waits for its end: that it may have been joined by then is no reason to say
 * so as long as nobody can know it.
 *
 * expect: optimal 1
 */
#include <pthread.h>
#include <sched.h>
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
	sched_yield();
	pthread_cancel(worker);
	pthread_join(joiner, NULL);
	return 0;
}
