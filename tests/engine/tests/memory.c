/* SPDX-License-Identifier: MIT
 *
 * Memory runs out at every single allocation: the search ends, says so, and gives back what it had.
 */
#include "base/alloc.h"
#include "build.h"
#include "harness.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Something of everything, and enough of it for every array to grow. */
static void build(struct script *s)
{
	script_init(s, 24, 40, 1, 1);
	for (uint32_t t = 0; t < 24; t++) {
		if (t > 20) add(s, 0, START(t));
		add(s, t, LOAD(t));
		add(s, t, CHOOSE(2));
		add(s, t, STORE_BYTES(t + 1, 0x0f, 1));
		add(s, t, LOAD_BYTES(t + 1, 0xf0));
		if (t % 8 == 0) {
			add(s, t, LOCK(0));
			add(s, t, WAIT(0, 0));
			add(s, t, UNLOCK(0));
		}
		if (t % 8 == 1) add(s, t, SIGNAL(0));
		if (t % 8 == 2) add(s, t, YIELD());
	}
}

/* Few threads, for what remembers all prefixes. */
static void build_small(struct script *s)
{
	script_init(s, 4, 1, 1, 0);
	for (uint32_t t = 0; t < 4; t++) {
		add(s, t, LOAD(0));
		add(s, t, LOCK(0));
		add(s, t, STORE(0, t));
		add(s, t, UNLOCK(0));
	}
}

static void fail_everywhere(const char *strategy, bool count_traces, bool small)
{
	struct script s;
	if (small)
		build_small(&s);
	else
		build(&s);
	bool survived = false;
	for (uint64_t n = 1; !survived; n++) {
		struct outcome o;
		unsigned bounds = mz_strategy_bounds(mz_strategy_find(strategy));
		struct run_options options = {.strategy = strategy,
		                              .count_traces = count_traces,
		                              .bounded = bounds & MZ_BOUND_PREEMPTIONS,
		                              .preemptions = 2,
		                              .fair = bounds & MZ_BOUND_FAIR,
		                              .yields = 1,
		                              .max_executions = 200};
		mz_alloc_fail_at(n);
		run_search(&s, &options, &o);
		mz_alloc_fail_at(0);
		survived = !o.failed;
		if (o.failed)
			assert_false(o.complete);
		else
			assert_int_equal(o.counts.executions + o.counts.redundant, 200);
		outcome_release(&o);
		assert_true(n < 10000);
	}
	script_release(&s);
}

/* Whether it keeps graphs: those of all prefixes of so many threads would take a while. */
static bool remembers(const char *strategy)
{
	struct script s;
	struct outcome o;
	struct run_options options = {.strategy = strategy, .max_executions = 1};
	build_small(&s);
	run_search(&s, &options, &o);
	outcome_release(&o);
	script_release(&s);
	return o.memory.graphs > 0;
}

static void test_all(void **state)
{
	(void)state;
	for (size_t n = 0; mz_strategy_name(n); n++) {
		if (mz_strategy_stateful(mz_strategy_find(mz_strategy_name(n)))) continue;
		fail_everywhere(mz_strategy_name(n), false, true);
		fail_everywhere(mz_strategy_name(n), true, true);
		if (remembers(mz_strategy_name(n))) continue;
		fail_everywhere(mz_strategy_name(n), false, false);
		fail_everywhere(mz_strategy_name(n), true, false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
