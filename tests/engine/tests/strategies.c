/* SPDX-License-Identifier: MIT
 *
 * What strategies promise besides reaching every graph: names, seeds, probabilities, limits. And programs on which
 * strategies as published, or as they are easily written, miss something.
 */
#include "base/hash.h"
#include "build.h"
#include "engine/scheduling/order.h"
#include "harness.h"
#include "script_executor.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const exhaustive[] = {"optimal", "source", "dpor-cr", "dpor", NULL};
static const char *const sampling[] = {"random", "pct", "pos", NULL};

static void test_orders_have_names(void **state)
{
	(void)state;
	for (unsigned n = 0; n < MZ_ORDER_COUNT; n++) assert_int_equal(mz_order_find(mz_order_name(n)), n);
	assert_int_equal(mz_order_find("no such order"), MZ_ORDER_COUNT);
	assert_null(mz_order_name(MZ_ORDER_COUNT));
}

/* --- exhaustive strategies ---------------------------------------------------------------------------------------- */

/* Every strategy, in every order, with and without sleep sets, with many preferences. Releases the script. */
static void check(struct script *script)
{
	struct truth truth;
	assert_true(referee_enumerate(script, 100000, &truth));
	for (const char *const *name = exhaustive; *name; name++) {
		for (uint64_t n = 0; n < 2 * MZ_ORDER_COUNT * 50; n++) {
			struct outcome o;
			struct run_options options = {
			    .strategy = *name, .graphs = true, .whim = n / (2 * MZ_ORDER_COUNT)};
			options.order = (enum mz_order)(n % MZ_ORDER_COUNT);
			options.seed = options.whim;
			options.no_sleep = n / MZ_ORDER_COUNT % 2;
			run_search(script, &options, &o);
			assert_true(o.complete);
			assert_true(graph_sets_equal(&o.graphs, &truth.graphs));
			outcome_release(&o);
		}
	}
	truth_release(&truth);
	script_release(script);
}

/* Classic DPOR adds a thread where its operation should have come first. If it sleeps there, what follows it was
 * explored elsewhere, and what that would have added here is missing: here, that the second write should come before
 * the first. (Thread 1 reads x first; so later it sleeps, until the write of thread 0 wakes it, behind that of
 * thread 2.) */
static void test_wanted_but_asleep(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 3, 0, 0);
	add(&s, 0, LOAD(2));
	add(&s, 0, ACCESS(1, MZ_WEAK_WRITE));
	add(&s, 1, LOAD(1));
	add(&s, 1, STORE(2, 1));
	add(&s, 2, ACCESS(1, MZ_WEAK_WRITE));
	check(&s);
}

/* The latest operation that a thread should have come before is not enough to look at, with sleep sets, although the
 * thread is awake there: executions that are given up do not show the rest. */
static void test_latest_is_not_enough(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 4, 3, 0, 0);
	add(&s, 0, STORE(1, 2));
	add(&s, 1, ADD(2, 1));
	add(&s, 1, STORE(0, 1));
	add(&s, 1, STORE(2, 1));
	add(&s, 2, LOAD(2));
	add(&s, 2, ADD(0, 2));
	add(&s, 2, UNLESS(1, 1));
	add(&s, 2, STORE(1, 2));
	add(&s, 3, YIELD());
	add(&s, 3, LOAD(2));
	check(&s);
}

/* To take the branches of a wakeup tree in another order than they were inserted in misses a graph. */
static void test_order_of_branches(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 4, 2, 0, 0);
	add(&s, 0, STORE(1, 2));
	add(&s, 1, LOAD(0));
	add(&s, 2, CAS(0, 1, 1));
	add(&s, 2, CAS(1, 0, 2));
	add(&s, 2, UNLESS(1, 1));
	add(&s, 2, CAS(0, 0, 1));
	add(&s, 3, LOAD(1));
	check(&s);
}

/* An execution that is given up, because what is enabled sleeps, may have threads that wait for a lock: their
 * operations race all the same. Here thread 1 sleeps to the end while 0 and 2 are in each other's way. */
