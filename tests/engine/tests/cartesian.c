/* SPDX-License-Identifier: MIT
 *
 * Stateful search: the figures of the paper at its granularity, its examples, and what happens at limits.
 */
#include "engine/stateful/cartesian.h"
#include "base/alloc.h"
#include "build.h"
#include "explorer/states.h"
#include "model.h"
#include "stateful.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY ((size_t)64 << 20)

struct outcome {
	enum mz_cartesian_end end;
	struct mz_cartesian_counts counts;
	uint32_t states; /* known */
};

/* --- programs of the paper --- */

static struct outcome search(struct mz_cartesian_options options, size_t memory_size, bool exact)
{
	struct mz_states_memory memory;
	struct outcome o = {.end = MZ_CARTESIAN_NO_MEMORY};
	assert_int_equal(mz_states_open(&memory, memory_size, exact), 0);
	struct mz_states_user user = {.states = memory.states};
	struct mz_frontier frontier = mz_states_frontier(&user);
	options.frontier = &frontier;
	struct mz_cartesian *c = mz_cartesian_new(&options);
	if (c) {
		o.end = mz_cartesian_run(c);
		o.counts = mz_cartesian_counts(c);
	}
	o.states = mz_states_counts(memory.states).states;
	mz_cartesian_free(c);
	mz_states_close(&memory);
	return o;
}

enum form { STATES, PUBLISHED, OURS };

static void check_model(const char *name, uint32_t one, uint32_t two, enum form form, uint32_t states, uint64_t steps)
{
	struct model_run run;
	size_t n = 0;
	while (strcmp(models[n]->name, name) != 0) n++;
	model_run_init(&run, models[n], (uint32_t[]){one, two});
	struct mz_stateful program = model_run_program(&run);
	struct outcome o = search((struct mz_cartesian_options){.program = &program,
	                                                        .minimal = form == STATES,
	                                                        .as_published = form == PUBLISHED,
	                                                        .keep_going = true,
	                                                        .max_steps = 1000000},
	                          MEMORY, true);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_int_equal(o.counts.cut, 0);
	assert_int_equal(o.states, states);
	assert_int_equal(o.counts.states, states);
	assert_int_equal(o.counts.steps, steps);
	assert_int_equal(run.found, strcmp(name, "philosophers") == 0);
	model_run_release(&run);
}

static void test_indexer(void **state)
{
	(void)state;
	uint32_t all = 5 * 5;
	for (uint32_t n = 2; n <= 5; n++, all *= 5)
		check_model("indexer", n, 0, STATES, all, (uint64_t)all * n * 4 / 5);
	for (uint32_t n = 2; n <= 11; n++) {
		check_model("indexer", n, 0, PUBLISHED, 1, 4 * n);
		check_model("indexer", n, 0, OURS, 1, 4 * n);
	}
	static const uint64_t steps[] = {390, 3456, 30618};
	uint32_t reduced = 9;
	for (uint32_t n = 12; n <= 14; n++, reduced *= 9) {
		check_model("indexer", n, 0, PUBLISHED, reduced, steps[n - 12]);
		check_model("indexer", n, 0, OURS, reduced, steps[n - 12]);
	}
}

static void test_file_system(void **state)
{
	(void)state;
	uint32_t all = 9 * 9;
	for (uint32_t n = 2; n <= 4; n++, all *= 9)
		check_model("file-system", n, 0, STATES, all, (uint64_t)all * n * 8 / 9);
	for (uint32_t n = 2; n <= 13; n++) check_model("file-system", n, 0, OURS, 1, 8 * n);
	for (uint32_t n = 2; n <= 13; n++) check_model("file-system", n, 0, PUBLISHED, 1, 8 * n);
	check_model("file-system", 14, 0, PUBLISHED, 10, 1025);
	check_model("file-system", 15, 0, PUBLISHED, 100, 10100);
	check_model("file-system", 16, 0, PUBLISHED, 1000, 99500);
	check_model("file-system", 14, 0, OURS, 5, 524);
	check_model("file-system", 15, 0, OURS, 25, 2640);
	check_model("file-system", 16, 0, OURS, 125, 13300);
}

