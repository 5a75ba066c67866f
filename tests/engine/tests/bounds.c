/* SPDX-License-Identifier: MIT
 *
 * Bounds on programs that are known: what is within them, and why reduction has to mind them. The naive combinations,
 * which only leave out what a bound does not allow, are here to be seen failing.
 */
#include "build.h"
#include "engine/backtracking/backtrack.h"
#include "engine/strategy.h"
#include "generate.h"
#include "harness.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* --- naive combinations ------------------------------------------------------------------------------------------- */

struct naive {
	struct mz_execution *x;
	struct mz_bounds bounds;
	struct mz_backtrack backtrack;
};

static void naive_init(struct naive *n, struct mz_execution *x, const struct mz_search_options *options, bool sleeps)
{
	n->x = x;
	mz_bounds_init(&n->bounds, x, options);
	mz_backtrack_init(&n->backtrack, x, options, sleeps);
	n->backtrack.bounds = &n->bounds;
}

static void naive_release(void *self)
{
	struct naive *n = self;
	mz_backtrack_release(&n->backtrack);
	mz_bounds_release(&n->bounds);
}

static bool naive_next(void *self, uint32_t *depth)
{
	return mz_backtrack_next(&((struct naive *)self)->backtrack, depth);
}

/* DPOR: what should have gone first is added where it should have, and dropped if it is not allowed there. */
static bool dpor_init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	naive_init(self, x, options, false);
	return true;
}

static void dpor_look(struct naive *n, const struct mz_view *view)
{
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (view->pending[t].status == MZ_THREAD_ABSENT) continue;
		size_t count;
		const uint32_t *races = mz_execution_pending_races(n->x, t, &view->pending[t], &count);
		for (size_t r = 0; r < count; r++) {
			if (mz_backtrack_enabled(&n->backtrack, races[r], t))
				mz_backtrack_add(&n->backtrack, races[r], t);
			else
				mz_backtrack_add_all(&n->backtrack, races[r]);
		}
	}
}

static struct mz_step dpor_choose(void *self, const struct mz_view *view)
{
	struct naive *n = self;
	if (mz_backtrack_is_new(&n->backtrack)) dpor_look(n, view);
	return mz_backtrack_choose(&n->backtrack, view);
}

static void dpor_end(void *self, const struct mz_view *view, bool cut)
{
	(void)cut;
	dpor_look(self, view);
}

static const struct mz_strategy naive_dpor = {
    .name = "naive dpor",
    .size = sizeof(struct naive),
    .ordered = true,
    .bounds = MZ_BOUND_PREEMPTIONS,
    .init = dpor_init,
    .release = naive_release,
    .choose = dpor_choose,
    .next = naive_next,
    .end = dpor_end,
};

/* Sleep sets: everything that is allowed is explored, and then sleeps, whatever was not allowed after it. */
static bool sleep_init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	naive_init(self, x, options, true);
	return true;
}

static struct mz_step sleep_choose(void *self, const struct mz_view *view)
{
	struct naive *n = self;
	bool new = mz_backtrack_is_new(&n->backtrack);
	uint32_t depth = n->x->depth;
	struct mz_step step = mz_backtrack_choose(&n->backtrack, view);
	if (new) mz_backtrack_add_all(&n->backtrack, depth);
	n->backtrack.nodes[depth].cheap = true;
	return step;
}

static const struct mz_strategy naive_sleep = {
    .name = "naive sleep sets",
    .size = sizeof(struct naive),
    .ordered = true,
    .bounds = MZ_BOUND_PREEMPTIONS,
    .init = sleep_init,
    .release = naive_release,
    .choose = sleep_choose,
    .next = naive_next,
};

/* --- figures ------------------------------------------------------------------------------------------------------ */

static size_t graphs_of(const struct script *s, const char *strategy, const struct mz_strategy *custom,
                        uint32_t preemptions)
{
	struct outcome o;
	struct run_options options = {
	    .strategy = strategy, .custom = custom, .graphs = true, .bounded = true, .preemptions = preemptions};
	run_search(s, &options, &o);
	assert_true(o.complete);
	size_t count = o.graphs.count;
	outcome_release(&o);
	return count;
}

/* Figure 1 of the papers on bounded partial-order reduction (threads u and v: t1, t2 and t3) and on partial-order
 * reduction for context-bounded search (x := 1, y := 1 and y := 2): the same program. To run the second thread first
 * costs nothing, but that is not where its operation has to come before another one. */
