/* SPDX-License-Identifier: MIT
 *
 * Data races by the marks that accesses leave: what is reported for a few accesses that are known, and for random ones
 * whether anything is, against a list of all accesses and clocks of the test's own.
 */
#include "runtime/watch/race.h"
#include "base/alloc.h"
#include "base/random.h"
#include "stubs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { READ = 0, WRITE = MZ_RACE_WRITE, ATOMIC_READ = MZ_RACE_ATOMIC, ATOMIC_WRITE = MZ_RACE_WRITE | MZ_RACE_ATOMIC };

#define MEMORY 0x10000000UL /* of the program: nobody looks at what is there */

static struct mz_fiber *thread(uint32_t t)
{
	return &mz_rt.fibers[t];
}

/* Where the code of an access is: no two threads are at the same. */
static uintptr_t place_of(uint32_t t)
{
	return 0x400000 + t;
}

static void touch(uint32_t t, uintptr_t offset, size_t size, unsigned flags)
{
	mz_race_access(thread(t), MEMORY + offset, size, flags, place_of(t));
}

/* Everything new; all threads know their beginning, and nothing of each other. */
static int reset(void **unused)
{
	(void)unused;
	stub_reset();
	mz_rt.mode.finds_races = true;
	mz_race_reset();
	for (uint32_t t = 1; t < STUB_THREADS; t++) mz_clock_tick(&thread(t)->clocks.own, t);
	return 0;
}

/* ---- what is a race ---- */

static void test_which_accesses_race(void **unused)
{
	(void)unused;
	static const unsigned kinds[] = {READ, WRITE, ATOMIC_READ, ATOMIC_WRITE};
	static const char *const racing[] = {".x.x", "xxxx", ".x..", "xx.."};
	for (uintptr_t first = 0; first < 4; first++) {
		for (uintptr_t second = 0; second < 4; second++) {
			const uintptr_t word = 32 * (4 * first + second);
			const unsigned before = stub_nreports;
			touch(0, word, 8, kinds[first]);
			touch(0, word, 8, kinds[second]); /* of the same thread: never */
			assert_int_equal(stub_nreports, before);
			touch(0, word + 16, 8, kinds[first]);
			touch(1, word + 16, 8, kinds[second]);
			assert_int_equal(stub_nreports, before + (racing[first][second] == 'x'));
		}
	}
}

static void test_what_is_reported(void **unused)
{
	(void)unused;
	touch(0, 2, 4, WRITE); /* bytes 2 to 5 */
	touch(1, 4, 8, READ);  /* 4 to 11: two words */
	assert_int_equal(stub_nreports, 1);
	assert_int_equal(stub_report.kind, MZ_FINDING_DATA_RACE);
	assert_int_equal(stub_report.address, MEMORY + 4);
	assert_int_equal(stub_report.length, 2);
	assert_ptr_equal(stub_report.place.thread, thread(1));
	assert_int_equal(stub_report.place.address, place_of(1));
	assert_ptr_equal(stub_report.other.thread, thread(0));
	assert_int_equal(stub_report.other.address, place_of(0));
	assert_string_equal(stub_text, "read of 4 bytes against write of 4 bytes");
	touch(2, 5, 1, ATOMIC_WRITE);
	assert_int_equal(stub_nreports, 3); /* with both of them */
	assert_non_null(strstr(stub_text, "atomic write of 1 byte against "));
}

static void test_other_bytes_do_not_race(void **unused)
{
	(void)unused;
	for (uintptr_t byte = 0; byte < 8; byte++) touch((uint32_t)byte, byte, 1, WRITE);
	assert_int_equal(stub_nreports, 0);
	touch(9, 0, 8, READ);
	assert_int_equal(stub_nreports, 8);
}

static void test_more_readers_than_a_cell_has_room_for(void **unused)
{
	(void)unused;
	for (uint32_t t = 0; t < 12; t++) touch(t, 0, 8, READ);
	assert_int_equal(stub_nreports, 0);
	touch(15, 0, 8, WRITE);
	assert_int_equal(stub_nreports, 12);
}

static void test_nothing_is_looked_for_if_nobody_asked(void **unused)
{
	(void)unused;
	mz_rt.mode.finds_races = false;
	touch(0, 0, 8, WRITE);
	touch(1, 0, 8, WRITE);
	touch(2, 0, 8, ATOMIC_WRITE);
	assert_int_equal(stub_nreports, 0);
	assert_int_equal(stub_ntouched, 2);
}

static void test_another_execution_knows_nothing(void **unused)
{
	(void)unused;
	touch(0, 0, 8, WRITE);
	reset(NULL);
	touch(1, 0, 8, WRITE);
	assert_int_equal(stub_nreports, 0);
}

