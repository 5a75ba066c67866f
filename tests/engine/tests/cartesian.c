/* SPDX-License-Identifier: MIT
 *
 * Stateful search: the figures of the paper at its granularity, its examples, and what happens at limits.
 */
#include "engine/stateful/cartesian.h"
#include "base/alloc.h"
#include "build.h"
#include "engine/stateful/vector.h"
#include "explorer/states.h"
#include "model.h"
#include "referee.h"
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
	assert_int_equal(mz_states_open(&memory, memory_size, 0, exact), 0);
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
	mz_states_user_release(&user);
	mz_states_close(&memory);
	return o;
}

enum form { STATES, LITERAL, TWICE, OURS }; /* see vector.h */

/* Checks the numbers of states and steps; of the latter, 0 means any. */
static void check_model(const char *name, uint32_t one, uint32_t two, enum form form, uint32_t states, uint64_t steps)
{
	struct model_run run;
	size_t n = 0;
	while (strcmp(models[n]->name, name) != 0) n++;
	model_run_init(&run, models[n], (uint32_t[]){one, two});
	struct mz_stateful program = model_run_program(&run);
	struct outcome o = search((struct mz_cartesian_options){.program = &program,
	                                                        .minimal = form == STATES,
	                                                        .as_published = form == LITERAL || form == TWICE,
	                                                        .literal = form == LITERAL,
	                                                        .keep_going = true,
	                                                        .max_steps = 1000000},
	                          MEMORY, true);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_int_equal(o.counts.cut, 0);
	assert_int_equal(o.states, states);
	assert_int_equal(o.counts.states, states);
	if (steps) assert_int_equal(o.counts.steps, steps);
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
		check_model("indexer", n, 0, LITERAL, 1, 4 * n);
		check_model("indexer", n, 0, OURS, 1, 4 * n);
	}
	static const uint64_t steps[] = {390, 3456, 30618};
	uint32_t reduced = 9;
	for (uint32_t n = 12; n <= 14; n++, reduced *= 9) {
		check_model("indexer", n, 0, LITERAL, reduced, steps[n - 12]);
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
	for (uint32_t n = 2; n <= 13; n++) check_model("file-system", n, 0, TWICE, 1, 8 * n);
	check_model("file-system", 14, 0, TWICE, 10, 1025);
	check_model("file-system", 15, 0, TWICE, 100, 10100);
	check_model("file-system", 16, 0, TWICE, 1000, 99500);
	check_model("file-system", 14, 0, LITERAL, 5, 0);
	check_model("file-system", 15, 0, LITERAL, 25, 0);
	check_model("file-system", 14, 0, OURS, 5, 524);
	check_model("file-system", 15, 0, OURS, 25, 2640);
	check_model("file-system", 16, 0, OURS, 125, 13300);
}

static void test_others(void **state)
{
	(void)state;
	check_model("sharedptr", 0, 0, STATES, 32131, 64262);
	check_model("sharedptr", 0, 0, LITERAL, 418, 12154);
	check_model("sharedarray", 0, 0, STATES, 2276, 4552);
	check_model("sharedarray", 0, 0, LITERAL, 132, 1448);
	check_model("robots", 2, 0, STATES, 4877, 9754);
	check_model("robots", 2, 0, LITERAL, 56, 2581);
	check_model("robots", 3, 0, OURS, 56, 6333);
	check_model("cmis", 2, 8, STATES, 16430, 115010);
	check_model("cmis", 2, 8, LITERAL, 57, 0);
	check_model("cmis", 8, 16, LITERAL, 7, 0);
	check_model("cmis", 3, 7, LITERAL, 12, 0);
	static const uint32_t philosophers[] = {11, 36, 119, 393}, ordered[] = {9, 26, 93};
	for (uint32_t n = 2; n <= 5; n++) {
		check_model("philosophers", n, 0, STATES, philosophers[n - 2], (uint64_t)philosophers[n - 2] * n);
		check_model("ordered-philosophers", n, 0, STATES, philosophers[n - 2],
		            (uint64_t)philosophers[n - 2] * n);
	}
	for (uint32_t n = 2; n <= 4; n++) check_model("ordered-philosophers", n, 0, LITERAL, ordered[n - 2], 0);
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

/* Figure 5: three additions to one's own variable, and a look at the other's. */
static void build_figure_5(struct script *s)
{
	script_init(s, 2, 2, 0, 0);
	for (uint32_t t = 0; t < 2; t++) {
		for (int n = 0; n < 3; n++) add(s, t, ADD(t, 1));
		add(s, t, LOAD(1 - t));
	}
}

/* The same as a model, in which a state is a pair of places. What was visited: from which places
 * (pc1, pc2) each of the threads has made a step. */
static bool visited[5][5][2];

/* Of the model of Figure 2: whether z = 8 and q = 8 were in what the observer read, and in a state. */
static bool observed, together;

static void figure_5_size(struct model_run *r)
{
	r->nthreads = r->nshared = 2;
	r->nown = 1;
}

static enum mz_halt figure_5_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	(void)waits;
	return model_own(r, t, 0) == 4 ? MZ_HALT_OVER : MZ_HALT_ENOUGH;
}