static void figure_1(struct script *s)
{
	script_init(s, 2, 2, 0, 0);
	add(s, 0, STORE(0, 1));
	add(s, 0, STORE(1, 1));
	add(s, 1, STORE(1, 2));
}

static void test_naive_combinations_miss(void **state)
{
	(void)state;
	struct script s;
	figure_1(&s);
	assert_int_equal(graphs_of(&s, "dfs", NULL, 0), 2);
	assert_int_equal(graphs_of(&s, "bpor", NULL, 0), 2);
	assert_int_equal(graphs_of(&s, NULL, &naive_dpor, 0), 1);
	assert_int_equal(graphs_of(&s, NULL, &naive_sleep, 0), 1);
	/* it is the bound that makes the difference */
	assert_int_equal(graphs_of(&s, NULL, &naive_dpor, 1), 2);
	assert_int_equal(graphs_of(&s, NULL, &naive_sleep, 1), 2);
	script_release(&s);
}

/* bpor as published. The rule of Section 5.4, that whatever was not added conservatively goes to sleep, misses a graph of
 * Figure 1: t1 sleeps when t3 goes first, and nothing wakes it. Algorithms 2 and 3 alone miss none. */
static void test_published_sleep_rule_misses(void **state)
{
	const struct mz_strategy *published = mz_strategy_asked("bpor", true);
	struct outcome o;
	(void)state;
	struct script s;
	figure_1(&s);
	assert_int_equal(graphs_of(&s, NULL, published, 0), 1);
	assert_int_equal(graphs_of(&s, NULL, published, 1), 2);
	run_search(&s, &(struct run_options){.custom = published, .no_sleep = true, .graphs = true, .bounded = true},
	           &o);
	assert_true(o.complete);
	assert_int_equal(o.graphs.count, 2);
	outcome_release(&o);
	script_release(&s);
	assert_true(mz_strategy_may_miss(published, MZ_BOUND_PREEMPTIONS, true));
	assert_false(mz_strategy_may_miss(published, MZ_BOUND_PREEMPTIONS, false));
	assert_true(mz_strategy_may_miss(published, MZ_BOUND_FAIR, false));
	assert_false(mz_strategy_may_miss(mz_strategy_find("bpor"), MZ_BOUND_FAIR, true));
}

static void lost_update(struct script *s)
{
	script_init(s, 3, 1, 0, 0);
	for (uint32_t t = 0; t < 3; t++) {
		add(s, t, LOAD(0));
		add(s, t, STORE(0, t));
	}
}

static void mutex_counter(struct script *s)
{
	script_init(s, 3, 1, 1, 0);
	for (uint32_t t = 0; t < 3; t++) {
		for (int round = 0; round < 2; round++) {
			add(s, t, LOCK(0));
			add(s, t, UNLOCK(0));
		}
	}
}

static void test_figures_within_preemptions(void **state)
{
	static const char *const strategies[] = {"dfs", "bpor"};
	static const size_t lost[] = {6, 24, 36, 36}, counter[] = {6, 24, 60, 90};
	(void)state;
	for (size_t n = 0; n < 2; n++) {
		for (uint32_t bound = 0; bound < 4; bound++) {
			struct script s;
			lost_update(&s);
			assert_int_equal(graphs_of(&s, strategies[n], NULL, bound), lost[bound]);
			script_release(&s);
			mutex_counter(&s);
			assert_int_equal(graphs_of(&s, strategies[n], NULL, bound), counter[bound]);
			script_release(&s);
		}
	}
}

/* Thread 1 starts thread 2 and joins thread 0. If it gets there first it is blocked, and thread 2 can come before what
 * it does next without a preemption; if thread 0 has ended it cannot. Nothing but the bound depends on that order. */
static void test_joins_matter_to_the_bound(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 3, 3, 0, 0);
	add(&s, 0, LOAD(1));
	add(&s, 1, LOAD(2));
	add(&s, 1, START(2));
	add(&s, 1, JOIN(0));
	add(&s, 1, STORE(0, 1));
	add(&s, 2, STORE(0, 2));
	assert_int_equal(graphs_of(&s, "dfs", NULL, 0), 2);
	assert_int_equal(graphs_of(&s, "bpor", NULL, 0), 2);
	script_release(&s);
}

/* Threads 1 and 2 meet thread 0 at a barrier. Whoever comes last goes on, and can be the first to use the word again
 * without a preemption: so both orders of threads 1 and 2 behind the barrier are within no preemption, for both orders of
 * threads 0 and 2 before it. */