/* ---- order ---- */

static void test_releases_and_acquisitions(void **unused)
{
	(void)unused;
	struct mz_clock clock = {0};
	touch(0, 0, 8, WRITE);
	mz_race_release(thread(0), &clock);
	touch(0, 8, 8, WRITE); /* after it */
	assert_false(mz_race_knows(thread(1), &clock));
	mz_race_acquire(thread(1), &clock);
	assert_true(mz_race_knows(thread(1), &clock));
	touch(1, 0, 8, WRITE);
	assert_int_equal(stub_nreports, 0);
	touch(1, 8, 8, READ);
	assert_int_equal(stub_nreports, 1);
	mz_free(clock.counts);
}

/* Two threads each write a word and hand it on by one clock; a third one touches both words. */
static unsigned races_after(void (*hand_on)(struct mz_fiber *, struct mz_clock *))
{
	struct mz_clock clock = {0};
	reset(NULL);
	for (uint32_t t = 0; t < 2; t++) {
		touch(t, 8UL * t, 8, WRITE);
		hand_on(thread(t), &clock);
	}
	mz_race_acquire(thread(2), &clock);
	touch(2, 0, 16, WRITE);
	mz_free(clock.counts);
	return stub_nreports;
}

static void test_publishing_adds_and_releasing_replaces(void **unused)
{
	(void)unused;
	assert_int_equal(races_after(mz_race_publish), 0);
	assert_int_equal(races_after(mz_race_release), 1);
	assert_int_equal(stub_report.address, MEMORY);
}

/* A message by an atomic: whether its data race, for each way to write and to read it. */
static bool message_races(int store, int load, bool release_fence, bool acquire_fence)
{
	struct mz_object object = {0};
	reset(NULL);
	touch(0, 0, 8, WRITE);
	if (release_fence) mz_race_fence(thread(0), __ATOMIC_RELEASE);
	mz_race_atomic_store(thread(0), &object, store);
	mz_race_atomic_load(thread(1), &object, load);
	if (acquire_fence) mz_race_fence(thread(1), __ATOMIC_ACQUIRE);
	touch(1, 0, 8, READ);
	mz_free(object.clock.counts);
	return stub_nreports != 0;
}

static void test_orders_of_atomics(void **unused)
{
	(void)unused;
	enum {
		RELAXED = __ATOMIC_RELAXED,
		ACQUIRE = __ATOMIC_ACQUIRE,
		RELEASE = __ATOMIC_RELEASE,
		SEQ_CST = __ATOMIC_SEQ_CST
	};
	assert_false(message_races(RELEASE, ACQUIRE, false, false));
	assert_false(message_races(SEQ_CST, SEQ_CST, false, false));
	assert_false(message_races(RELEASE, __ATOMIC_CONSUME, false, false));
	assert_true(message_races(RELAXED, ACQUIRE, false, false));
	assert_true(message_races(RELEASE, RELAXED, false, false));
	assert_false(message_races(RELAXED, ACQUIRE, true, false));
	assert_false(message_races(RELEASE, RELAXED, false, true));
	assert_false(message_races(RELAXED, RELAXED, true, true));
	assert_true(message_races(RELAXED, RELAXED, true, false));
	assert_true(message_races(RELAXED, RELAXED, false, true));
}

/* What another thread does to the atomic between the message and its reader: an update goes on with the release
 * sequence, a store ends it. */
static bool message_races_behind(void (*by)(struct mz_fiber *, struct mz_object *, int))
{
	struct mz_object object = {0};
	reset(NULL);
	touch(0, 0, 8, WRITE);
	mz_race_atomic_store(thread(0), &object, __ATOMIC_RELEASE);
	by(thread(2), &object, __ATOMIC_RELAXED);
	mz_race_atomic_load(thread(1), &object, __ATOMIC_ACQUIRE);
	touch(1, 0, 8, READ);
	mz_free(object.clock.counts);
	return stub_nreports != 0;
}

static void test_release_sequences(void **unused)
{
	(void)unused;
	assert_false(message_races_behind(mz_race_atomic_update));
	assert_true(message_races_behind(mz_race_atomic_store));
}

static void test_what_releases(void **unused)
{
	(void)unused;
	assert_true(mz_race_releases(thread(0), __ATOMIC_ACQ_REL));
	assert_false(mz_race_releases(thread(0), __ATOMIC_ACQUIRE));
	mz_race_fence(thread(0), __ATOMIC_RELEASE);
	assert_true(mz_race_releases(thread(0), __ATOMIC_RELAXED));
	mz_rt.mode.finds_races = false;
	assert_false(mz_race_releases(thread(0), __ATOMIC_SEQ_CST));
}