static void figure_5_step(struct model_run *r, uint32_t t)
{
	int where = model_own(r, t, 0);
	visited[model_own(r, 0, 0)][model_own(r, 1, 0)][t] = true;
	if (where < 3)
		model_set(r, t, model_get(r, t) + 1);
	else
		model_get(r, 1 - t);
	model_set_own(r, t, 0, where + 1);
}

static const struct model figure_5 = {
    "figure-5", 0, {0, 0}, figure_5_size, .init = NULL, .halt = figure_5_halt, .step = figure_5_step};

static struct outcome search_model(const struct model *model, uint32_t size, enum form form)
{
	struct model_run run;
	memset(visited, 0, sizeof visited);
	observed = together = false;
	model_run_init(&run, model, (uint32_t[]){size, 0});
	struct mz_stateful program = model_run_program(&run);
	struct outcome o = search((struct mz_cartesian_options){.program = &program,
	                                                        .minimal = form == STATES,
	                                                        .as_published = form == LITERAL || form == TWICE,
	                                                        .literal = form == LITERAL,
	                                                        .max_steps = 1000},
	                          MEMORY, true);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	model_run_release(&run);
	return o;
}

static unsigned count_visited(void)
{
	unsigned count = 0;
	for (unsigned n = 0; n < 50; n++) count += visited[n / 10][n / 2 % 5][n % 2];
	return count;
}

/* Returns whether the next step of thread t in Figure 5 is a persistent set: whatever the other thread has left to do
 * does not conflict with it. */
static bool is_persistent(const unsigned at[2], unsigned t)
{
	bool is_read = at[t] == 3;
	for (unsigned n = at[1 - t]; n < 4; n++) {
		bool is_other_read = n == 3;
		if (is_read != is_other_read) return false; /* one thread adds to what the other looks at */
	}
	return true;
}

/* Searches Figure 5 with the smallest persistent set of each state. Returns how many transitions that has. */
static unsigned search_persistent(const unsigned at[2], bool known[5][5])
{
	unsigned count = 0;
	if (known[at[0]][at[1]]) return 0;
	known[at[0]][at[1]] = true;
	bool one = at[0] < 4 && at[1] < 4 && (is_persistent(at, 0) || is_persistent(at, 1));
	for (unsigned t = 0; t < 2; t++) {
		if (at[t] == 4 || (one && !is_persistent(at, t))) continue;
		count += 1 + search_persistent((unsigned[]){at[0] + (t == 0), at[1] + (t == 1)}, known);
		if (one) break;
	}
	return count;
}

/* All 25 states have 40 transitions. "An optimal persistent sets algorithm will save only one transition." "The
 * cartesian semantics saves 12 transitions and entirely avoids the states (1,2), (1,1), (2,1), (2,2)." */
