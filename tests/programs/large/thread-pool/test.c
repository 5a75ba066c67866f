/* SPDX-License-Identifier: MIT
 *
 * A thread pool, and what may go wrong with it. Each test is small enough to be explored as a whole. The counts are
 * those on which all strategies agree.
 *
 * sources: pool.c
 * builds: gcc-O2 clang-O0
 *
 * variant: results
 * expect: optimal 36
 * arguments: results
 *
 * variant: result-after-done
 * expect: optimal 36
 * arguments: results
 * flags: -DWRONG_RESULT_AFTER_DONE
 * findings: data-race @result|@wait
 *
 * variant: idle
 * expect: optimal 18
 * arguments: idle
 *
 * variant: idle-while-running
 * expect: optimal 20
 * arguments: idle
 * flags: -DWRONG_IDLE_WHILE_RUNNING
 * findings: assertion @idle
 *
 * variant: close
 * expect: optimal 10
 * arguments: close
 *
 * variant: signal-at-close
 * expect: optimal 10
 * arguments: close
 * flags: -DWRONG_SIGNAL_AT_CLOSE
 * findings: deadlock
 *
 * variant: cancel
 * expect: optimal 74
 * arguments: cancel
 *
 * variant: loop
 * expect: optimal 302
 * arguments: loop
 */
#include "pool.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void *twice(void *number)
{
	*(int *)number *= 2;
	return number;
}

/* What a task returns is what its waiter gets, and by then the task's work is done. */
static void test_results(void)
{
	pool *pool = pool_new(&(pool_options){.threads = 1});
	int number = 21;
	pool_task *task;
	void *result = NULL;
	assert(pool_submit(pool, POOL_NORMAL, twice, &number, &task) == POOL_OK);
	assert(pool_task_wait(task, &result) == POOL_OK);
	assert(result == &number && number == 42);
	pool_task_drop(task);
	pool_free(pool, false);
}

static atomic_int finished;

static void *finish(void *unused)
{
	atomic_fetch_add(&finished, 1);
	return unused;
}

/* Nothing runs when the pool says that it is idle. */
static void test_idle(void)
{
	pool *pool = pool_new(&(pool_options){.threads = 1});
	atomic_store(&finished, 0);
	assert(pool_submit(pool, POOL_NORMAL, finish, NULL, NULL) == POOL_OK);
	pool_wait_idle(pool);
	assert(atomic_load(&finished) == 1); /* @idle */
	pool_free(pool, false);
}

/* All threads stop, whatever they are about to do. */
static void test_close(void)
{
	pool *pool = pool_new(&(pool_options){.threads = 2});
	pool_free(pool, false);
}

/* A task that was called off in time does not run; one that was not, does. Either way its waiter comes back. */
static void test_cancel(void)
{
	pool *pool = pool_new(&(pool_options){.threads = 1, .capacity = 1});
	pool_task *task;
	atomic_store(&finished, 0);
	assert(pool_submit(pool, POOL_LOW, finish, NULL, &task) == POOL_OK);
	bool in_time = pool_task_cancel(task);
	assert(pool_task_wait(task, NULL) == (in_time ? POOL_CANCELLED : POOL_OK));
	assert(pool_task_is_done(task));
	assert(atomic_load(&finished) == (in_time ? 0 : 1));
	pool_task_drop(task);
	pool_free(pool, false);
}

static atomic_int visits[2];

static void visit(size_t i, void *unused)
{
	(void)unused;
	atomic_fetch_add(&visits[i], 1);
}

/* Every index once, whoever gets it. */
static void test_loop(void)
{
	pool *pool = pool_new(&(pool_options){.threads = 1});
	assert(pool_for_each(pool, 2, 1, visit, NULL) == POOL_OK);
	for (int i = 0; i < 2; i++) assert(atomic_load(&visits[i]) == 1);
	pool_free(pool, false);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
    {"results", test_results}, {"idle", test_idle}, {"close", test_close}, {"cancel", test_cancel}, {"loop", test_loop},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
