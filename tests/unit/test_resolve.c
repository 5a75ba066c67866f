/* SPDX-License-Identifier: MIT
 *
 * From a recording to a trace: the words of findings, and recordings that are cut, damaged or from another world.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "recording_sample.h"
#include "report/resolve.h"
#include <stdlib.h>

static const char expected[] =
    "thread - 0 \"p+0x100\"\n"
    "thread 0 1 \"p+0x200\"\n"
    "thread - 0 -\n"
    "thread 1 2 \"p+0x300\"\n"
    "input 3 1 \"the name\" 0102ff\n"
    "step 0 0 1 write write - 4 5 \"heap block of 24 bytes from p+0x800, +8\" \"p+0x400\" - 0\n"
    "step 3 2 3 signal read preemption 0 - \"p+0x900\" \"p+0x401\" - 0\n"
    "step 1 0 1 read read - 4 - \"heap block of 48 bytes from p+0x801, +8\" \"p+0x402\" - 0\n"
    "finding data-race 3 3 \"data race on `p+0x904`: write of 4 bytes by main/1/2 against read of 4 bytes by main/1\" "
    "\"p+0x500\" - 0\n"
    "detail \"read of 4 bytes by main/1\" \"p+0x501\" - 0\n"
    "finding assertion 1 3 \"x == 2\" \"p+0x502\" \"p.c\" 14\n"
    "finding use-after-free 0 3 \"read of 4 bytes: heap block of 48 bytes from p+0x801, +16\" \"p+0x503\" - 0\n"
    "detail \"freed by main/1\" \"p+0x504\" - 0\n"
    "detail \"allocated by main: heap block of 48 bytes\" \"p+0x801\" - 0\n"
    "finding deadlock - 3 \"no thread can go on\" - - 0\n"
    "detail \"main/1 waits for the mutex that main holds: p+0x908\" \"p+0x505\" - 0\n"
    "detail \"and that is all\" - - 0\n"
    "end\n";

/* The items of a trace, as they are written. */
static char *items_of(struct mz_trace *trace)
{
	char *argv[] = {"p", NULL}, *text = NULL;
	size_t size;
	assert_int_equal(mz_trace_set_program(trace, argv), 0);
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(mz_trace_write(trace, out), 0);
	fclose(out);
	char *items = strstr(text, "\nthread ") + 1;
	memmove(text, items, strlen(items) + 1);
	return text;
}

static void everything(void **state)
{
	(void)state;
	struct recording r;
	struct mz_trace trace = {0};
	struct mz_record_end end_of_it;
	make_recording(&r);
	assert_int_equal(mz_trace_from_recording(&trace, r.bytes, r.size, "/some/dir", &end_of_it), 0);
	char *text = items_of(&trace);
	assert_string_equal(text, expected);
	assert_int_equal(trace.preemptions, 1);
	assert_int_equal(end_of_it.head.type, MZ_RECORD_END);
	assert_int_equal(end_of_it.end, 1);
	free(text);
	mz_trace_release(&trace);
}

/* Whatever is cut off, what remains is the beginning of the whole. */
static void cut_anywhere(void **state)
{
	(void)state;
	struct recording r;
	size_t longest = 0;
	make_recording(&r);
	for (size_t size = 0; size < r.size; size++) {
		struct mz_trace trace = {0};
		struct mz_record_end end_of_it;
		uint8_t *exact = malloc(size ? size : 1); /* so that a byte too far is noticed */
		memcpy(exact, r.bytes, size);
		assert_int_equal(mz_trace_from_recording(&trace, exact, size, "/some/dir", &end_of_it), 0);
		assert_int_equal(end_of_it.head.type, 0);
		char *text = items_of(&trace);
		assert_true(trace.nsteps + trace.nfindings >= longest);
		longest = trace.nsteps + trace.nfindings;
		free(text);
		free(exact);
		mz_trace_release(&trace);
	}
	assert_int_equal(longest, 7);
}

