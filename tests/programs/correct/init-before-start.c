/* SPDX-License-Identifier: MIT
 *
 * What a thread needs is there before the thread is.
 *
 * expect: optimal 1
 * expect: dfs 1
 * builds: gcc-O2 clang-O0
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
	seen = atomic_load(&service)->port;
	return unused;
}

int main(void)
{
	pthread_t thread;
	atomic_store(&service, &the_service);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 0;
}