/* ---- memory that is freed ---- */

static void test_freeing_is_a_write_to_all_of_it(void **unused)
{
	(void)unused;
	touch(0, 100, 1, ATOMIC_READ);
	mz_race_free(thread(1), MEMORY, 101, place_of(1));
	assert_int_equal(stub_nreports, 1);
	assert_string_equal(stub_text, "free against atomic read of 1 byte");
	mz_race_free(thread(1), MEMORY + 0x1000 - 8, 16, place_of(1));
	touch(2, 0x1000, 1, READ);
	assert_int_equal(stub_nreports, 2);
}

static void test_large_blocks_are_looked_at_where_they_were_used(void **unused)
{
	(void)unused;
	touch(0, 50 * 4096 + 8, 8, READ);
	touch(2, 101 * 4096 + 8, 8, READ); /* behind it */
	mz_race_free(thread(1), MEMORY + 24, 100 * 4096, place_of(1));
	assert_int_equal(stub_nreports, 1);
	assert_int_equal(stub_report.address, MEMORY + 50 * 4096 + 8);
}

static void test_pages_that_are_forgotten(void **unused)
{
	(void)unused;
	touch(0, 8, 8, WRITE);
	touch(0, 4096, 8, WRITE);
	mz_race_forget_page(MEMORY + 100);
	touch(1, 8, 8, WRITE);
	assert_int_equal(stub_nreports, 0);
	touch(1, 4096, 8, WRITE);
	assert_int_equal(stub_nreports, 1);
}

/* ---- questions ---- */

static void test_what_is_not_ordered(void **unused)
{
	(void)unused;
	uint32_t who;
	uintptr_t where;
	touch(3, 40, 8, READ);
	assert_false(mz_race_is_unordered(thread(3), MEMORY, MEMORY + 64, &who, &where)); /* its own */
	assert_false(mz_race_is_unordered(thread(1), MEMORY, MEMORY + 40, &who, &where));
	assert_true(mz_race_is_unordered(thread(1), MEMORY, MEMORY + 41, &who, &where));
	assert_int_equal(who, 3);
	assert_int_equal(where, place_of(3));
	mz_race_order(thread(3), thread(1));
	assert_false(mz_race_is_unordered(thread(1), MEMORY, MEMORY + 64, &who, &where));
}

/* Whether an atomic operation may find another value than the last one left: since a plain write, until an atomic
 * operation has seen it. */
static void test_what_explains_another_value(void **unused)
{
	(void)unused;
	touch(0, 0, 4, ATOMIC_WRITE);
	assert_false(mz_race_explains(MEMORY, 4));
	touch(0, 0, 4, WRITE);
	touch(0, 0, 4, ATOMIC_READ); /* the operation that finds it */
	assert_true(mz_race_explains(MEMORY, 4));
	touch(0, 0, 4, ATOMIC_READ);
	assert_false(mz_race_explains(MEMORY, 4));
	touch(0, 0, 4, WRITE);
	touch(0, 0, 4, ATOMIC_READ);
	assert_true(mz_race_explains(MEMORY, 4));
	assert_false(mz_race_explains(MEMORY + 4, 4));
	touch(0, 12, 4, ATOMIC_WRITE);
	assert_true(mz_race_explains(MEMORY + 8, 8)); /* to other bytes than those together */
}

/* ---- states ---- */

static void test_states_come_back(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	for (uint32_t t = 0; t < 6; t++) touch(t, 0, 8, READ);
	touch(0, 8, 8, WRITE);
	mz_race_store(&state);
	touch(0, 16, 8, WRITE);
	mz_race_order(thread(0), thread(7));
	touch(7, 8, 8, WRITE);
	touch(6, 0, 8, READ);
	assert_int_equal(stub_nreports, 0);
	mz_rt.generation++; /* as whoever goes back does */
	mz_race_load(&state);
	touch(8, 0, 8, WRITE);
	assert_int_equal(stub_nreports, 6); /* with those six */
	touch(8, 16, 8, WRITE);
	assert_int_equal(stub_nreports, 6); /* which nobody had touched */
	touch(8, 8, 8, WRITE);
	assert_int_equal(stub_nreports, 7);
	assert_ptr_equal(stub_report.other.thread, thread(0));
	mz_free(state.bytes);
}

/* ---- random accesses ---- */

enum { THREADS = 5, LOCKS = 3, WORDS = 3 };

struct past {
	uint32_t thread, clock;
	uintptr_t low, high;
	unsigned flags;
};

/* The happens-before relation by its definition: an event of a thread for each release. */
struct judge {
	uint32_t knows[THREADS][THREADS], locks[LOCKS][THREADS];
	struct past past[400];
	unsigned npast;
	unsigned nracing; /* accesses that race, in all rounds */
};

