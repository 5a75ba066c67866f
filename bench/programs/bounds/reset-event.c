/* SPDX-License-Identifier: MIT
 *
 * reset-event W [lost]: a manual-reset event: while it is set, nobody has to wait for it. W threads wait and one sets.
 * To set it costs a lock only if somebody waits. With `lost`, who waits says so too late: if the event is set between
 * his look at it and that, nobody wakes him. Deadlock.
 */
#include "../threads.h"
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int set, waiters;
static int threads;
static bool lost;

static void event_set(void)
{
	atomic_store(&set, 1);
	if (atomic_load(&waiters) == 0) return;
	pthread_mutex_lock(&mutex);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static void event_wait(void)
{
	if (atomic_load(&set)) return;
	pthread_mutex_lock(&mutex);
	if (!lost) atomic_fetch_add(&waiters, 1);
	while (!atomic_load(&set)) {
		if (lost) atomic_fetch_add(&waiters, 1);
		pthread_cond_wait(&changed, &mutex);
		if (lost) atomic_fetch_sub(&waiters, 1);
	}
	if (!lost) atomic_fetch_sub(&waiters, 1);
	pthread_mutex_unlock(&mutex);
}

static void *run(void *arg)
{
	if (number(arg) == threads)
		event_set();
	else
		event_wait();
	return NULL;
}

int main(int argc, char **argv)
{
	threads = argument(argc, argv, 1, 2, MAX_THREADS - 1);
	lost = has_word(argc, argv, "lost");
	run_threads(threads + 1, run);
	return 0;
}
