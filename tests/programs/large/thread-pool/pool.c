/* SPDX-License-Identifier: MIT
 *
 * One mutex guards the queue and the numbers of the pool. Three conditions: `work` for the threads of the pool, `room`
 * for those who submit, `idle` for those who wait until all is done.
 *
 * A task has two owners at most, the pool and the handle; the last one to let go frees it. Its state changes under the
 * task's own mutex: queued -> running -> done, or queued -> cancelled. Where both mutexes are needed the pool's comes
 * first.
 *
 * A task that is called off stays where it is in the queue; the thread that comes across it lets go of it.
 */
#include "pool.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum task_state { QUEUED, RUNNING, DONE, CANCELLED };

struct pool_task {
	pool_function *function;
	void *argument, *result;
	pool *pool;
	struct pool_task *next; /* in the queue */
	pthread_mutex_t mutex;
	pthread_cond_t over;
	enum task_state state;
	atomic_int owners;
};

struct task_list {
	pool_task *first, **end;
};

struct worker {
	pool *pool;
	unsigned number;
	pthread_t thread;
};

struct pool {
	pool_options options;
	pthread_mutex_t mutex;
	pthread_cond_t work, room, idle;
	struct task_list queues[POOL_PRIORITIES];
	size_t queued;   /* in all queues, those called off included */
	size_t running;  /* tasks that a thread has in its hands */
	unsigned asleep; /* threads of the pool that wait for work */
	bool closed;
	pool_statistics statistics;
	unsigned started;
	struct worker workers[];
};

/* ---- tasks ---- */

static pool_task *task_new(pool *pool, pool_function *function, void *argument, int owners)
{
	pool_task *task = calloc(1, sizeof *task);
	if (!task) return NULL;
	task->function = function;
	task->argument = argument;
	task->pool = pool;
	task->state = QUEUED;
	pthread_mutex_init(&task->mutex, NULL);
	pthread_cond_init(&task->over, NULL);
	atomic_init(&task->owners, owners);
	return task;
}

void pool_task_drop(pool_task *task)
{
	if (atomic_fetch_sub(&task->owners, 1) != 1) return;
	pthread_cond_destroy(&task->over);
	pthread_mutex_destroy(&task->mutex);
	free(task);
}

static bool is_over(const pool_task *task)
{
	return task->state == DONE || task->state == CANCELLED;
}

/* Whether the task went from queued to this state. */
static bool task_leave_queue(pool_task *task, enum task_state state)
{
	pthread_mutex_lock(&task->mutex);
	bool first = task->state == QUEUED;
	if (first) task->state = state;
	if (is_over(task)) pthread_cond_broadcast(&task->over);
	pthread_mutex_unlock(&task->mutex);
	return first;
}

static void task_finish(pool_task *task, void *result)
{
#ifdef WRONG_RESULT_AFTER_DONE
	pthread_mutex_lock(&task->mutex);
	task->state = DONE;
	pthread_cond_broadcast(&task->over);
	pthread_mutex_unlock(&task->mutex);
	task->result = result; /* @result */
#else
	pthread_mutex_lock(&task->mutex);
	task->result = result;
	task->state = DONE;
	pthread_cond_broadcast(&task->over);
	pthread_mutex_unlock(&task->mutex);
#endif
}

pool_status pool_task_wait(pool_task *task, void **result)
{
	pthread_mutex_lock(&task->mutex);
	while (!is_over(task)) pthread_cond_wait(&task->over, &task->mutex);
	bool cancelled = task->state == CANCELLED;
	if (!cancelled && result) *result = task->result; /* @wait */
	pthread_mutex_unlock(&task->mutex);
	return cancelled ? POOL_CANCELLED : POOL_OK;
}

bool pool_task_is_done(pool_task *task)
{
	pthread_mutex_lock(&task->mutex);
	bool done = is_over(task);
	pthread_mutex_unlock(&task->mutex);
	return done;
}

bool pool_task_cancel(pool_task *task)
{
	return task_leave_queue(task, CANCELLED);
}

/* ---- the queue; with the pool's mutex ---- */

