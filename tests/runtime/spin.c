/* SPDX-License-Identifier: MIT
 *
 * Threads that spin: which ones are found to have come back, what they then wait for, and what lets them go.
 */
#include "runtime/watch/spin.h"
#include "base/alloc.h"
#include "stubs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FLAG 0x1000UL /* objects */
#define OTHER 0x2000UL
#define LOOP 0x400100UL /* places in the code */
#define BEHIND 0x400200UL

static uint64_t stacks[STUB_THREADS][64];

static struct mz_fiber *thread(uint32_t t)
{
	return &mz_rt.fibers[t];
}

static int reset(void **unused)
{
	(void)unused;
	stub_reset();
	memset(stacks, 0, sizeof stacks);
	mz_rt.mode.spinning_waits = true;
	mz_notes_others = MZ_NOTES_ALL; /* stacks are compared */
	for (uint32_t t = 0; t < STUB_THREADS; t++) {
		thread(t)->stack_low = (uint8_t *)stacks[t];
		thread(t)->stack_high = thread(t)->spin.base = (uint8_t *)(stacks[t] + 64);
		thread(t)->stack_lowest = thread(t)->stack_high;
	}
	mz_spin_reset();
	return 0;
}

/* Puts the thread at a call at `place`, with the upper half of its stack in use, about to read the bytes `mask` of an
 * object. */
static void arrive(uint32_t t, uintptr_t place, uint64_t object, uint8_t mask)
{
	struct mz_fiber *self = thread(t);
	mz_caller = (struct mz_caller){.place = place, .sp = (uint8_t *)(stacks[t] + 32)};
	self->accesses = self->own_accesses;
	self->accesses[0] = (struct mz_access){.object = object, .mask = mask, .kind = MZ_READ};
}

/* It reads. Returns whether it can go on at once. */
static bool reads_bytes(uint32_t t, uintptr_t place, uint64_t object, uint8_t mask)
{
	arrive(t, place, object, mask);
	mz_spin_visible(thread(t), mz_operation(MZ_OP_LOAD, 1), 0, place);
	return stub_operation.enabled;
}

static void commit(uint32_t t)
{
	mz_spin_commit(thread(t), MZ_OP_LOAD, 1);
}

/* It reads and has read, if it can. */
static bool reads(uint32_t t, uintptr_t place, uint64_t object)
{
	bool enabled = reads_bytes(t, place, object, 0xff);
	if (enabled) commit(t);
	return enabled;
}

static void writes_bytes(uint32_t t, uint64_t object, uint8_t mask)
{
	struct mz_fiber *self = thread(t);
	self->accesses = self->own_accesses;
	self->accesses[0] = (struct mz_access){.object = object, .mask = mask, .kind = MZ_WRITE};
	mz_spin_commit(self, MZ_OP_STORE, 1);
}

static void writes(uint32_t t, uint64_t object)
{
	writes_bytes(t, object, 0xff);
}

/* ---- who has come back ---- */

static void test_the_same_place_in_the_same_state(void **unused)
{
	(void)unused;
	assert_true(reads(1, LOOP, FLAG));
	assert_false(reads(1, LOOP, FLAG));
	assert_true(mz_spin_waits(thread(1)));
	assert_int_equal(stub_operation.naccesses, 1);
	assert_int_equal(thread(1)->accesses[0].age, 1);
	assert_false(mz_spin_waits(thread(2)));
}

static void test_what_makes_a_state_another(void **unused)
{
	(void)unused;
	assert_true(reads(1, LOOP, FLAG));
	assert_true(reads(1, BEHIND, FLAG)); /* another place */
	assert_true(reads(1, LOOP, OTHER));
	assert_true(reads_bytes(1, LOOP, FLAG, 0x0f)); /* other bytes */
	commit(1);
	stacks[1][40] = 1; /* another variable */
	assert_true(reads(1, LOOP, FLAG));
	stacks[1][40] = 0;
	stacks[1][20] = 1; /* that one is not in use */
	assert_false(reads(1, LOOP, FLAG));
	arrive(1, LOOP, FLAG, 0xff);
	mz_caller.registers[5] = 1;
	mz_spin_visible(thread(1), mz_operation(MZ_OP_LOAD, 1), 0, LOOP);
	assert_true(stub_operation.enabled);
	arrive(1, LOOP, FLAG, 0xff);
	mz_spin_visible(thread(1), mz_operation(MZ_OP_LOAD, 1), 77, LOOP); /* another argument */
	assert_true(stub_operation.enabled);
	arrive(1, LOOP, FLAG, 0xff);
	thread(1)->accesses[0].expected = 3;
	mz_spin_visible(thread(1), mz_operation(MZ_OP_LOAD, 1), 0, LOOP);
	assert_true(stub_operation.enabled);
}

