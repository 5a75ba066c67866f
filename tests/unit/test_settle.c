/* SPDX-License-Identifier: MIT
 *
 * Believing a session (explorer/settle.c): every byte of what was to be done has to be as it was, what the worker may
 * add is taken over as far as it makes sense, and everything else is noticed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explorer/supervisor.h"
#include <string.h>

static struct mz_session_memory open_sealed(uint32_t iterate)
{
	struct mz_session_memory memory;
	struct mz_configuration configuration = mz_configuration_default();
	configuration.max_steps = 10;
	configuration.iterate = iterate;
	assert_int_equal(mz_session_open(&memory, &configuration, MZ_MODE_EXPLORE), 0);
	memory.session->learned.loops = 1;
	assert_int_equal(mz_session_seal(&memory), 0);
	return memory;
}

static void a_session_has_the_whole_configuration(void **state)
{
	(void)state;
	struct mz_session_memory memory;
	struct mz_configuration configuration;
	memset(&configuration, 0x5a, sizeof configuration);
	configuration.max_steps = 10;
	assert_int_equal(mz_session_open(&memory, &configuration, MZ_MODE_REPLAY), 0);
	assert_memory_equal(&memory.session->configuration, &configuration, sizeof configuration);
	mz_session_close(&memory);
}

static void what_nobody_touched_is_believed(void **state)
{
	(void)state;
	struct mz_session_memory memory = open_sealed(0);
	mz_session_settle(&memory);
	assert_false(memory.damaged);
	mz_session_close(&memory);
}

/* Every byte up to what the worker may write. */
static void what_was_to_be_done_stays(void **state)
{
	(void)state;
	for (size_t at = 0; at < offsetof(struct mz_session, learned); at++) {
		struct mz_session_memory memory = open_sealed(0);
		struct mz_configuration before = memory.session->configuration;
		((uint8_t *)memory.session)[at] ^= 1;
		mz_session_settle(&memory);
		assert_true(memory.damaged);
		assert_memory_equal(&memory.session->configuration, &before, sizeof before);
		assert_true(memory.session->magic == MZ_SESSION_MAGIC);
		mz_session_close(&memory);
	}
}

static void what_a_replay_has_to_know_is_taken_over(void **state)
{
	(void)state;
	struct mz_session_memory memory = open_sealed(0);
	struct mz_session_learned *learned = &memory.session->learned;
	learned->requests.kinds = MZ_REQUESTS_SIGNAL | 64;
	learned->requests.process_signals = 1 << 10;
	learned->nfiles = 1;
	strcpy(learned->files[0], "/tmp/shared");
	learned->loops = 7;
	learned->nreturns = 1000;
	learned->ordered_arrivals = 1;
	memory.session->running = 1;
	mz_session_settle(&memory);
	learned = &memory.session->learned;
	assert_false(memory.damaged);
	assert_int_equal(learned->requests.kinds, MZ_REQUESTS_SIGNAL);
	assert_int_equal(learned->requests.process_signals, 1 << 10);
	assert_int_equal(learned->nfiles, 1);
	assert_string_equal(learned->files[0], "/tmp/shared");
	assert_int_equal(learned->loops, 1); /* as it was given */
	assert_true(!learned->nreturns && !learned->ordered_arrivals);
	assert_int_equal(memory.session->running, 1);
	mz_session_close(&memory);
}

static void spoil_files(struct mz_session *session)
{
	session->learned.nfiles = MZ_SESSION_FILES + 1;
}

static void spoil_name(struct mz_session *session)
{
	session->learned.nfiles = 1;
	memset(session->learned.files[0], 'x', MZ_SESSION_FILE_NAME);
}

static void spoil_running(struct mz_session *session)
{
	session->running = 2;
}

static void spoil_bound(struct mz_session *session)
{
	session->bound = MZ_SESSION_ITERATIONS;
}

static bool is_damaged_by(void (*spoil)(struct mz_session *session), uint32_t iterate)
{
	struct mz_session_memory memory = open_sealed(iterate);
	spoil(memory.session);
	mz_session_settle(&memory);
	bool damaged = memory.damaged;
	assert_true(memory.session->learned.nfiles <= MZ_SESSION_FILES);
	assert_true(memory.session->running <= 1);
	mz_session_close(&memory);
	return damaged;
}

static void what_makes_no_sense_is_noticed(void **state)
{
	(void)state;
	assert_true(is_damaged_by(spoil_files, 0));
	assert_true(is_damaged_by(spoil_name, 0));
	assert_true(is_damaged_by(spoil_running, 0));
	assert_true(is_damaged_by(spoil_bound, 1));
	assert_false(is_damaged_by(spoil_bound, 0)); /* a bound that is not raised can be any number */
}

/* As the supervisor adds what another worker has found. */
static void add_finding(struct mz_session *session)
{
	const struct mz_step schedule[] = {{0, 0}, {2, 1}, {1, 0}};
	uint32_t n = session->nfindings++;
	session->findings[n] = (struct mz_session_finding){.kind = MZ_FINDING_EXIT, .steps = 3, .inputs = 1};
	memcpy(mz_session_schedule(session, n), schedule, sizeof schedule);
	session->inputs.nbytes = 4;
	memcpy(mz_session_found_inputs(session, n), "abc", 4);
}

static void what_was_found_goes_back_with_its_schedule(void **state)
{
	(void)state;
	struct mz_session_memory memory = open_sealed(0);
	mz_session_settle(&memory);
	add_finding(memory.session);
	mz_session_reopen(&memory);
	assert_ptr_equal(memory.session, memory.shared);
	assert_int_equal(memory.session->nfindings, 1);
	const struct mz_step *schedule = mz_session_schedule(memory.session, 0);
	assert_int_equal(schedule[1].thread, 2);
	assert_int_equal(schedule[1].choice, 1);
	assert_int_equal(schedule[2].thread, 1);
	assert_string_equal(mz_session_found_inputs(memory.session, 0), "abc");
	mz_session_close(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_session_has_the_whole_configuration),
	    cmocka_unit_test(what_nobody_touched_is_believed),
	    cmocka_unit_test(what_was_to_be_done_stays),
	    cmocka_unit_test(what_a_replay_has_to_know_is_taken_over),
	    cmocka_unit_test(what_makes_no_sense_is_noticed),
	    cmocka_unit_test(what_was_found_goes_back_with_its_schedule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