static void queues_init(pool *pool)
{
	for (int i = 0; i < POOL_PRIORITIES; i++) pool->queues[i].end = &pool->queues[i].first;
}

static void queue_push(pool *pool, pool_priority priority, pool_task *task)
{
	struct task_list *queue = &pool->queues[priority];
	task->next = NULL;
	*queue->end = task;
	queue->end = &task->next;
	if (++pool->queued > pool->statistics.longest_queue) pool->statistics.longest_queue = pool->queued;
}

/* The oldest of the most urgent, or NULL. */
static pool_task *queue_pop(pool *pool)
{
	for (int i = POOL_PRIORITIES - 1; i >= 0; i--) {
		struct task_list *queue = &pool->queues[i];
		pool_task *task = queue->first;
		if (!task) continue;
		queue->first = task->next;
		if (!queue->first) queue->end = &queue->first;
		pool->queued--;
		return task;
	}
	return NULL;
}

static bool has_room(const pool *pool)
{
	return pool->options.capacity == 0 || pool->queued < pool->options.capacity;
}

static bool is_idle(const pool *pool)
{
#ifdef WRONG_IDLE_WHILE_RUNNING
	return pool->queued == 0;
#else
	return pool->queued == 0 && pool->running == 0;
#endif
}

/* ---- threads ---- */

/* A task for this thread, now counted as running; NULL when the pool is closed and nothing is left. */
static pool_task *next_task(pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	pool->asleep++;
	while (pool->queued == 0 && !pool->closed) pthread_cond_wait(&pool->work, &pool->mutex);
	pool->asleep--;
	pool_task *task = queue_pop(pool);
	if (task) {
		pool->running++;
		pthread_cond_signal(&pool->room);
	}
	pthread_mutex_unlock(&pool->mutex);
	return task;
}

static void task_is_over(pool *pool, bool ran)
{
	pthread_mutex_lock(&pool->mutex);
	pool->running--;
	if (ran)
		pool->statistics.completed++;
	else
		pool->statistics.cancelled++;
	if (is_idle(pool)) pthread_cond_broadcast(&pool->idle);
	pthread_mutex_unlock(&pool->mutex);
}

static void run_task(pool *pool, pool_task *task)
{
	bool runs = task_leave_queue(task, RUNNING);
	if (runs) task_finish(task, task->function(task->argument));
	pool_task_drop(task);
	task_is_over(pool, runs);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	pool *pool = worker->pool;
	pool_task *task;
	if (pool->options.on_start) pool->options.on_start(pool->options.context, worker->number);
	while ((task = next_task(pool))) run_task(pool, task);
	if (pool->options.on_stop) pool->options.on_stop(pool->options.context, worker->number);
	return NULL;
}

static bool start_threads(pool *pool)
{
	for (unsigned i = 0; i < pool->options.threads; i++) {
		struct worker *worker = &pool->workers[i];
		*worker = (struct worker){.pool = pool, .number = i};
		if (pthread_create(&worker->thread, NULL, work, worker) != 0) break;
		pool->started++;
	}
	return pool->started > 0;
}

/* ---- the pool ---- */

static void destroy(pool *pool)
{
	pthread_cond_destroy(&pool->idle);
	pthread_cond_destroy(&pool->room);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->mutex);
	free(pool);
}

pool *pool_new(const pool_options *options)
{
	if (options->threads == 0) return NULL;
	pool *pool = calloc(1, sizeof *pool + options->threads * sizeof pool->workers[0]);
	if (!pool) return NULL;
	pool->options = *options;
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->room, NULL);
	pthread_cond_init(&pool->idle, NULL);
	queues_init(pool);
	if (start_threads(pool)) return pool;
	destroy(pool);
	return NULL;
}

void pool_close(pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	pool->closed = true;
#ifdef WRONG_SIGNAL_AT_CLOSE
	pthread_cond_signal(&pool->work);
#else
	pthread_cond_broadcast(&pool->work);
#endif
	pthread_cond_broadcast(&pool->room);
	pthread_mutex_unlock(&pool->mutex);
}

static void discard_queue(pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	for (int i = 0; i < POOL_PRIORITIES; i++)
		for (pool_task *task = pool->queues[i].first; task; task = task->next) pool_task_cancel(task);
	pthread_mutex_unlock(&pool->mutex);
}

