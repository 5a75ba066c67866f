/* SPDX-License-Identifier: MIT
 *
 * What mz_check() returns, and what its options do. One line for each check; tests/examples/run knows them.
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *arg)
{
	(void)arg;
	int seen = atomic_load(&x);
	atomic_store(&x, seen + 1);
	return NULL;
}

/* 6 interleavings, 4 traces, 2 of which lose an addition. Its argument is what nobody may see at the end. */
static void lose_update(void *arg)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	int end = atomic_load(&x);
	assert(end != *(int *)arg);
	assert(mz_exploring());
}

/* Nobody says that it is anybody's turn: whoever waits counts, or it would be plain to see that nothing changes. */
static void *wait_for_turn(void *arg)
{
	while (!atomic_load((atomic_int *)arg)) {
		atomic_fetch_add(&x, 1);
		mz_yield();
	}
	return NULL;
}

static void go_on_for_ever(void *turn)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for_turn, turn);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static void show(const char *what, int status)
{
	printf("%s: %d\n", what, status);
	fflush(stdout);
}

int main(void)
{
	static atomic_int turn;
	int one = 1, never = 7;
	show("no bug", mz_check(lose_update, &never, &(mz_options){.quiet = 1, .json = "pass.json"}));
	show("a bug", mz_check(lose_update, &one, &(mz_options){.quiet = 1, .json = "bug.json"}));
	show("every bug",
	     mz_check(lose_update, &one,
	              &(mz_options){.quiet = 1, .keep_going = 1, .out = "elsewhere", .json = "every.json"}));
	show("dfs", mz_check(lose_update, &never,
	                     &(mz_options){.quiet = 1, .strategy = "dfs", .count_traces = 1, .json = "dfs.json"}));
	show("dpor in another order",
	     mz_check(
	         lose_update, &never,
	         &(mz_options){.quiet = 1, .strategy = "dpor", .order = "stride", .no_sleep = 1, .json = "dpor.json"}));
	show("a limit",
	     mz_check(lose_update, &never, &(mz_options){.quiet = 1, .max_executions = 2, .json = "limit.json"}));
	show("chance", mz_check(lose_update, &one,
	                        &(mz_options){.quiet = 1, .strategy = "random", .seed = 3, .max_executions = 1000}));
	show("delays",
	     mz_check(lose_update, &never,
	              &(mz_options){.quiet = 1, .strategy = "dfs", .delayed = 1, .delays = 1, .json = "delays.json"}));
	show("depth", mz_check(lose_update, &never,
	                       &(mz_options){.quiet = 1, .strategy = "dfs", .max_depth = 4, .json = "depth.json"}));
	show("memory", mz_check(lose_update, &never,
	                        &(mz_options){.quiet = 1,
	                                      .strategy = "cbpor",
	                                      .bounded = 1,
	                                      .preemptions = 2,
	                                      .max_memory = 1,
	                                      .json = "memory.json"}));
	show("without end",
	     mz_check(go_on_for_ever, &turn, &(mz_options){.quiet = 1, .max_steps = 50, .max_executions = 1}));
	show("without end, fair",
	     mz_check(go_on_for_ever, &turn,
	              &(mz_options){.quiet = 1, .max_steps = 50, .fair = 1, .yields = 2, .json = "fair.json"}));
	show("no such strategy", mz_check(lose_update, &never, &(mz_options){.strategy = "none"}));
	show("no such order", mz_check(lose_update, &never, &(mz_options){.order = "none"}));
	return mz_exploring();
}