static void test_blocked_where_all_sleep(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 2, 2, 0);
	add(&s, 0, LOCK(0));
	add(&s, 0, LOCK(1));
	add(&s, 0, STORE(1, 2));
	add(&s, 0, UNLOCK(1));
	add(&s, 0, UNLOCK(0));
	add(&s, 0, LOCK(0));
	add(&s, 0, UNLOCK(0));
	add(&s, 1, LOAD(0));
	add(&s, 1, LOAD(0));
	add(&s, 2, LOCK(1));
	add(&s, 2, LOAD(1));
	add(&s, 2, LOCK(0));
	add(&s, 2, UNLOCK(0));
	add(&s, 2, UNLOCK(1));
	add(&s, 2, STORE(0, 1));
	check(&s);
}

/* A compare-exchange that failed would succeed earlier, where it sleeps; and then it would conflict with a read that
 * both commuted with before, and that belongs before it. */
static void test_asleep_and_grown(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 2, 0, 0);
	add(&s, 0, LOAD(1));
	add(&s, 0, START(2));
	add(&s, 0, STORE_BYTES(0, 0x02, 1));
	add(&s, 1, CAS(0, 0, 2));
	add(&s, 2, LOAD_BYTES(0, 0x01));
	check(&s);
}

static void test_signals_and_choices(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 4, 1, 1, 1);
	for (uint32_t t = 0; t < 2; t++) {
		add(&s, t, LOCK(0));
		add(&s, t, WAIT(0, 0));
		add(&s, t, UNLOCK(0));
	}
	add(&s, 2, SIGNAL(0));
	add(&s, 3, CHOOSE(2));
	add(&s, 3, UNLESS(1, 1));
	add(&s, 3, BROADCAST(0));
	check(&s);
}

/* Readers of one variable: all orders are different to `dpor`, none to `dpor-cr`. */
static void test_reads_commute_or_not(void **state)
{
	(void)state;
	for (int commute = 0; commute < 2; commute++) {
		struct script s;
		struct outcome o;
		script_init(&s, 4, 1, 0, 0);
		for (uint32_t t = 0; t < 4; t++) add(&s, t, LOAD(0));
		run_search(&s, &(struct run_options){.strategy = commute ? "dpor-cr" : "dpor"}, &o);
		assert_int_equal(o.counts.executions, commute ? 1 : 24);
		assert_int_equal(o.counts.redundant, 0);
		outcome_release(&o);
		script_release(&s);
	}
}

/* --- sampling strategies ------------------------------------------------------------------------------------------ */

static struct script three_updates(void)
{
	struct script s;
	script_init(&s, 3, 1, 0, 0);
	for (uint32_t t = 0; t < 3; t++) {
		add(&s, t, LOAD(0));
		add(&s, t, CHOOSE(3));
		add(&s, t, ADD(0, 1));
	}
	return s;
}

/* A number for all that a search does. */
static void hash_event(void *watcher, const struct mz_event *event)
{
	uint64_t *hash = watcher;
	*hash = (*hash ^ (event->thread << 8 | event->choice)) * 0x100000001b3ULL;
}

static void ignore_begin(void *watcher)
{
	(void)watcher;
}

static void ignore_edge(void *watcher, struct machine_edge edge)
{
	(void)watcher;
	(void)edge;
}

static struct mz_search *search_new(const char *strategy, uint64_t seed, uint32_t depth)
{
	struct mz_search_options options = {
	    .strategy = mz_strategy_find(strategy), .seed = seed, .depth = depth, .max_executions = 500};
	struct mz_search *search = mz_search_new(&options);
	assert_non_null(search);
	return search;
}

