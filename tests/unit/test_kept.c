/* SPDX-License-Identifier: MIT
 *
 * What a session found, as bytes (explorer/kept.c): it is the same when it is read again, and damaged bytes do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "explorer/kept.h"
#include "explorer/supervisor.h"
#include <stdio.h>

#define STEPS 10

static struct mz_session_memory written, again;

static int open_session(struct mz_session_memory *memory)
{
	struct mz_configuration configuration = mz_configuration_default();
	configuration.max_steps = STEPS;
	return mz_session_open(memory, &configuration, MZ_MODE_EXPLORE);
}

static int open_both(void **state)
{
	(void)state;
	return open_session(&written) | open_session(&again);
}

static int close_both(void **state)
{
	(void)state;
	mz_session_close(&written);
	mz_session_close(&again);
	return 0;
}

static void fill(struct mz_session *session)
{
	struct mz_session_hidden hidden = {.kind = MZ_HIDDEN_CODE, .code = 7};
	session->executions = 5;
	session->redundant = 6;
	for (uint32_t i = 0; i < 2; i++) {
		struct mz_step *schedule = mz_session_schedule(session, i);
		for (uint32_t n = 0; n <= i; n++) schedule[n].thread = 10 * i + n;
		session->findings[i] =
		    (struct mz_session_finding){.kind = MZ_FINDING_ASSERTION,
		                                .key = i,
		                                .steps = i + 1,
		                                .schedule = (uint64_t)((char *)schedule - (char *)session),
		                                .message = "text"};
	}
	session->nfindings = 2;
	mz_session_hide(session, &hidden);
	snprintf(session->uncontrolled[1].name, sizeof session->uncontrolled[1].name, "call");
	session->uncontrolled[1].calls = 3;
	session->unseen.object = 17;
	session->unseen.filled = 1;
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	size_t size;
	fill(written.session);
	void *bytes = mz_kept_write(written.session, &size);
	assert_true(mz_kept_read(again.session, bytes, size));
	const struct mz_session *session = again.session;
	assert_int_equal(session->executions, 5);
	assert_int_equal(session->redundant, 6);
	assert_int_equal(session->nfindings, 2);
	assert_int_equal(session->findings[1].key, 1);
	assert_int_equal(mz_session_schedule(again.session, 1)[1].thread, 11);
	assert_int_equal((uintptr_t)session + session->findings[1].schedule,
	                 (uintptr_t)mz_session_schedule(again.session, 1));
	assert_int_equal(session->hidden[0].code, 7);
	assert_int_equal(session->uncontrolled[1].calls, 3);
	assert_int_equal(session->unseen.object, 17);
	mz_free(bytes);
}

/* Whatever is read is within its limits. */
static void damaged_bytes_do_no_harm(void **state)
{
	(void)state;
	size_t size;
	uint64_t random = 1;
	fill(written.session);
	uint8_t *bytes = mz_kept_write(written.session, &size);
	for (int round = 0; round < 3000; round++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		size_t at = (random >> 20) % size, cut = round % 3 ? size : (random >> 8) % size;
		uint8_t *copy = mz_alloc(cut + 1);
		memcpy(copy, bytes, cut);
		if (at < cut) copy[at] ^= (uint8_t)(1 + random % 255);
		if (mz_kept_read(again.session, copy, cut)) {
			assert_true(again.session->nfindings <= MZ_SESSION_FINDINGS);
			for (uint32_t i = 0; i < again.session->nfindings; i++)
				assert_true(again.session->findings[i].steps <= STEPS);
			assert_int_equal(cut, size);
		}
		mz_free(copy);
	}
	mz_free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_written_is_read, open_both, close_both),
	    cmocka_unit_test_setup_teardown(damaged_bytes_do_no_harm, open_both, close_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
