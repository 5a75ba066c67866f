/* SPDX-License-Identifier: MIT
 *
 * A detached thread spins for what never comes; the end of the process ends it. That is no livelock.
 *
 * expect: optimal 1
 * expect: dfs 1
 * counted: -O2
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *waiter(void *unused)
{
	while (!atomic_load(&flag)) {}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
	pthread_detach(thread);
	return 0;
}