static uint64_t schedules_of(const struct script *script, const char *strategy, uint64_t seed)
{
	uint64_t hash = 0xcbf29ce484222325ULL, executions = 0;
	struct mz_search *search = search_new(strategy, seed, 0);
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	struct script_executor executor;
	struct mz_step schedule[100];
	struct mz_view view;
	uint32_t known;
	script_executor_init(&executor, script, 100);
	executor.watcher = &hash;
	executor.begin = ignore_begin;
	executor.event = hash_event;
	executor.edge = ignore_edge;
	while (mz_search_next(search, &known)) {
		assert_int_equal(known, 0);
		mz_search_end(search, &view,
		              script_executor_run(&executor, schedule, known, &driver, &view) == MZ_END_STEPS);
		executions++;
	}
	assert_int_equal(executions, 500);
	assert_false(mz_search_next(search, &known));
	script_executor_release(&executor);
	mz_search_free(search);
	return hash;
}

static void test_same_seed_same_schedules(void **state)
{
	(void)state;
	struct script s = three_updates();
	for (const char *const *name = sampling; *name; name++) {
		assert_true(schedules_of(&s, *name, 7) == schedules_of(&s, *name, 7));
		assert_true(schedules_of(&s, *name, 7) != schedules_of(&s, *name, 8));
	}
	script_release(&s);
}

/* Adds to a hash what an execution came to. */
static bool hash_result(void *looker, const struct machine *machine, enum mz_end end)
{
	uint64_t *hash = looker;
	(void)end;
	*hash = mz_hash2(*hash, machine->words[0]);
	return false;
}

/* Returns a hash of the executions of an exhaustive search in random order. */
static uint64_t searched(const struct script *script, const char *strategy, uint64_t seed)
{
	struct outcome o;
	uint64_t hash = 0;
	struct run_options options = {
	    .strategy = strategy, .order = MZ_ORDER_RANDOM, .seed = seed, .look = hash_result, .looker = &hash};
	run_search(script, &options, &o);
	assert_true(o.complete);
	outcome_release(&o);
	return hash;
}

static void test_same_seed_same_search(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 1, 0, 0);
	for (uint32_t t = 0; t < 6; t++) add(&s, t / 2, STORE(0, t));
	for (const char *const *name = exhaustive; *name; name++) {
		assert_true(searched(&s, *name, 7) == searched(&s, *name, 7));
		assert_true(searched(&s, *name, 7) != searched(&s, *name, 8));
	}
	script_release(&s);
}

/* The random order ranks each of three threads first about as often, and a thread that has just yielded last. */
static void test_random_ranks(void **state)
{
	(void)state;
	struct mz_event_record yield = {.event = {.thread = 1, .op = MZ_OP_YIELD}};
	struct mz_execution x = {.records = &yield};
	struct mz_view view = {.nthreads = 3};
	struct mz_ordering ordering = {0};
	mz_ordering_init(&ordering, &(struct mz_search_options){.order = MZ_ORDER_RANDOM, .seed = 5});
	unsigned first[3] = {0};
	for (unsigned n = 0; n < 30000; n++) {
		uint64_t ranks[3];
		x.depth = n < 15000 ? 0 : 1;
		mz_ordering_begin(&ordering, &x, &view, 0);
		for (uint32_t t = 0; t < 3; t++) ranks[t] = mz_ordering_rank(&ordering, t);
		uint32_t least = ranks[0] < ranks[1] ? 0 : 1;
		if (ranks[2] < ranks[least]) least = 2;
		first[least]++;
	}
	assert_in_range(first[0], 12000, 13000);
	assert_in_range(first[1], 4700, 5300);
	assert_in_range(first[2], 12000, 13000);
}

/* Each of 6 orders of 3 threads with one operation each comes up about as often: a walk, and any priorities. */
static bool count_order(void *looker, const struct machine *machine, enum mz_end end)
{
	uint64_t *counts = looker;
	(void)end;
	counts[machine->words[0] & 0xff]++;
	return false;
}

static void test_orders_are_equally_likely(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 1, 0, 0);
	for (uint32_t t = 0; t < 3; t++) add(&s, t, STORE(0, t));
	for (const char *const *name = sampling; *name; name++) {
		uint64_t counts[256] = {0};
		struct outcome o;
		struct run_options options = {.strategy = *name,
		                              .seed = 3,
		                              .depth = 1,
		                              .ends_after = 30000,
		                              .look = count_order,
		                              .looker = counts};
		run_search(&s, &options, &o);
		for (uint32_t t = 0; t < 3; t++) assert_in_range(counts[t], 9500, 10500);
		outcome_release(&o);
	}
	script_release(&s);
}

