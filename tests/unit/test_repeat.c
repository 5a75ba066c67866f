/* SPDX-License-Identifier: MIT
 *
 * What repeats at the end of an execution, and how it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "report/repeat.h"
#include <string.h>

/* A trace in which each letter is a step: thread and line. */
static void make(struct mz_trace *trace, const char *letters)
{
	*trace = (struct mz_trace){.configuration.max_steps = (uint32_t)strlen(letters)};
	for (; *letters; letters++) {
		struct mz_trace_step *step = mz_trace_add_step(trace);
		assert_non_null(step);
		step->op = *letters == 'y' ? MZ_OP_YIELD : MZ_OP_LOAD;
		step->step.thread = *letters >= 'a';
		step->place.line = (uint32_t)*letters;
	}
}

static void repeats(const char *letters, size_t length, size_t times)
{
	struct mz_trace trace;
	struct mz_repeat repeat;
	make(&trace, letters);
	assert_int_equal(mz_repeat_find(&trace, &repeat), 0);
	assert_int_equal(repeat.length, length);
	assert_int_equal(repeat.times, times);
	mz_trace_release(&trace);
}

static void test_find(void **state)
{
	(void)state;
	repeats("", 0, 0);
	repeats("a", 0, 0);
	repeats("ab", 0, 0);
	repeats("aa", 1, 2);
	repeats("xyzaaaa", 1, 4);
	repeats("abcabcabc", 3, 3);
	repeats("xbcabcabc", 3, 2);
	repeats("bcabcabc", 3, 2);
	repeats("abababab", 2, 4);   /* neither 4 nor 6 */
	repeats("abbabbabb", 3, 3);  /* more than the two b at the end */
	repeats("zzzzzzabab", 2, 2); /* only the end counts */
	repeats("aabaabaa", 3, 2);   /* a part may begin anywhere */
	repeats("abcdefgabcdefh", 0, 0);
}

static void test_explain(void **state)
{
	(void)state;
	struct mz_trace trace;
	make(&trace, "zayayayay");
	struct mz_trace_finding *finding = mz_trace_add_finding(&trace);
	finding->kind = MZ_FINDING_LIVELOCK;
	finding->step = trace.configuration.max_steps;
	assert_int_equal(mz_trace_explain_endless(&trace), 0);
	assert_int_equal(trace.findings[0].ndetails, 3);
	assert_string_equal(trace.findings[0].details[0].text, "in the end 2 steps come again and again, 4 times:");
	assert_string_equal(trace.findings[0].details[1].text, "?  load");
	assert_int_equal(trace.findings[0].details[1].place.line, 'a');
	assert_string_equal(trace.findings[0].details[2].text, "?  yield");
	/* once is enough */
	assert_int_equal(mz_trace_explain_endless(&trace), 0);
	assert_int_equal(trace.findings[0].ndetails, 3);
	mz_trace_release(&trace);
}

/* A livelock that was found before the limit, and other findings, are no business of this. */
static void test_others(void **state)
{
	(void)state;
	struct mz_trace trace;
	make(&trace, "yyyy");
	struct mz_trace_finding *finding = mz_trace_add_finding(&trace);
	finding->kind = MZ_FINDING_LIVELOCK;
	finding->step = 3;
	finding = mz_trace_add_finding(&trace);
	finding->kind = MZ_FINDING_DEADLOCK;
	finding->step = 4;
	assert_int_equal(mz_trace_explain_endless(&trace), 0);
	assert_int_equal(trace.findings[0].ndetails + trace.findings[1].ndetails, 0);
	mz_trace_release(&trace);
}

static void test_no_memory(void **state)
{
	(void)state;
	int failed = -1;
	for (uint64_t n = 1; failed; n++) {
		struct mz_trace trace;
		make(&trace, "zayayayay");
		struct mz_trace_finding *finding = mz_trace_add_finding(&trace);
		finding->kind = MZ_FINDING_LIVELOCK;
		finding->step = trace.configuration.max_steps;
		mz_alloc_fail_at(n);
		failed = mz_trace_explain_endless(&trace);
		mz_alloc_fail_at(0);
		mz_trace_release(&trace);
		assert_true(n < 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_find),
	    cmocka_unit_test(test_explain),
	    cmocka_unit_test(test_others),
	    cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
