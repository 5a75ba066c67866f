/* SPDX-License-Identifier: MIT
 *
 * Adding up what several workers did (explorer/merge.c): nothing that only one of them counted, found or could not see
 * gets lost, and nothing is listed twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explorer/merge.h"
#include "explorer/supervisor.h"
#include <stdio.h>

static struct mz_session_memory first, second;

static int open_both(void **state)
{
	(void)state;
	struct mz_configuration configuration = mz_configuration_default();
	configuration.max_steps = 10;
	configuration.keep_going = true;
	return mz_session_open(&first, &configuration, MZ_MODE_EXPLORE) |
	       mz_session_open(&second, &configuration, MZ_MODE_EXPLORE);
}

static int close_both(void **state)
{
	(void)state;
	mz_session_close(&first);
	mz_session_close(&second);
	return 0;
}

static void call(struct mz_session *session, uint32_t number, uint64_t calls)
{
	snprintf(session->uncontrolled[number].name, sizeof session->uncontrolled[number].name, "call %u", number);
	session->uncontrolled[number].calls = calls;
}

static void find(struct mz_session *session, uint64_t key, uint32_t thread)
{
	struct mz_step *schedule = mz_session_schedule(session, session->nfindings);
	schedule[0].thread = (uint16_t)thread;
	session->findings[session->nfindings++] =
	    (struct mz_session_finding){.kind = MZ_FINDING_ASSERTION,
	                                .key = key,
	                                .steps = 1,
	                                .schedule = (uint64_t)((char *)schedule - (char *)session)};
}

static void counts_are_added(void **state)
{
	(void)state;
	struct mz_session *a = first.session, *b = second.session;
	a->executions = 5, a->redundant = 1, a->traces = 4, a->steps = 50, a->cut = 2, a->assumed = 3,
	a->nanoseconds = 7;
	b->executions = 6, b->redundant = 2, b->traces = 5, b->steps = 60, b->cut = 3, b->assumed = 4,
	b->nanoseconds = 9;
	b->findings_dropped = 8;
	mz_merge(a, b);
	assert_int_equal(a->executions, 11);
	assert_int_equal(a->redundant, 3);
	assert_int_equal(a->traces, 9);
	assert_int_equal(a->steps, 110);
	assert_int_equal(a->cut, 5);
	assert_int_equal(a->assumed, 7);
	assert_int_equal(a->nanoseconds, 9);
	assert_int_equal(a->findings_dropped, 8);
}

static void findings_are_listed_once(void **state)
{
	(void)state;
	find(first.session, 1, 11);
	find(second.session, 1, 12);
	find(second.session, 2, 13);
	mz_merge(first.session, second.session);
	assert_int_equal(first.session->nfindings, 2);
	assert_int_equal(mz_session_schedule(first.session, 0)->thread, 11);
	assert_int_equal(mz_session_schedule(first.session, 1)->thread, 13);
	assert_int_equal((uintptr_t)first.session + first.session->findings[1].schedule,
	                 (uintptr_t)mz_session_schedule(first.session, 1));
}

/* What other workers could not see makes a verdict weaker just as what the first one could not see. */
static void what_was_not_seen_is_listed(void **state)
{
	(void)state;
	struct mz_session *a = first.session, *b = second.session;
	struct mz_session_hidden same = {.kind = MZ_HIDDEN_CODE, .code = 1},
	                         other = {.kind = MZ_HIDDEN_CODE, .code = 2};
	call(a, 1, 10);
	call(b, 1, 5);
	call(b, 2, 6);
	mz_session_hide(a, &same);
	mz_session_hide(b, &same);
	mz_session_hide(b, &other);
	b->hidden_dropped = 4;
	b->unseen.object = 17;
	b->unseen.filled = 1;
	b->inputs.unexplored = 1;
	mz_merge(a, b);
	assert_int_equal(a->uncontrolled[1].calls, 15);
	assert_int_equal(a->uncontrolled[2].calls, 6);
	assert_string_equal(a->uncontrolled[2].name, "call 2");
	assert_string_equal(a->uncontrolled[3].name, "");
	assert_int_equal(a->nhidden, 2);
	assert_int_equal(a->hidden[1].code, 2);
	assert_int_equal(a->hidden_dropped, 4);
	assert_int_equal(a->unseen.object, 17);
	assert_int_equal(a->inputs.unexplored, 1);
}

static void the_first_unseen_write_stays(void **state)
{
	(void)state;
	struct mz_session_unseen *a = &first.session->unseen, *b = &second.session->unseen;
	a->object = 16, a->filled = 1;
	b->object = 17, b->filled = 1;
	mz_merge(first.session, second.session);
	assert_int_equal(a->object, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(counts_are_added, open_both, close_both),
	    cmocka_unit_test_setup_teardown(findings_are_listed_once, open_both, close_both),
	    cmocka_unit_test_setup_teardown(what_was_not_seen_is_listed, open_both, close_both),
	    cmocka_unit_test_setup_teardown(the_first_unseen_write_stays, open_both, close_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
