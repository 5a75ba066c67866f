/* SPDX-License-Identifier: MIT
 *
 * Threads that nobody joins: detached by attribute, by the creator, by themselves. main does not wait, but what they
 * do still belongs to the execution.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *run(void *arg)
{
	if (arg) pthread_detach(pthread_self());
	atomic_fetch_add(&value, 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attributes, run, NULL);
	pthread_attr_destroy(&attributes);
	pthread_create(&thread, NULL, run, NULL);
	pthread_detach(thread);
	pthread_create(&thread, NULL, run, &value);
	return 0;
}