static void test_figure_5(void **state)
{
	(void)state;
	struct outcome o = search_model(&figure_5, 0, STATES);
	assert_int_equal(o.states, 25);
	assert_int_equal(o.counts.steps, 40);
	assert_int_equal(count_visited(), 40);
	assert_int_equal(search_persistent((unsigned[]){0, 0}, (bool[5][5]){{false}}), 40 - 1);
	for (enum form form = LITERAL; form <= OURS; form++) {
		search_model(&figure_5, 0, form);
		assert_int_equal(count_visited(), 40 - 12);
		for (unsigned n = 0; n < 8; n++) assert_false(visited[1 + n / 4][1 + n / 2 % 2][n % 2]);
	}
}

/* Figure 2, by the accesses of its statements. */
enum { VAR_X, VAR_Y, VAR_Z, VAR_W, VAR_Q };
static const struct mz_access figure_2[2][5] = {
    {{.object = VAR_Z, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_X, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_Z, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_Y, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_Z, .mask = 0xff, .kind = MZ_READ}},
    {{.object = VAR_Q, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_Y, .mask = 0xff, .kind = MZ_READ},
     {.object = VAR_Q, .mask = 0xff, .kind = MZ_WRITE},
     {.object = VAR_X, .mask = 0xff, .kind = MZ_READ}},
};

static bool no_more_steps(void *self, uint32_t thread)
{
	(void)self, (void)thread;
	return false;
}

/* Computes the vector of Figure 2 from where the threads have made so many steps. */
static void vector_of_figure_2(const unsigned made[2], uint32_t lengths[2])
{
	struct mz_solo solos[2] = {{0}};
	struct mz_solo *both[2] = {&solos[0], &solos[1]};
	struct mz_vector vector = {.solos = both, .count = 2, .as_published = true, .literal = true};
	for (unsigned t = 0; t < 2; t++) {
		for (unsigned n = made[t]; n < 5; n++) {
			const struct mz_event event = {
			    .thread = t, .naccesses = t == 0 || n < 4, .accesses = &figure_2[t][n]};
			assert_true(mz_solo_add(&solos[t], &(struct mz_stride){.event = event, .changes = true}));
		}
		assert_true(mz_solo_add_idle(&solos[t], MZ_SOLO_OVER, NULL, 0, 1));
	}
	assert_true(mz_vector_compute(&vector, false, &(struct mz_soloist){.add_steps = no_more_steps}));
	for (unsigned t = 0; t < 2; t++) lengths[t] = mz_solo_count_moves(&solos[t]);
	mz_vector_release(&vector);
	for (unsigned t = 0; t < 2; t++) mz_solo_release(&solos[t]);
}

/* Returns whether the first steps of both threads of Figure 2, so many of each, are a vector by Definition 2: only the
 * last steps may depend on each other. */
static bool is_vector_of_figure_2(unsigned first, unsigned second)
{
	for (unsigned n = 0; n < first; n++) {
		for (unsigned m = 0; m < second; m++) {
			const struct mz_access *a = &figure_2[0][n], *b = &figure_2[1][m];
			bool depend = a->object == b->object && mz_kinds_conflict(a->kind, b->kind);
			if (depend && (n + 1 < first || m + 1 < second)) return false;
		}
	}
	return true;
}

/* Example 1: "p1 is the sequence z:=8; x:=1; z:=42", p2 is "q:=8; priv:=y", and (p1, p2) is a vector; with "p'1: z:=8;
 * x:=1; z:=42; y:=7" it "is still a cartesian vector because only the last transitions are dependent". The overview's
 * first vector is "T1: z:=8; x:=1, T2: q:=8; priv:=y; q:=42; priv:=x". */
static void test_example_1(void **state)
{
	(void)state;
	assert_true(is_vector_of_figure_2(3, 2));
	assert_true(is_vector_of_figure_2(4, 2));
	assert_true(is_vector_of_figure_2(2, 4));
	assert_false(is_vector_of_figure_2(4, 3));
	assert_false(is_vector_of_figure_2(3, 4));
}

/* Figure 2 as a model, with a third thread that reads z and q in one step for ever if the first size is 1. */
static void figure_2_size(struct model_run *r)
{
	r->nthreads = 2 + r->sizes[0];
	r->nshared = VAR_Q + 1;
	r->nown = 1;
}