static void test_who_did_something_else_is_not_spinning(void **unused)
{
	(void)unused;
	reads(1, LOOP, FLAG);
	writes(1, OTHER);
	assert_true(reads(1, LOOP, FLAG));
	mz_spin_write(thread(1), OTHER, 8); /* plain, and outside of its stack */
	assert_true(reads(1, LOOP, FLAG));
	mz_spin_write(thread(1), (uintptr_t)&stacks[1][3], 8); /* on it: that is part of the state */
	assert_false(reads(1, LOOP, FLAG));
}

static void test_calls_that_were_not_noted(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		arrive(1, LOOP, FLAG, 0xff);
		mz_caller.place = 0;
		mz_spin_visible(thread(1), mz_operation(MZ_OP_LOAD, 1), 0, LOOP);
		assert_true(stub_operation.enabled);
		commit(1);
	}
	mz_rt.mode.spinning_waits = false;
	assert_true(reads(1, LOOP, FLAG));
	assert_true(reads(1, LOOP, FLAG));
}

/* As long as no thread was seen to come back, stacks are not compared: the first time the search begins anew. */
static void test_the_first_loop_begins_the_search_anew(void **unused)
{
	(void)unused;
	mz_notes_others = 0;
	assert_true(reads(1, LOOP, FLAG));
	assert_gives_up(reads(1, LOOP, FLAG), "restart");
	assert_int_equal(mz_rt.session->learned.loops, 1);
}

/* ---- what it waits for ---- */

static void test_a_loop_over_two_words(void **unused)
{
	(void)unused;
	assert_true(reads(1, LOOP, FLAG));
	assert_true(reads(1, BEHIND, OTHER));
	assert_false(reads(1, LOOP, FLAG));
	assert_int_equal(stub_operation.naccesses, 2);
	const struct mz_access *accesses = thread(1)->accesses;
	assert_int_equal(accesses[0].object, FLAG);
	assert_false(accesses[0].only_waited);
	assert_int_equal(accesses[0].age, 2);
	assert_int_equal(accesses[1].object, OTHER);
	assert_true(accesses[1].only_waited);
	assert_int_equal(accesses[1].age, 1);
	writes(2, OTHER);
	assert_false(mz_spin_waits(thread(1)));
	assert_int_equal(mz_spin_commit(thread(1), MZ_OP_LOAD, 1), 2);
	assert_int_equal(accesses[1].before, mz_objects_state(OTHER));
}

static void test_what_lets_it_go(void **unused)
{
	(void)unused;
	assert_true(reads_bytes(1, LOOP, FLAG, 0x0f));
	commit(1);
	assert_false(reads_bytes(1, LOOP, FLAG, 0x0f));
	writes(2, OTHER);
	writes_bytes(2, FLAG, 0xf0);
	assert_true(mz_spin_waits(thread(1)));
	writes_bytes(2, FLAG, 0x18);
	assert_false(mz_spin_waits(thread(1)));
}

static void test_what_was_written_before_it_came_back(void **unused)
{
	(void)unused;
	assert_true(reads(1, LOOP, FLAG));
	writes(2, FLAG);
	assert_true(reads(1, LOOP, FLAG)); /* it has not seen that yet */
	assert_false(reads(1, LOOP, FLAG));
}

static void test_all_that_wait_are_let_go(void **unused)
{
	(void)unused;
	for (uint32_t t = 1; t < 5; t++) {
		assert_true(reads(t, LOOP, t < 4 ? FLAG : OTHER));
		assert_false(reads(t, LOOP, t < 4 ? FLAG : OTHER));
	}
	writes(0, FLAG);
	for (uint32_t t = 1; t < 5; t++) assert_int_equal(mz_spin_waits(thread(t)), t == 4);
}

/* ---- clocks ---- */

static enum mz_clock_reading looks_at(uint32_t t, uintptr_t place, uint32_t *times)
{
	arrive(t, place, 0, 0);
	return mz_spin_at_clock(thread(t), place, times);
}

