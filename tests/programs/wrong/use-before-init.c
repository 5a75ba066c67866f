/* SPDX-License-Identifier: MIT
 *
 * A thread is started, and then what it needs is set: it may be quicker.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: crash @here
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct service {
	int port;
};

static struct service the_service = {80};
_Atomic(struct service *) service;
int seen;

static void *run(void *unused)
{
	seen = atomic_load(&service)->port; /* @here */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	atomic_store(&service, &the_service);
	pthread_join(thread, NULL);
	return 0;
}