static void test_others(void **state)
{
	(void)state;
	check_model("sharedptr", 0, 0, STATES, 32131, 64262);
	check_model("sharedptr", 0, 0, PUBLISHED, 418, 12154);
	check_model("sharedarray", 0, 0, STATES, 2276, 4552);
	check_model("sharedarray", 0, 0, PUBLISHED, 132, 1448);
	check_model("robots", 2, 0, STATES, 4877, 9754);
	check_model("robots", 2, 0, PUBLISHED, 56, 2581);
	check_model("robots", 3, 0, OURS, 56, 6333);
	check_model("cmis", 2, 8, STATES, 16430, 115010);
	static const uint32_t philosophers[] = {11, 36, 119, 393};
	for (uint32_t n = 2; n <= 5; n++)
		check_model("philosophers", n, 0, STATES, philosophers[n - 2], (uint64_t)philosophers[n - 2] * n);
}

/* --- examples of the paper, and limits --- */

static uint32_t witnesses, last_length;

static void see(void *self, const struct mz_step *schedule, uint32_t steps)
{
	(void)self;
	(void)schedule;
	witnesses++;
	last_length = steps;
}

static struct outcome search_script(const struct script *script, struct mz_cartesian_options options, size_t memory)
{
	struct stateful_script s;
	stateful_script_init(&s, script);
	s.see = see;
	struct mz_stateful program = stateful_script_program(&s, true);
	options.program = &program;
	if (!options.max_steps) options.max_steps = 1000;
	witnesses = 0;
	struct outcome o = search(options, memory, false);
	assert_int_equal(s.in_use, 0);
	stateful_script_release(&s);
	return o;
}

/* Figure 5: three additions to one's own variable, and a look at the other's: (0,0), (3,0), (0,3), (3,3), and those
 * that two of them lead to. */
static void build_figure_5(struct script *s)
{
	script_init(s, 2, 2, 0, 0);
	for (uint32_t t = 0; t < 2; t++) {
		for (int n = 0; n < 3; n++) add(s, t, ADD(t, 1));
		add(s, t, LOAD(1 - t));
	}
}

static void test_figure_5(void **state)
{
	(void)state;
	struct script s;
	build_figure_5(&s);
	struct outcome all = search_script(&s, (struct mz_cartesian_options){.minimal = true}, MEMORY);
	/* 25 pairs of places, and what each has seen of the other */
	assert_int_equal(all.end, MZ_CARTESIAN_DONE);
	assert_true(all.states >= 25);
	struct outcome o = search_script(&s, (struct mz_cartesian_options){0}, MEMORY);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_true(o.states < all.states / 2);
	script_release(&s);
}

/* A thread that goes round in circles by itself is one vector. */
static void test_for_ever(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 2, 2, 0, 0);
	for (uint32_t t = 0; t < 2; t++) {
		add(&s, t, {.kind = SCRIPT_ADD, .mask = 0xff, .object = t, .value = 1, .expected = 7});
		add(&s, t, {.kind = SCRIPT_JUMP, .other = 1});
	}
	struct outcome o = search_script(&s, (struct mz_cartesian_options){0}, MEMORY);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_int_equal(o.states, 1);
	assert_int_equal(o.counts.ends, 1);
	/* the register has what was there before: 7 rounds, and one more */
	assert_int_equal(o.counts.steps, 2 * 8);
	o = search_script(&s, (struct mz_cartesian_options){.minimal = true}, MEMORY);
	assert_int_equal(o.states, 8 * 8);
	script_release(&s);
}

static void build_deadlock(struct script *s)
{
	script_init(s, 2, 0, 2, 0);
	for (uint32_t t = 0; t < 2; t++) {
		add(s, t, LOCK(t));
		add(s, t, LOCK(1 - t));
		add(s, t, UNLOCK(1 - t));
		add(s, t, UNLOCK(t));
	}
}

