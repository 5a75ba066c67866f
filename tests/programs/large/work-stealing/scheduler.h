/* SPDX-License-Identifier: MIT
 *
 * Fork and join on a fixed number of threads. Each has a deque of tasks; one that has nothing to do steals.
 *
 *     static void sort(scheduler_worker *worker, void *part) {
 *             scheduler_group group = SCHEDULER_GROUP;
 *             scheduler_spawn(worker, &group, sort, left_of(part));
 *             sort(worker, right_of(part));
 *             scheduler_join(worker, &group);
 *     }
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct scheduler scheduler;
typedef struct scheduler_worker scheduler_worker; /* a thread of the scheduler: handed to every task */

typedef void scheduler_function(scheduler_worker *worker, void *argument);

/* Tasks that are joined together. */
typedef struct scheduler_group {
	atomic_size_t pending;
} scheduler_group;

#define SCHEDULER_GROUP                                                                                                \
	{                                                                                                              \
		0                                                                                                      \
	}

typedef struct scheduler_statistics {
	size_t spawned, stolen; /* tasks */
} scheduler_statistics;

/* With this many threads, of which the one that calls scheduler_run is one. NULL if that cannot be had. */
scheduler *scheduler_new(unsigned threads);

/* When no scheduler_run is under way. */
void scheduler_free(scheduler *scheduler);

/* Runs function(worker, argument) in this thread; whatever it spawns may run in others. One at a time. */
void scheduler_run(scheduler *scheduler, scheduler_function *function, void *argument);

/* A task that may run in parallel with its caller, and is over when the group is joined. If there is no memory to queue
 * it, it runs at once. */
void scheduler_spawn(scheduler_worker *worker, scheduler_group *group, scheduler_function *function, void *argument);

/* Returns when all tasks of the group are over; meanwhile runs what there is to run. */
void scheduler_join(scheduler_worker *worker, scheduler_group *group);

/* The number of the thread: 0 is the one that called scheduler_run. */
unsigned scheduler_worker_number(const scheduler_worker *worker);

/* When no scheduler_run is under way. */
scheduler_statistics scheduler_get_statistics(const scheduler *scheduler);

#endif
