/* SPDX-License-Identifier: MIT
 *
 * Two yields each in two threads: six interleavings, one trace.
 *
 * expect: optimal 1
 * expect: dfs 6
 */
#include <pthread.h>
#include <sched.h>

static void *run(void *arg)
{
	(void)arg;
	sched_yield();
	sched_yield();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