static void test_deadlock(void **state)
{
	(void)state;
	struct script s;
	build_deadlock(&s);
	struct outcome o = search_script(&s, (struct mz_cartesian_options){0}, MEMORY);
	assert_int_equal(o.end, MZ_CARTESIAN_FOUND);
	assert_int_equal(witnesses, 1);
	assert_int_equal(last_length, 2);
	o = search_script(&s, (struct mz_cartesian_options){.keep_going = true}, MEMORY);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_int_equal(o.counts.found, witnesses);
	script_release(&s);
}

/* What is beyond the limit is told. */
static void test_cut(void **state)
{
	(void)state;
	struct script s;
	script_init(&s, 1, 1, 0, 0);
	for (int n = 0; n < 10; n++) add(&s, 0, STORE(0, 1));
	for (unsigned minimal = 0; minimal < 2; minimal++) {
		struct mz_cartesian_options options = {.minimal = minimal, .max_steps = 9};
		struct outcome o = search_script(&s, options, MEMORY);
		assert_int_equal(o.end, MZ_CARTESIAN_DONE);
		assert_int_equal(o.counts.cut, 1);
		assert_int_equal(o.counts.ends, 0);
		options.max_steps = 10;
		o = search_script(&s, options, MEMORY);
		assert_int_equal(o.counts.cut, 0);
		assert_int_equal(o.counts.ends, 1);
	}
	script_release(&s);
}

static bool stop_after(void *self)
{
	unsigned *left = self;
	return *left == 0 || --*left == 0;
}

static void test_stop(void **state)
{
	(void)state;
	struct script s;
	build_figure_5(&s);
	unsigned left = 3;
	struct outcome o =
	    search_script(&s, (struct mz_cartesian_options){.stop = stop_after, .stopper = &left}, MEMORY);
	assert_int_equal(o.end, MZ_CARTESIAN_STOPPED);
	script_release(&s);
}

static void test_full(void **state)
{
	(void)state;
	struct model_run run;
	size_t n = 0;
	while (strcmp(models[n]->name, "indexer") != 0) n++;
	model_run_init(&run, models[n], (uint32_t[]){6, 0});
	struct mz_stateful program = model_run_program(&run);
	struct outcome o = search(
	    (struct mz_cartesian_options){.program = &program, .minimal = true, .max_steps = 1000}, 300000, false);
	assert_int_equal(o.end, MZ_CARTESIAN_FULL);
	assert_true(o.states > 0 && o.states < 15625);
	model_run_release(&run);
}

/* Whichever allocation fails, the search ends, and says so. */
static void test_no_memory(void **state)
{
	(void)state;
	struct script s;
	build_deadlock(&s);
	add(&s, 0, {.kind = SCRIPT_CHOOSE, .value = 3});
	add(&s, 0, {.kind = SCRIPT_POKE, .mask = 0xff, .object = 0});
	s.nwords = 1;
	for (unsigned minimal = 0; minimal < 2; minimal++) {
		enum mz_cartesian_end end = MZ_CARTESIAN_NO_MEMORY;
		uint64_t n = 1;
		for (; end == MZ_CARTESIAN_NO_MEMORY; n++) {
			mz_alloc_fail_at(n);
			end = search_script(&s, (struct mz_cartesian_options){.minimal = minimal, .keep_going = true},
			                    MEMORY)
			          .end;
			mz_alloc_fail_at(0);
		}
		assert_int_equal(end, MZ_CARTESIAN_DONE);
		assert_true(n > 8);
	}
	script_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_indexer),   cmocka_unit_test(test_file_system), cmocka_unit_test(test_others),
	    cmocka_unit_test(test_figure_5),  cmocka_unit_test(test_for_ever),    cmocka_unit_test(test_deadlock),
	    cmocka_unit_test(test_cut),       cmocka_unit_test(test_stop),        cmocka_unit_test(test_full),
	    cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
