/* SPDX-License-Identifier: MIT
 *
 * A pool of threads that run tasks. Tasks wait in a queue of limited size, the more urgent ones first; each has a
 * handle by which its result can be had, or the task called off as long as nobody runs it.
 *
 * All functions may be called from any thread, from tasks too, except where it says otherwise.
 */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool pool;
typedef struct pool_task pool_task;

/* What a task does; the result is for whoever waits for it. */
typedef void *pool_function(void *argument);

typedef enum pool_priority { POOL_LOW, POOL_NORMAL, POOL_HIGH, POOL_PRIORITIES } pool_priority;

typedef enum pool_status {
	POOL_OK,
	POOL_FULL,      /* there is no room in the queue */
	POOL_CLOSED,    /* the pool takes nothing any more */
	POOL_CANCELLED, /* the task was called off and never ran */
	POOL_NO_MEMORY,
} pool_status;

typedef struct pool_options {
	unsigned threads;                   /* at least one */
	size_t capacity;                    /* tasks that may wait; 0: as many as there is memory for */
	void (*on_start)(void *, unsigned); /* called in each thread before its first task, with its number */
	void (*on_stop)(void *, unsigned);  /* and after its last */
	void *context;                      /* for both */
} pool_options;

typedef struct pool_statistics {
	size_t submitted, completed, cancelled, rejected;
	size_t longest_queue;
} pool_statistics;

/* NULL if there is not enough memory, or no thread can be started. */
pool *pool_new(const pool_options *options);

/* Waits until the threads have stopped. What waits in the queue is run first, or, if `discard`, called off. Not from a
 * task. Handles stay valid until they are dropped. */
void pool_free(pool *pool, bool discard);

/* Queues a task; with `handle`, stores one there, to be dropped by the caller. pool_try_submit does not wait for room.
 */
pool_status pool_submit(pool *pool, pool_priority priority, pool_function *function, void *argument,
                        pool_task **handle);
pool_status pool_try_submit(pool *pool, pool_priority priority, pool_function *function, void *argument,
                            pool_task **handle);

/* Takes nothing any more; what is queued will run. Who waits for room gets POOL_CLOSED. */
void pool_close(pool *pool);

/* Waits until nothing is queued and nothing runs. Not from a task. */
void pool_wait_idle(pool *pool);

pool_statistics pool_get_statistics(pool *pool);

/* Waits for the task's end. Its result, unless it was called off. */
pool_status pool_task_wait(pool_task *task, void **result);

/* Whether the task is over; does not wait. */
bool pool_task_is_done(pool_task *task);

/* Calls the task off unless it runs already, or did: whether it was in time. */
bool pool_task_cancel(pool_task *task);

/* Gives the handle back. The task goes its way. */
void pool_task_drop(pool_task *task);

/* Runs function(first + i, argument) for all i below n, in tasks of at most `grain` of them, and in this thread as
 * well. Returns when all are done. */
pool_status pool_for_each(pool *pool, size_t n, size_t grain, void (*function)(size_t, void *), void *argument);

#endif
