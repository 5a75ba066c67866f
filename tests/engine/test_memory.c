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
	}
}

static void fail_everywhere(const char *strategy, bool count_traces)
{
	struct script s;
	build(&s);
	bool survived = false;
	for (uint64_t n = 1; !survived; n++) {
		struct outcome o;
		struct run_options options = {
		    .strategy = strategy, .count_traces = count_traces, .max_executions = 200};
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

static void test_all(void **state)
{
	(void)state;
	for (size_t n = 0; mz_strategy_name(n); n++) {
		fail_everywhere(mz_strategy_name(n), false);
		fail_everywhere(mz_strategy_name(n), true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