static void test_barriers_matter_to_the_bound(void **state)
{
	static const struct script_instruction arrive = {.kind = SCRIPT_ARRIVE};
	(void)state;
	struct script s;
	script_init(&s, 3, 1, 0, 0);
	script_share(&s, 0, 0, 0, 1, 3);
	add(&s, 0, STORE(0, 1));
	script_add(&s, 0, arrive);
	script_add(&s, 1, arrive);
	add(&s, 1, STORE(0, 2));
	add(&s, 2, LOAD(0));
	script_add(&s, 2, arrive);
	add(&s, 2, LOAD(0));
	assert_int_equal(graphs_of(&s, "dfs", NULL, 0), 4);
	assert_int_equal(graphs_of(&s, "cbpor", NULL, 0), 4);
	assert_int_equal(graphs_of(&s, "bpor", NULL, 0), 4);
	script_release(&s);
}

/* --- each bound --------------------------------------------------------------------------------------------------- */

/* Thread 0 waits for thread 1, for ever if need be. */
static void waiting(struct script *s)
{
	script_init(s, 2, 1, 0, 0);
	add(s, 0, YIELD());
	add(s, 0, LOAD(0));
	add(s, 0, UNLESS(0, 1));
	add(s, 0, REPEAT(1000000, 3));
	add(s, 1, STORE(0, 1));
}

/* As long as thread 1 has not stored, thread 0 goes only if it has yielded at most K times: it can load K times, and
 * yield once more. So there are K + 1 times to store, each with a graph of its own. */
static void test_fair(void **state)
{
	static const char *const strategies[] = {"dfs", "bpor"};
	(void)state;
	struct script s;
	waiting(&s);
	for (size_t n = 0; n < 2; n++) {
		for (uint32_t yields = 0; yields < 20; yields++) {
			struct outcome o;
			run_search(&s,
			           &(struct run_options){
			               .strategy = strategies[n], .graphs = true, .fair = true, .yields = yields},
			           &o);
			assert_true(o.complete);
			assert_int_equal(o.cut, 0);
			assert_int_equal(o.graphs.count, yields + 1);
			assert_true(o.counts.refused > 0);
			outcome_release(&o);
		}
	}
	script_release(&s);
}

/* Who may not go on because of its yields is not preempted: no preemption is needed to get on. */
static void test_fair_switches_are_free(void **state)
{
	static const char *const strategies[] = {"dfs", "bpor"};
	(void)state;
	struct script s;
	waiting(&s);
	for (size_t n = 0; n < 2; n++) {
		struct outcome o;
		struct run_options options = {
		    .strategy = strategies[n], .graphs = true, .fair = true, .yields = 3, .bounded = true};
		run_search(&s, &options, &o);
		assert_true(o.complete);
		assert_int_equal(o.graphs.count, 2); /* thread 1 before everything, or when thread 0 has to wait */
		assert_int_equal(o.counts.redundant, 0);
		outcome_release(&o);
	}
	script_release(&s);
}

/* Three threads with two operations each: left alone, the scheduler runs one after the other. One delay passes over the
 * first thread at one of its two operations, or over the second at one of its own; the third has nobody to wait for
 * then. (The figures are of a model of the scheduler, by enumeration.) */
static void test_delays(void **state)
{
	static const uint64_t executions[] = {1, 5, 15, 30, 49, 66, 79, 86, 89, 90};
	(void)state;
	struct script s;
	lost_update(&s);
	for (uint32_t delays = 0; delays < 10; delays++) {
		struct outcome o;
		run_search(&s, &(struct run_options){.strategy = "dfs", .delayed = true, .delays = delays}, &o);
		assert_true(o.complete);
		assert_int_equal(o.counts.executions, executions[delays]);
		assert_int_equal(o.counts.redundant, 0);
		assert_true((o.counts.refused > 0) == (delays < 9));
		outcome_release(&o);
	}
	script_release(&s);
}

/* Thread 0 has four operations, thread 1 one: five interleavings of five steps; of the first n steps there are n + 1.
 */
static void test_depth(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 2, 1, 0, 0);
	for (int n = 0; n < 4; n++) add(&s, 0, LOAD(0));
	add(&s, 1, STORE(0, 1));
	for (uint32_t depth = 1; depth < 7; depth++) {
		struct outcome o;
		run_search(&s, &(struct run_options){.strategy = "dfs", .max_depth = depth}, &o);
		assert_true(o.complete);
		assert_int_equal(o.counts.executions, depth < 5 ? 0 : 5);
		assert_int_equal(o.counts.redundant, depth < 5 ? depth + 1 : 0);
		assert_true((o.counts.refused > 0) == (depth < 5));
		outcome_release(&o);
	}
	script_release(&s);
}