static bool is_race(const struct judge *judge, const struct past *old, const struct past *now)
{
	bool overlap = old->low < now->high && now->low < old->high;
	bool conflict = ((old->flags | now->flags) & MZ_RACE_WRITE) && !(old->flags & now->flags & MZ_RACE_ATOMIC);
	bool ordered = old->thread == now->thread || old->clock <= judge->knows[now->thread][old->thread];
	return overlap && conflict && !ordered;
}

static void access_both(struct judge *judge, struct mz_random *random, uint32_t t)
{
	static const unsigned kinds[] = {READ, READ, READ, WRITE, ATOMIC_READ, ATOMIC_WRITE};
	uintptr_t low = mz_random_below(random, 8 * WORDS);
	size_t size = 1UL << mz_random_below(random, 4);
	if (mz_random_below(random, 4)) low &= -size;
	struct past now = {t, judge->knows[t][t], low, low + size, kinds[mz_random_below(random, 6)]};
	bool races = false;
	for (unsigned n = 0; n < judge->npast; n++) races |= is_race(judge, &judge->past[n], &now);
	const unsigned before = stub_nreports;
	touch(t, low, size, now.flags);
	assert_int_equal(stub_nreports > before, races);
	judge->nracing += races;
	judge->past[judge->npast++] = now;
}

static void join(uint32_t *clock, const uint32_t *other)
{
	for (uint32_t t = 0; t < THREADS; t++)
		if (other[t] > clock[t]) clock[t] = other[t];
}

static void synchronize_both(struct judge *judge, struct mz_random *random, uint32_t t, struct mz_clock *clocks)
{
	uint32_t lock = mz_random_below(random, LOCKS), way = mz_random_below(random, 4);
	if (way < 2) {
		mz_race_acquire(thread(t), &clocks[lock]);
		join(judge->knows[t], judge->locks[lock]);
		return;
	}
	if (way == 2) {
		mz_race_release(thread(t), &clocks[lock]);
		memcpy(judge->locks[lock], judge->knows[t], sizeof judge->locks[lock]);
	} else {
		mz_race_publish(thread(t), &clocks[lock]);
		join(judge->locks[lock], judge->knows[t]);
	}
	judge->knows[t][t]++;
}

static void test_random_accesses(void **unused)
{
	(void)unused;
	struct mz_random random = {4};
	struct mz_clock clocks[LOCKS] = {{0}};
	static struct judge judge;
	for (int round = 0; round < 400; round++) {
		reset(NULL);
		judge = (struct judge){.nracing = judge.nracing};
		for (uint32_t t = 0; t < THREADS; t++) judge.knows[t][t] = 1;
		for (int n = 0; n < LOCKS; n++) mz_clock_clear(&clocks[n]);
		const uint32_t often = 1 + mz_random_below(&random, 4);
		while (judge.npast < 60) {
			uint32_t t = mz_random_below(&random, THREADS);
			if (mz_random_below(&random, often))
				synchronize_both(&judge, &random, t, clocks);
			else
				access_both(&judge, &random, t);
		}
	}
	assert_in_range(judge.nracing, 1000, 400 * 60 - 1000); /* both kinds were tried */
	for (int n = 0; n < LOCKS; n++) mz_free(clocks[n].counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_which_accesses_race, reset),
	    cmocka_unit_test_setup(test_what_is_reported, reset),
	    cmocka_unit_test_setup(test_other_bytes_do_not_race, reset),
	    cmocka_unit_test_setup(test_more_readers_than_a_cell_has_room_for, reset),
	    cmocka_unit_test_setup(test_nothing_is_looked_for_if_nobody_asked, reset),
	    cmocka_unit_test_setup(test_another_execution_knows_nothing, reset),
	    cmocka_unit_test_setup(test_releases_and_acquisitions, reset),
	    cmocka_unit_test_setup(test_publishing_adds_and_releasing_replaces, reset),
	    cmocka_unit_test_setup(test_orders_of_atomics, reset),
	    cmocka_unit_test_setup(test_release_sequences, reset),
	    cmocka_unit_test_setup(test_what_releases, reset),
	    cmocka_unit_test_setup(test_freeing_is_a_write_to_all_of_it, reset),
	    cmocka_unit_test_setup(test_large_blocks_are_looked_at_where_they_were_used, reset),
	    cmocka_unit_test_setup(test_pages_that_are_forgotten, reset),
	    cmocka_unit_test_setup(test_what_is_not_ordered, reset),
	    cmocka_unit_test_setup(test_what_explains_another_value, reset),
	    cmocka_unit_test_setup(test_states_come_back, reset),
	    cmocka_unit_test_setup(test_random_accesses, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
