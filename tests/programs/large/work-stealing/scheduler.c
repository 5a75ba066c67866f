/* SPDX-License-Identifier: MIT
 *
 * A thread that finds nothing anywhere sleeps. So that nobody sleeps while there is work, `events` counts whatever may
 * be worth waking up for: a new task, the last task of a group, the end. Who is about to sleep notes the count,
 * announces itself, looks everywhere once more, and sleeps only as long as the count is what it noted. Who makes an
 * event raises the count first and looks for sleepers after. One of the two sees the other.
 */
#include "scheduler.h"
#include "deque.h"
#include <pthread.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 2 };

struct task {
	scheduler_function *function;
	void *argument;
	scheduler_group *group;
};

struct scheduler_worker {
	scheduler *scheduler;
	unsigned number;
	unsigned victim; /* where it stole last */
	deque tasks;
	pthread_t thread;
	scheduler_statistics statistics; /* its own share */
};

struct scheduler {
	atomic_uint events, sleepers;
	atomic_bool stopped;
	pthread_mutex_t mutex;
	pthread_cond_t woken;
	unsigned nworkers;
	scheduler_worker workers[];
};

/* ---- sleeping ---- */

static void announce(scheduler *scheduler)
{
	atomic_fetch_add(&scheduler->events, 1);
	if (atomic_load(&scheduler->sleepers) == 0) return;
	/* With the mutex, or a sleeper might be between its look at the count and its wait. */
	pthread_mutex_lock(&scheduler->mutex);
	pthread_cond_broadcast(&scheduler->woken);
	pthread_mutex_unlock(&scheduler->mutex);
}

static void sleep_unless_changed(scheduler *scheduler, unsigned events)
{
	pthread_mutex_lock(&scheduler->mutex);
	while (atomic_load(&scheduler->events) == events) pthread_cond_wait(&scheduler->woken, &scheduler->mutex);
	pthread_mutex_unlock(&scheduler->mutex);
}

/* ---- tasks ---- */

static void run(scheduler_worker *worker, struct task *task)
{
	scheduler_group *group = task->group;
	task->function(worker, task->argument);
	free(task);
	/* The group may be gone as soon as its count is 0. */
	if (atomic_fetch_sub(&group->pending, 1) == 1) announce(worker->scheduler);
}

static struct task *steal_from(scheduler_worker *worker, scheduler_worker *victim)
{
	void *task;
	deque_result result;
	do result = deque_steal(&victim->tasks, &task);
	while (result == DEQUE_LOST);
	if (result == DEQUE_EMPTY) return NULL;
	worker->victim = victim->number;
	worker->statistics.stolen++;
	return task;
}

/* From all others, beginning where there was something last time. */
static struct task *steal(scheduler_worker *worker)
{
	scheduler *scheduler = worker->scheduler;
	for (unsigned i = 0; i < scheduler->nworkers; i++) {
		unsigned number = (worker->victim + i) % scheduler->nworkers;
		if (number == worker->number) continue;
		struct task *task = steal_from(worker, &scheduler->workers[number]);
		if (task) return task;
	}
	return NULL;
}

static struct task *find(scheduler_worker *worker)
{
	struct task *task = deque_pop(&worker->tasks);
	return task ? task : steal(worker);
}

typedef bool until(const void *);

/* Runs tasks until `over` says so. */
static void work(scheduler_worker *worker, until *over, const void *what)
{
	scheduler *scheduler = worker->scheduler;
	while (!over(what)) {
		struct task *task = find(worker);
		if (task) {
			run(worker, task);
			continue;
		}
#ifdef WRONG_SLEEP_WITHOUT_LOOK
		atomic_fetch_add(&scheduler->sleepers, 1);
		sleep_unless_changed(scheduler, atomic_load(&scheduler->events));
		atomic_fetch_sub(&scheduler->sleepers, 1);
#else
		unsigned events = atomic_load(&scheduler->events);
		atomic_fetch_add(&scheduler->sleepers, 1);
		task = find(worker);
		if (!task && !over(what)) sleep_unless_changed(scheduler, events);
		atomic_fetch_sub(&scheduler->sleepers, 1);
		if (task) run(worker, task);
#endif
	}
}