void pool_free(pool *pool, bool discard)
{
	pool_close(pool);
	if (discard) discard_queue(pool);
	for (unsigned i = 0; i < pool->started; i++) pthread_join(pool->workers[i].thread, NULL);
	destroy(pool);
}

/* Waits for room, if it may. */
static pool_status await_room(pool *pool, bool may_wait)
{
	while (!pool->closed && !has_room(pool)) {
		if (!may_wait) return POOL_FULL;
		pthread_cond_wait(&pool->room, &pool->mutex);
	}
	return pool->closed ? POOL_CLOSED : POOL_OK;
}

static pool_status submit(pool *pool, pool_priority priority, pool_task *task, bool may_wait)
{
	pthread_mutex_lock(&pool->mutex);
	pool_status status = await_room(pool, may_wait);
	if (status == POOL_OK) {
		queue_push(pool, priority, task);
		pool->statistics.submitted++;
		if (pool->asleep > 0) pthread_cond_signal(&pool->work);
	} else {
		pool->statistics.rejected++;
	}
	pthread_mutex_unlock(&pool->mutex);
	return status;
}

static pool_status make_and_submit(pool *pool, pool_priority priority, pool_function *function, void *argument,
                                   pool_task **handle, bool may_wait)
{
	pool_task *task = task_new(pool, function, argument, handle ? 2 : 1);
	if (!task) return POOL_NO_MEMORY;
	pool_status status = submit(pool, priority, task, may_wait);
	if (status == POOL_OK) {
		if (handle) *handle = task;
		return POOL_OK;
	}
	if (handle) pool_task_drop(task);
	pool_task_drop(task);
	return status;
}

pool_status pool_submit(pool *pool, pool_priority priority, pool_function *function, void *argument, pool_task **handle)
{
	return make_and_submit(pool, priority, function, argument, handle, true);
}

pool_status pool_try_submit(pool *pool, pool_priority priority, pool_function *function, void *argument,
                            pool_task **handle)
{
	return make_and_submit(pool, priority, function, argument, handle, false);
}

void pool_wait_idle(pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	while (!is_idle(pool)) pthread_cond_wait(&pool->idle, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
}

pool_statistics pool_get_statistics(pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	pool_statistics statistics = pool->statistics;
	pthread_mutex_unlock(&pool->mutex);
	return statistics;
}

/* ---- loops ---- */

/* Shared by all tasks of a loop: whoever has time takes the next piece. */
struct loop {
	void (*function)(size_t, void *);
	void *argument;
	size_t n, grain;
	atomic_size_t next;
};

static void *run_pieces(void *argument)
{
	struct loop *loop = argument;
	size_t from;
	while ((from = atomic_fetch_add(&loop->next, loop->grain)) < loop->n) {
		size_t to = loop->n - from < loop->grain ? loop->n : from + loop->grain;
		for (size_t i = from; i < to; i++) loop->function(i, loop->argument);
	}
	return NULL;
}

pool_status pool_for_each(pool *pool, size_t n, size_t grain, void (*function)(size_t, void *), void *argument)
{
	struct loop loop = {.function = function, .argument = argument, .n = n, .grain = grain ? grain : 1};
	size_t pieces = (n + loop.grain - 1) / loop.grain, helpers = 0;
	pool_task **tasks = calloc(pool->options.threads, sizeof *tasks);
	if (!tasks) return POOL_NO_MEMORY;
	atomic_init(&loop.next, 0);
	/* This thread takes part, so one piece needs no helper; and it does not wait for room, which may never come if
	 * it is itself one of the pool's. */
	while (helpers + 1 < pieces && helpers < pool->options.threads &&
	       pool_try_submit(pool, POOL_HIGH, run_pieces, &loop, &tasks[helpers]) == POOL_OK)
		helpers++;
	run_pieces(&loop);
	for (size_t i = 0; i < helpers; i++) {
		if (!pool_task_cancel(tasks[i])) pool_task_wait(tasks[i], NULL);
		pool_task_drop(tasks[i]);
	}
	free(tasks);
	return POOL_OK;
}