static enum mz_halt figure_2_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	(void)waits;
	return t < 2 && model_own(r, t, 0) == (t ? 4 : 5) ? MZ_HALT_OVER : MZ_HALT_ENOUGH;
}

static void figure_2_step(struct model_run *r, uint32_t t)
{
	int where = model_own(r, t, 0);
	together |= model_peek(r, VAR_Z) == 8 && model_peek(r, VAR_Q) == 8;
	if (t == 2) {
		int z = model_get(r, VAR_Z), q = model_get(r, VAR_Q);
		observed |= z == 8 && q == 8;
		return;
	}
	if (figure_2[t][where].kind == MZ_WRITE)
		model_set(r, figure_2[t][where].object, where == 0 ? 8 : 42);
	else
		model_get(r, figure_2[t][where].object);
	model_set_own(r, t, 0, where + 1);
}

static const struct model figure_2_model = {
    "figure-2", 1, {1, 0}, figure_2_size, .init = NULL, .halt = figure_2_halt, .step = figure_2_step};

/* Section 4: "This cartesian semantics will never reach a state with z = 8 and q = 8", and "a dummy thread that merely
 * observes the variables" makes that property a local one. */
static void test_observer(void **state)
{
	(void)state;
	search_model(&figure_2_model, 0, STATES);
	assert_true(together);
	for (enum form form = LITERAL; form <= OURS; form++) {
		search_model(&figure_2_model, 0, form);
		assert_false(together);
		search_model(&figure_2_model, 1, form);
		assert_true(observed);
	}
}

/* Example 2: "CalcCV returns T1: z:=8; x:=1; z:=42; T2: q:=8; priv:=y; q:=42;". The overview's second vector, after
 * z:=8; x:=1: "T1: z:=42; y:=7, T2: q:=8; priv:=y". */
static void test_example_2(void **state)
{
	(void)state;
	uint32_t lengths[2];
	vector_of_figure_2((unsigned[]){0, 0}, lengths);
	assert_int_equal(lengths[0], 3);
	assert_int_equal(lengths[1], 3);
	vector_of_figure_2((unsigned[]){2, 0}, lengths);
	assert_int_equal(lengths[0], 2);
	assert_int_equal(lengths[1], 2);
}

/* Figure 3: what matters in the program of Figure 2 is the order of two pairs of statements, of whose four combinations
 * three are possible: three graphs. Vectors store 8 of 38 states. */
static void build_figure_2(struct script *s)
{
	script_init(s, 2, 5, 0, 0);
	add(s, 0, STORE(VAR_Z, 8));
	add(s, 0, STORE(VAR_X, 1));
	add(s, 0, STORE(VAR_Z, 42));
	add(s, 0, STORE(VAR_Y, 7));
	add(s, 0, LOAD(VAR_Z));
	add(s, 1, STORE(VAR_Q, 8));
	add(s, 1, LOAD(VAR_Y));
	add(s, 1, STORE(VAR_Q, 42));
	add(s, 1, LOAD(VAR_X));
}

static void test_figure_3(void **state)
{
	(void)state;
	struct script s;
	struct truth truth;
	build_figure_2(&s);
	assert_true(referee_enumerate(&s, 1000, &truth));
	assert_int_equal(truth.graphs.count, 3);
	truth_release(&truth);
	struct outcome all = search_script(&s, (struct mz_cartesian_options){.minimal = true}, MEMORY);
	struct outcome o =
	    search_script(&s, (struct mz_cartesian_options){.as_published = true, .literal = true}, MEMORY);
	assert_int_equal(all.end, MZ_CARTESIAN_DONE);
	assert_int_equal(o.end, MZ_CARTESIAN_DONE);
	assert_int_equal(all.states, 38);
	assert_int_equal(o.states, 8);
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
	    cmocka_unit_test(test_no_memory), cmocka_unit_test(test_example_2),   cmocka_unit_test(test_figure_3),
	    cmocka_unit_test(test_example_1), cmocka_unit_test(test_observer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