/* A bug of depth 2: thread 1 stores between the two operations of thread 0. */
static void ordering_bug(struct script *s, uint32_t padding)
{
	script_init(s, 2, 3, 0, 0);
	for (uint32_t n = 0; n < padding; n++) add(s, 0, LOAD(1));
	add(s, 0, STORE(0, 1));
	add(s, 0, CAS(0, 2, 3));
	for (uint32_t n = 0; n < padding; n++) add(s, 1, LOAD(2));
	add(s, 1, CAS(0, 1, 2));
}

static bool count_bug(void *looker, const struct machine *machine, enum mz_end end)
{
	(void)end;
	*(uint64_t *)looker += machine->words[0] == 3;
	return false;
}

static void test_pct_keeps_its_promise(void **state)
{
	(void)state;
	struct script s;
	ordering_bug(&s, 20);
	uint64_t hits = 0;
	struct outcome o;
	struct run_options options = {
	    .strategy = "pct", .seed = 1, .depth = 2, .ends_after = 20000, .look = count_bug, .looker = &hits};
	run_search(&s, &options, &o);
	assert_in_range(hits, 170, 300); /* 20000 / (2 * 43) = 233, give or take four standard deviations */
	outcome_release(&o);
	script_release(&s);
}

static void test_promise(void **state)
{
	(void)state;
	struct script s;
	ordering_bug(&s, 20);
	for (uint32_t depth = 1; depth < 4; depth++) {
		struct mz_search *search = search_new("pct", 1, depth);
		const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
		struct script_executor executor;
		struct mz_step schedule[100];
		struct mz_view view;
		uint32_t known;
		double expected = 0.5;
		for (uint32_t n = 1; n < depth; n++) expected /= 43;
		assert_true(mz_search_promise(search) == 0);
		script_executor_init(&executor, &s, 100);
		assert_true(mz_search_next(search, &known));
		mz_search_end(search, &view,
		              script_executor_run(&executor, schedule, 0, &driver, &view) == MZ_END_STEPS);
		assert_true(mz_search_promise(search) > 0.99 * expected && mz_search_promise(search) < 1.01 * expected);
		script_executor_release(&executor);
		mz_search_free(search);
	}
	script_release(&s);
	struct mz_search *search = search_new("random", 1, 3);
	assert_true(mz_search_promise(search) == 0);
	mz_search_free(search);
}

/* A loop that waits for another thread ends, with any strategy that samples, if it yields. */
static void test_waiting_loops_end(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 2, 1, 0, 0);
	add(&s, 0, YIELD());
	add(&s, 0, LOAD(0));
	add(&s, 0, UNLESS(0, 1));
	add(&s, 0, REPEAT(100000, 3));
	add(&s, 1, STORE(0, 1));
	for (const char *const *name = sampling; *name; name++) {
		struct outcome o;
		run_search(&s, &(struct run_options){.strategy = *name, .ends_after = 500}, &o);
		assert_int_equal(o.counts.executions, 500);
		assert_int_equal(o.cut, 0);
		outcome_release(&o);
	}
	script_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_orders_have_names),
	    cmocka_unit_test(test_wanted_but_asleep),
	    cmocka_unit_test(test_latest_is_not_enough),
	    cmocka_unit_test(test_order_of_branches),
	    cmocka_unit_test(test_blocked_where_all_sleep),
	    cmocka_unit_test(test_asleep_and_grown),
	    cmocka_unit_test(test_signals_and_choices),
	    cmocka_unit_test(test_reads_commute_or_not),
	    cmocka_unit_test(test_same_seed_same_schedules),
	    cmocka_unit_test(test_orders_are_equally_likely),
	    cmocka_unit_test(test_pct_keeps_its_promise),
	    cmocka_unit_test(test_promise),
	    cmocka_unit_test(test_waiting_loops_end),
	    cmocka_unit_test(test_same_seed_same_search),
	    cmocka_unit_test(test_random_ranks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