static enum mz_clock_reading looks(uint32_t t)
{
	uint32_t times = 0;
	enum mz_clock_reading reading = looks_at(t, LOOP, &times);
	if (reading == MZ_CLOCK_ROUND) mz_spin_forget_round(thread(t), 3);
	return reading;
}

static void test_who_looks_at_a_clock_waits_for_time(void **unused)
{
	(void)unused;
	assert_int_equal(looks(1), MZ_CLOCK_NEW);
	assert_int_equal(looks(1), MZ_CLOCK_ROUND); /* it has come back */
	assert_int_equal(looks(1), MZ_CLOCK_AGAIN); /* the round is forgotten, the place is not */
	assert_true(reads(2, BEHIND, FLAG));
	assert_int_equal(looks(2), MZ_CLOCK_NEW);
	assert_true(reads(2, BEHIND, FLAG)); /* time passes for it: it does not wait for a write */
	assert_true(reads(3, BEHIND, FLAG));
	assert_int_equal(looks(3), MZ_CLOCK_NEW);
	thread(3)->clock_rounds = MZ_CLOCK_ROUNDS;
	assert_false(reads(3, BEHIND, FLAG)); /* enough has passed, and it waits for something else */
}

static void test_readings_of_a_clock_from_one_place(void **unused)
{
	(void)unused;
	uint32_t times = 0;
	assert_int_equal(looks_at(1, LOOP, &times), MZ_CLOCK_NEW);
	assert_int_equal(looks_at(1, BEHIND, &times), MZ_CLOCK_NEW);
	for (uint32_t n = 2; n < 1000; n++) {
		stacks[1][40] = n;
		assert_int_equal(looks_at(1, LOOP, &times), MZ_CLOCK_AGAIN);
		assert_int_equal(times, n);
	}
	assert_true(reads(1, BEHIND, FLAG));
	stacks[1][40]++;
	assert_int_equal(looks_at(1, LOOP, &times), MZ_CLOCK_POLLS);
	stacks[1][40]++;
	assert_int_equal(looks_at(1, LOOP, &times), MZ_CLOCK_AGAIN);
	writes(1, OTHER);
	assert_int_equal(looks_at(1, LOOP, &times), MZ_CLOCK_NEW);
	assert_int_equal(times, 1);
}

/* ---- states ---- */

static void test_states_come_back(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	reads(1, LOOP, FLAG);
	writes(2, OTHER);
	mz_spin_store(&state);
	const struct mz_spin then = thread(1)->spin;
	writes(1, OTHER);
	reads(1, BEHIND, OTHER);
	writes(2, FLAG);
	mz_spin_load(&state);
	thread(1)->spin = then; /* with the thread itself */
	assert_int_equal(state.at, state.size);
	assert_false(reads(1, LOOP, FLAG)); /* as if nothing had been written */
	mz_free(state.bytes);
}

static void test_longer_loops_than_are_kept_are_not_recognised(void **unused)
{
	(void)unused;
	for (int round = 0; round < 2; round++)
		for (uint64_t n = 0; n < 1500; n++) assert_true(reads(1, LOOP + n, FLAG + 8 * n));
	for (uint64_t n = 0; n < 1000; n++) assert_true(reads(2, LOOP + n, FLAG + 8 * n));
	assert_false(reads(2, LOOP, FLAG));
	assert_int_equal(stub_operation.naccesses, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_the_same_place_in_the_same_state, reset),
	    cmocka_unit_test_setup(test_what_makes_a_state_another, reset),
	    cmocka_unit_test_setup(test_who_did_something_else_is_not_spinning, reset),
	    cmocka_unit_test_setup(test_calls_that_were_not_noted, reset),
	    cmocka_unit_test_setup(test_the_first_loop_begins_the_search_anew, reset),
	    cmocka_unit_test_setup(test_a_loop_over_two_words, reset),
	    cmocka_unit_test_setup(test_what_lets_it_go, reset),
	    cmocka_unit_test_setup(test_what_was_written_before_it_came_back, reset),
	    cmocka_unit_test_setup(test_all_that_wait_are_let_go, reset),
	    cmocka_unit_test_setup(test_who_looks_at_a_clock_waits_for_time, reset),
	    cmocka_unit_test_setup(test_readings_of_a_clock_from_one_place, reset),
	    cmocka_unit_test_setup(test_states_come_back, reset),
	    cmocka_unit_test_setup(test_longer_loops_than_are_kept_are_not_recognised, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
