/* SPDX-License-Identifier: MIT
 *
 * queens-stealing N W [sum | pending | early | twice]: W workers count the ways to put N queens on a board of N by N, and steal work from
 * each other. A task is the queens of the first rows; a task of fewer than two rows is split into one for each square of the
 * next row that is not attacked, any other is counted out. Each worker has a queue of its own (Chase, Lev: Dynamic Circular
 * Work-Stealing Deque, SPAA 2005): it puts tasks in and takes them out at the bottom, and others steal them at the top.
 * Workers that find nothing yield, until no task is pending. One word plants a bug:
 *   sum      what a task has found is added to the sum with a load and a store. Assertion, after one preemption
 *   pending  so is the number of tasks that are pending, when a task is done: workers may go on looking for ever. Livelock, after one
 *   early    a task that is split is not pending any more before its parts are. Assertion, after one preemption
 *   twice    the owner takes the last task without looking whether a thief has got it. Assertion, after two preemptions
 */
#include "../../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MAX_SIZE 8
#define MAX_WORKERS 4
#define TASKS 64
#define SPLIT 2 /* tasks of fewer rows are split */

/* The columns of the queens of the first rows, four bits each, after a one. */
typedef unsigned task;

struct deque {
	atomic_long top, bottom;
	_Atomic(task) tasks[TASKS];
};

static const int solutions[MAX_SIZE + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92};
static struct deque deques[MAX_WORKERS];
static atomic_int total, pending;
static int size, workers;
static bool lost_sum, lost_pending, early, twice;

static void push(struct deque *deque, task added)
{
	long bottom = atomic_load(&deque->bottom);
	assert(bottom < TASKS);
	atomic_store(&deque->tasks[bottom], added);
	atomic_store(&deque->bottom, bottom + 1);
}

/* Moves the top on from `top`, unless a thread has done so: returns whether the task there is now the caller's. */
static bool claim(struct deque *deque, long top)
{
	return atomic_compare_exchange_strong(&deque->top, &top, top + 1);
}

static bool pop(struct deque *deque, task *taken)
{
	long bottom = atomic_load(&deque->bottom) - 1, top = atomic_load(&deque->top);
	if (top > bottom) return false; /* so that a worker that finds nothing only reads */
	atomic_store(&deque->bottom, bottom);
	top = atomic_load(&deque->top);
	if (top <= bottom) *taken = atomic_load(&deque->tasks[bottom]);
	if (top < bottom) return true;
	bool mine = top == bottom && (claim(deque, top) || twice);
	atomic_store(&deque->bottom, bottom + 1);
	return mine;
}

static bool steal(struct deque *deque, task *taken)
{
	long top = atomic_load(&deque->top);
	if (top >= atomic_load(&deque->bottom)) return false;
	*taken = atomic_load(&deque->tasks[top]);
	return claim(deque, top);
}

static int rows_of(task of)
{
	int rows = 0;
	while (of >> 4 * rows > 1) rows++;
	return rows;
}

/* Whether no queen of `of`, which has that many rows, attacks this square of the next row. */
static bool fits(task of, int rows, int column)
{
	for (int up = 1; up <= rows; up++) {
		int apart = column - (int)(of >> 4 * (up - 1) & 15);
		if (apart == 0 || apart == up || apart == -up) return false;
	}
	return true;
}

static int count(task of, int rows)
{
	if (rows == size) return 1;
	int found = 0;
	for (int column = 0; column < size; column++) {
		if (fits(of, rows, column)) found += count(of << 4 | (unsigned)column, rows + 1);
	}
	return found;
}

static void add(atomic_int *to, int amount, bool racy)
{
	if (racy)
		atomic_store(to, atomic_load(to) + amount);
	else
		atomic_fetch_add(to, amount);
}

static void split(struct deque *deque, task of, int rows)
{
	for (int column = 0; column < size; column++) {
		if (!fits(of, rows, column)) continue;
		add(&pending, 1, false);
		push(deque, of << 4 | (unsigned)column);
	}
}

static void work(struct deque *deque, task on)
{
	int rows = rows_of(on);
	if (early) add(&pending, -1, false);
	if (rows < SPLIT && rows < size) {
		split(deque, on, rows);
	} else {
		int found = count(on, rows);
		if (found) add(&total, found, lost_sum);
	}
	if (!early) add(&pending, -1, lost_pending);
}

/* Takes a task from the queue of worker `who`, or else from that of another one. */
static bool find(int who, task *taken)
{
	if (pop(&deques[who], taken)) return true;
	for (int n = 1; n < workers; n++) {
		if (steal(&deques[(who + n) % workers], taken)) return true;
	}
	return false;
}

static void *run(void *arg)
{
	task taken;
	while (atomic_load(&pending) > 0) {
		if (find(number(arg), &taken))
			work(&deques[number(arg)], taken);
		else
			sched_yield();
	}
	assert(atomic_load(&total) == solutions[size]);
	return NULL;
}

int main(int argc, char **argv)
{
	size = argument(argc, argv, 1, 4, MAX_SIZE);
	workers = argument(argc, argv, 2, 2, MAX_WORKERS);
	lost_sum = has_word(argc, argv, "sum");
	lost_pending = has_word(argc, argv, "pending");
	early = has_word(argc, argv, "early");
	twice = has_word(argc, argv, "twice");
	push(&deques[0], 1);
	pending = 1;
	run_threads(workers, run);
	return 0;
}