/* --- a large bound ------------------------------------------------------------------------------------------------ */

/* Philosophers, left fork first, two rounds. */
static void philosophers(struct script *s)
{
	script_init(s, 3, 1, 3, 0);
	for (uint32_t t = 0; t < 3; t++) {
		for (int round = 0; round < 2; round++) {
			add(s, t, LOCK(t));
			add(s, t, LOCK((t + 1) % 3));
			add(s, t, UNLOCK((t + 1) % 3));
			add(s, t, UNLOCK(t));
		}
	}
}

/* A bound that cuts nothing costs nothing. */
static void test_large_bound(void **state)
{
	void (*const scripts[])(struct script *) = {lost_update, mutex_counter, philosophers};
	(void)state;
	for (size_t n = 0; n < 3; n++) {
		struct script s;
		struct outcome bounded, unbounded, dpor;
		scripts[n](&s);
		run_search(&s, &(struct run_options){.strategy = "bpor", .bounded = true, .preemptions = 1000},
		           &bounded);
		run_search(&s, &(struct run_options){.strategy = "bpor"}, &unbounded);
		run_search(&s, &(struct run_options){.strategy = "dpor"}, &dpor);
		assert_int_equal(bounded.counts.refused, 0);
		assert_int_equal(bounded.counts.executions, unbounded.counts.executions);
		assert_int_equal(bounded.counts.redundant, unbounded.counts.redundant);
		assert_true(10 * (bounded.counts.executions + bounded.counts.redundant) <=
		            12 * (dpor.counts.executions + dpor.counts.redundant));
		script_release(&s);
	}
}

/* --- properties of bounds ----------------------------------------------------------------------------------------- */

static void run_within(const struct script *s, size_t bound, uint32_t limit, struct outcome *o)
{
	const struct run_options options = {.strategy = "dfs",
	                                    .graphs = true,
	                                    .max_executions = 200,
	                                    .bounded = bound == MZ_BOUND_BIT_PREEMPTIONS,
	                                    .preemptions = limit,
	                                    .fair = bound == MZ_BOUND_BIT_FAIR,
	                                    .yields = limit,
	                                    .delayed = bound == MZ_BOUND_BIT_DELAYS,
	                                    .delays = limit,
	                                    .switched = bound == MZ_BOUND_BIT_SWITCHES,
	                                    .switches = limit,
	                                    .max_depth = bound == MZ_BOUND_BIT_DEPTH ? limit + 1 : 0};
	run_search(s, &options, o);
}

/* Returns whether some limit leaves all graphs of a script but not all executions: then two equivalent executions cost
 * different amounts. */
static bool shows_instability(const struct script *s, size_t bound)
{
	struct outcome all;
	bool shown = false;
	run_within(s, MZ_BOUND_COUNT, 0, &all);
	for (uint32_t limit = 0; limit < 12 && all.complete && !shown; limit++) {
		struct outcome o;
		run_within(s, bound, limit, &o);
		shown = graph_sets_equal(&all.graphs, &o.graphs) && o.counts.executions < all.counts.executions;
		outcome_release(&o);
	}
	outcome_release(&all);
	return shown;
}

/* Bounds are as stable as they say (Definition 4.3), and none says that it is extensible. */
static void test_stability(void **state)
{
	(void)state;
	for (size_t n = 0; mz_bound_at(n); n++) {
		bool shown = false;
		for (uint64_t seed = 1; seed < 40 && !shown; seed++) {
			struct script s;
			generate_for_bounds(&s, seed);
			shown = shows_instability(&s, n);
			script_release(&s);
		}
		assert_int_equal(mz_bound_at(n)->bit, n);
		assert_int_equal(mz_bound_at(n)->stable, !shown);
		assert_false(mz_bound_at(n)->extensible);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_naive_combinations_miss),
	    cmocka_unit_test(test_published_sleep_rule_misses),
	    cmocka_unit_test(test_figures_within_preemptions),
	    cmocka_unit_test(test_joins_matter_to_the_bound),
	    cmocka_unit_test(test_barriers_matter_to_the_bound),
	    cmocka_unit_test(test_fair),
	    cmocka_unit_test(test_fair_switches_are_free),
	    cmocka_unit_test(test_delays),
	    cmocka_unit_test(test_depth),
	    cmocka_unit_test(test_large_bound),
	    cmocka_unit_test(test_stability),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
