/* SPDX-License-Identifier: MIT
 *
 * reset-event-slim W R [lost | torn | monitors]: a manual-reset event like ManualResetEventSlim of .NET. Whether the event is set and
 * how many threads wait for it are in one word, which changes by compare-exchange. A thread that waits looks at the word
 * a few times, yielding, before it takes the lock and sleeps; the lock is made when it is first needed; setting takes it only if a
 * thread sleeps or is about to. There are R rounds: in each, W threads wait for one of two events in turn, which the main
 * thread sets, and resets when the last of the W has set a third one. One word plants a bug, a deadlock after one preemption:
 *   lost      a thread that has counted itself among those that wait does not look at the event again before it sleeps
 *   torn      a thread counts itself with a load and a store: if the event was set in between, that is undone
 *   monitors  the lock is made by a thread that saw none, also if another thread was faster: threads sleep with two locks
 */
#include "../../threads.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SPINS 2
#define IS_SET 0x80000000u /* the rest of the word is the number of threads that wait */

struct monitor {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

struct event {
	atomic_uint state;
	_Atomic(struct monitor *) monitor;
};

static struct event gates[2], all_through;
static atomic_int through;
static int threads, rounds;
static bool lost, torn, monitors;

static bool is_set(struct event *event)
{
	return atomic_load(&event->state) & IS_SET;
}

/* Clears and sets bits of the state and adds to it, at once; returns what it was. */
static unsigned change(struct event *event, unsigned clear, unsigned set, unsigned add)
{
	unsigned old = atomic_load(&event->state);
	while (!atomic_compare_exchange_weak(&event->state, &old, ((old & ~clear) | set) + add)) continue;
	return old;
}

static void count_waiter(struct event *event)
{
	if (torn)
		atomic_store(&event->state, atomic_load(&event->state) + 1);
	else
		change(event, 0, 0, 1);
}

static struct monitor *new_monitor(void)
{
	struct monitor *monitor = malloc(sizeof *monitor);
	pthread_mutex_init(&monitor->mutex, NULL);
	pthread_cond_init(&monitor->changed, NULL);
	return monitor;
}

static void free_monitor(struct monitor *monitor)
{
	if (!monitor) return;
	pthread_cond_destroy(&monitor->changed);
	pthread_mutex_destroy(&monitor->mutex);
	free(monitor);
}

/* The lock of the event, made if there is none. */
static struct monitor *monitor_of(struct event *event)
{
	struct monitor *none = NULL, *monitor = atomic_load(&event->monitor);
	if (monitor) return monitor;
	monitor = new_monitor();
	if (monitors)
		atomic_store(&event->monitor, monitor);
	else if (!atomic_compare_exchange_strong(&event->monitor, &none, monitor))
		free_monitor(monitor);
	return atomic_load(&event->monitor);
}

static void event_set(struct event *event)
{
	if (change(event, 0, IS_SET, 0) == 0) return;
	struct monitor *monitor = monitor_of(event);
	pthread_mutex_lock(&monitor->mutex);
	pthread_cond_broadcast(&monitor->changed);
	pthread_mutex_unlock(&monitor->mutex);
}

static void event_reset(struct event *event)
{
	change(event, IS_SET, 0, 0);
}

static void sleep_until_set(struct event *event, struct monitor *monitor)
{
	while (!is_set(event)) {
		count_waiter(event);
		if (lost || !is_set(event)) pthread_cond_wait(&monitor->changed, &monitor->mutex);
		change(event, 0, 0, -1u);
	}
}

static void event_wait(struct event *event)
{
	for (int n = 0; n < SPINS; n++) {
		if (is_set(event)) return;
		sched_yield();
	}
	struct monitor *monitor = monitor_of(event);
	pthread_mutex_lock(&monitor->mutex);
	sleep_until_set(event, monitor);
	pthread_mutex_unlock(&monitor->mutex);
}

static void *run(void *arg)
{
	for (int round = 0; round < rounds; round++) {
		event_wait(&gates[round % 2]);
		if (atomic_fetch_add(&through, 1) + 1 == threads) event_set(&all_through);
	}
	return arg;
}

static void open_gate(struct event *gate)
{
	atomic_store(&through, 0);
	event_reset(&all_through);
	event_set(gate);
	event_wait(&all_through);
	event_reset(gate);
}

int main(int argc, char **argv)
{
	pthread_t ids[MAX_THREADS];
	threads = argument(argc, argv, 1, 2, MAX_THREADS);
	rounds = argument(argc, argv, 2, 1, 100);
	lost = has_word(argc, argv, "lost");
	torn = has_word(argc, argv, "torn");
	monitors = has_word(argc, argv, "monitors");
	for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, run, NULL);
	for (int round = 0; round < rounds; round++) open_gate(&gates[round % 2]);
	for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
	free_monitor(gates[0].monitor);
	free_monitor(gates[1].monitor);
	free_monitor(all_through.monitor);
	return 0;
}