/* Whatever a byte becomes, a trace comes out that can be written. */
static void damaged_anywhere(void **state)
{
	static const uint8_t damage[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	(void)state;
	struct recording r;
	make_recording(&r);
	for (size_t i = 0; i < r.size * sizeof damage; i++) {
		struct mz_trace trace = {0};
		uint8_t *byte = &r.bytes[i / sizeof damage], was = *byte;
		*byte = damage[i % sizeof damage];
		assert_int_equal(mz_trace_from_recording(&trace, r.bytes, r.size, NULL, NULL), 0);
		free(items_of(&trace));
		mz_trace_release(&trace);
		*byte = was;
	}
}

/* The first record that makes no sense ends the stream. */
static void a_step_out_of_turn_ends_it(void **state)
{
	(void)state;
	struct recording r = {.size = 0};
	struct mz_trace trace = {0};
	put_step(&r, (struct mz_record_step){.index = 0, .op = MZ_OP_YIELD}, 0x1401);
	put_step(&r, (struct mz_record_step){.index = 2, .op = MZ_OP_YIELD}, 0x1401);
	put_step(&r, (struct mz_record_step){.index = 1, .op = MZ_OP_YIELD}, 0x1401);
	assert_int_equal(mz_trace_from_recording(&trace, r.bytes, r.size, NULL, NULL), 0);
	assert_int_equal(trace.nsteps, 1);
	assert_int_equal(trace.steps[0].alternatives, 1);
	mz_trace_release(&trace);
}

static void try_short(uint32_t type, uint32_t size)
{
	struct mz_trace trace = {0};
	struct mz_record_end end_of_it;
	struct mz_record *exact = calloc(1, size); /* so that a byte too far is noticed */
	*exact = (struct mz_record){type, size};
	assert_int_equal(mz_trace_from_recording(&trace, exact, size, NULL, &end_of_it), 0);
	assert_int_equal(trace.nsteps + trace.nfindings + end_of_it.head.type, 0);
	free(exact);
	mz_trace_release(&trace);
}

static void a_record_shorter_than_its_kind_ends_it(void **state)
{
	static const size_t sizes[] = {[MZ_RECORD_MODULE] = sizeof(struct mz_record_module),
	                               [MZ_RECORD_THREAD] = sizeof(struct mz_record_thread),
	                               [MZ_RECORD_STEP] = sizeof(struct mz_record_step),
	                               [MZ_RECORD_FINDING] = sizeof(struct mz_record_finding),
	                               [MZ_RECORD_DETAIL] = sizeof(struct mz_record_detail),
	                               [MZ_RECORD_BLOCK] = sizeof(struct mz_record_block),
	                               [MZ_RECORD_END] = sizeof(struct mz_record_end),
	                               [MZ_RECORD_INPUT] = sizeof(struct mz_record_input)};
	(void)state;
	for (uint32_t type = MZ_RECORD_MODULE; type <= MZ_RECORD_INPUT; type++)
		for (uint32_t size = 8; size < sizes[type]; size += 8) try_short(type, size);
}

static void no_memory_is_said(void **state)
{
	(void)state;
	struct recording r;
	int failed = 0;
	make_recording(&r);
	for (uint64_t n = 1;; n++, failed++) {
		struct mz_trace trace = {0};
		mz_alloc_fail_at(n);
		int result = mz_trace_from_recording(&trace, r.bytes, r.size, "/some/dir", NULL);
		mz_alloc_fail_at(0);
		mz_trace_release(&trace);
		if (result == 0) break;
	}
	assert_true(failed > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(everything),
	    cmocka_unit_test(cut_anywhere),
	    cmocka_unit_test(damaged_anywhere),
	    cmocka_unit_test(a_step_out_of_turn_ends_it),
	    cmocka_unit_test(a_record_shorter_than_its_kind_ends_it),
	    cmocka_unit_test(no_memory_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