void scheduler_spawn(scheduler_worker *worker, scheduler_group *group, scheduler_function *function, void *argument)
{
	struct task *task = malloc(sizeof *task);
	worker->statistics.spawned++;
	if (task) {
		*task = (struct task){.function = function, .argument = argument, .group = group};
		atomic_fetch_add(&group->pending, 1);
		if (deque_push(&worker->tasks, task)) {
			announce(worker->scheduler);
			return;
		}
		atomic_fetch_sub(&group->pending, 1);
		free(task);
	}
	function(worker, argument);
}

static bool is_joined(const void *group)
{
	return atomic_load(&((const scheduler_group *)group)->pending) == 0;
}

void scheduler_join(scheduler_worker *worker, scheduler_group *group)
{
	work(worker, is_joined, group);
}

unsigned scheduler_worker_number(const scheduler_worker *worker)
{
	return worker->number;
}

/* ---- the scheduler ---- */

static bool is_stopped(const void *scheduler_)
{
	return atomic_load(&((const scheduler *)scheduler_)->stopped);
}

static void *thread(void *argument)
{
	scheduler_worker *worker = argument;
	work(worker, is_stopped, worker->scheduler);
	return NULL;
}

static void stop(scheduler *scheduler, unsigned started)
{
	atomic_store(&scheduler->stopped, true);
	announce(scheduler);
	for (unsigned i = 1; i < started; i++) pthread_join(scheduler->workers[i].thread, NULL);
}

static void destroy(scheduler *scheduler)
{
	for (unsigned i = 0; i < scheduler->nworkers; i++) deque_release(&scheduler->workers[i].tasks);
	pthread_cond_destroy(&scheduler->woken);
	pthread_mutex_destroy(&scheduler->mutex);
	free(scheduler);
}

static bool init_workers(scheduler *scheduler)
{
	bool good = true;
	for (unsigned i = 0; i < scheduler->nworkers; i++) {
		scheduler_worker *worker = &scheduler->workers[i];
		worker->scheduler = scheduler;
		worker->number = i;
		if (!deque_init(&worker->tasks, FIRST_CAPACITY)) good = false;
	}
	return good;
}

/* How many threads there are now, the caller's included. */
static unsigned start_workers(scheduler *scheduler)
{
	unsigned started = 1;
	while (started < scheduler->nworkers &&
	       pthread_create(&scheduler->workers[started].thread, NULL, thread, &scheduler->workers[started]) == 0)
		started++;
	return started;
}

scheduler *scheduler_new(unsigned threads)
{
	if (threads == 0) return NULL;
	scheduler *scheduler = calloc(1, sizeof *scheduler + threads * sizeof scheduler->workers[0]);
	if (!scheduler) return NULL;
	scheduler->nworkers = threads;
	pthread_mutex_init(&scheduler->mutex, NULL);
	pthread_cond_init(&scheduler->woken, NULL);
	if (init_workers(scheduler)) {
		unsigned started = start_workers(scheduler);
		if (started == threads) return scheduler;
		stop(scheduler, started);
	}
	destroy(scheduler);
	return NULL;
}

void scheduler_free(scheduler *scheduler)
{
	stop(scheduler, scheduler->nworkers);
	destroy(scheduler);
}

void scheduler_run(scheduler *scheduler, scheduler_function *function, void *argument)
{
	function(&scheduler->workers[0], argument);
}

scheduler_statistics scheduler_get_statistics(const scheduler *scheduler)
{
	scheduler_statistics sum = {0, 0};
	for (unsigned i = 0; i < scheduler->nworkers; i++) {
		sum.spawned += scheduler->workers[i].statistics.spawned;
		sum.stolen += scheduler->workers[i].statistics.stolen;
	}
	return sum;
}
