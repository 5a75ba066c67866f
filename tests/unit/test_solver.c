/* SPDX-License-Identifier: MIT
 *
 * concolic/solver/: random queries along random paths, over two pairs of input bytes, against all values that the pairs
 * can have; each way by which a query is answered; spaces that are not as they should be; the process.
 */
#define NODES 70
#include "concolic/solver.h"
#include "concolic/solver/query.h"
#include "concolic_random.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- all values of a pair of bytes ---- */

#define PAIR 65536

/* Random expressions over one pair of bytes. */
struct pair {
	struct naive expressions;
	unsigned nbits;                   /* of those that have one bit: */
	unsigned bits[NODES];             /* nodes, */
	bool mixed[NODES];                /* whether they depend on both bytes, */
	uint64_t truth[NODES][PAIR / 64]; /* and for which values of the pair they are 1 */
};

static bool is_set(const uint64_t *truth, unsigned v)
{
	return truth[v / 64] >> v % 64 & 1;
}

/* Reports whether a bit depends on both bytes: the others are answered without Z3. */
static bool is_mixed(const uint64_t *truth)
{
	bool low = false, high = false;
	for (unsigned v = 0; v < PAIR; v++) {
		low |= is_set(truth, v) != is_set(truth, v & 0xff00);
		high |= is_set(truth, v) != is_set(truth, v & 0xff);
	}
	return low && high;
}

static void tabulate(struct pair *pair)
{
	struct naive *n = &pair->expressions;
	memset(pair->truth, 0, sizeof pair->truth);
	pair->nbits = 0;
	for (unsigned i = 1; i < n->count; i++) {
		if (n->nodes[i].e.width == 1 && !mz_expression_is_constant(n->space, n->nodes[i].made))
			pair->bits[pair->nbits++] = i;
	}
	uint8_t bytes[4];
	for (unsigned v = 0; v < PAIR; v++) {
		bytes[n->first] = (uint8_t)v;
		bytes[n->first + 1] = (uint8_t)(v >> 8);
		evaluate(n, bytes);
		for (unsigned i = 0; i < pair->nbits; i++)
			pair->truth[i][v / 64] |= n->nodes[pair->bits[i]].value << v % 64;
	}
	for (unsigned i = 0; i < pair->nbits; i++) pair->mixed[i] = is_mixed(pair->truth[i]);
}

/* Random expressions, half of them comparisons of numbers that depend on both bytes. */
static void make_mixed(struct naive *n)
{
	n->count = 1;
	memset(&n->nodes[0], 0, sizeof n->nodes[0]);
	unsigned low = add(n, OP(INPUT), 8, 0, 0, 0, n->first), high = add(n, OP(INPUT), 8, 0, 0, 0, n->first + 1);
	unsigned both = add(n, OP(CONCAT), 16, high, low, 0, 0);
	while (n->count < NODES - 12) {
		add_random(n, 16);
		unsigned width = 9 + pick(n, 8), x = resized(n, both, width);
		unsigned y = add(n, arithmetic[pick(n, COUNT(arithmetic))], width, x, operand(n, width), 0, 0);
		add(n, comparisons[pick(n, COUNT(comparisons))], 1, y, operand(n, width), 0, 0);
	}
}

static void make_pair(struct pair *pair, struct mz_space *space, uint64_t seed, unsigned first)
{
	pair->expressions.space = space;
	pair->expressions.random.state = seed;
	pair->expressions.first = first;
	pair->expressions.nbytes = 2;
	make_mixed(&pair->expressions);
	tabulate(pair);
}

static unsigned value_of(const struct pair *pair, const uint8_t *bytes)
{
	return bytes[pair->expressions.first] | (unsigned)bytes[pair->expressions.first + 1] << 8;
}

static bool is_true(const struct pair *pair, unsigned bit, const uint8_t *bytes)
{
	return is_set(pair->truth[bit], value_of(pair, bytes));
}

/* ---- a path ---- */

#define LENGTH 7 /* so few that most pairs of values are not excluded yet */

struct step {
	struct pair *pair;
	unsigned bit;
};

/* Reports whether the steps of the last one's pair can hold, all but the last as they do for the values. */
static bool can_hold(const struct step *steps, unsigned n, const uint8_t *values)
{
	const struct pair *pair = steps[n - 1].pair;
	for (unsigned word = 0; word < PAIR / 64; word++) {
		uint64_t left = ~0ULL;
		for (unsigned i = 0; i < n; i++) {
			if (steps[i].pair != pair) continue;
			bool holds = is_true(pair, steps[i].bit, values) != (i == n - 1);
			left &= holds ? pair->truth[steps[i].bit][word] : ~pair->truth[steps[i].bit][word];
		}
		if (left) return true;
	}
	return false;
}

static uint32_t expression_of(const struct step *step)
{
	return step->pair->expressions.nodes[step->pair->bits[step->bit]].made;
}

static void ask(struct mz_solver *solver, struct mz_space *space, const struct step *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		bool value = is_true(steps[i].pair, steps[i].bit, space->values) != (i == n - 1);
		space->constraints[i] = (struct mz_constraint){expression_of(&steps[i]), value};
	}
	space->nconstraints = n;
	space->answer = MZ_ANSWER_NONE;
	memset(space->model, 0x5a, 8);
	mz_solver_answer(solver, space);
}

static void check_answer(const struct mz_space *space, const struct step *steps, unsigned n)
{
	bool expected = can_hold(steps, n, space->values);
	assert_int_equal(space->answer, expected ? MZ_ANSWER_SAT : MZ_ANSWER_UNSAT);
	if (!expected) return;
	for (unsigned i = 0; i < n; i++) {
		bool value = is_true(steps[i].pair, steps[i].bit, space->model);
		assert_int_equal(value, is_true(steps[i].pair, steps[i].bit, space->values) != (i == n - 1));
	}
	unsigned other = 2 - steps[n - 1].pair->expressions.first;
	assert_memory_equal(space->model + other, space->values + other, 2);
}

/* Walks as an exploration does: at each step it asks for the other side, and sometimes goes on with its inputs. */
static void walk(struct mz_solver *solver, struct mz_space *space, struct pair *pairs, struct naive *n)
{
	struct step steps[LENGTH];
	for (unsigned i = 0; i < 4; i++) space->values[i] = (uint8_t)odd_number(n, 8);
	for (unsigned i = 0; i < LENGTH; i++) {
		struct pair *pair = &pairs[pick(n, 2)];
		if (pair->nbits == 0) return;
		steps[i] = (struct step){pair, pick(n, pair->nbits)};
		for (unsigned k = 0; k < 2 && !pair->mixed[steps[i].bit]; k++) steps[i].bit = pick(n, pair->nbits);
		ask(solver, space, steps, i + 1);
		check_answer(space, steps, i + 1);
		if (space->answer == MZ_ANSWER_SAT && pick(n, 3) == 0) memcpy(space->values, space->model, 4);
	}
}

static void add_counts(struct mz_solver_counts *sum, const struct mz_solver_counts *counts)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)counts;
	for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) to[i] += from[i];
}

static void check_random(uint64_t seed, unsigned walks, struct mz_solver_counts *sum)
{
	static struct pair pairs[2];
	struct mz_space *space = space_new();
	struct mz_solver *solver = mz_solver_new();
	assert_non_null(solver);
	space->nbytes = 4;
	make_pair(&pairs[0], space, 2 * seed, 0);
	make_pair(&pairs[1], space, 2 * seed + 1, 2);
	for (unsigned i = 0; i < walks; i++) walk(solver, space, pairs, &pairs[0].expressions);
	assert_int_equal(space->counts.errors, 0);
	assert_int_equal(space->counts.timeouts, 0);
	add_counts(sum, &space->counts);
	mz_solver_free(solver);
	space_free(space);
}

static void test_answers_are_those_of_all_values(void **unused)
{
	(void)unused;
	struct mz_solver_counts sum = {0};
	for (uint64_t seed = 1; seed <= 16; seed++) check_random(seed, 30, &sum);
	print_message(
	    "%lu queries: %lu sat, %lu unsat; by values %lu, single bytes %lu, same set %lu, core %lu, model %lu, "
	    "edit %lu, Z3 %lu; %lu of %lu constraints; %lu us each\n",
	    sum.queries, sum.sat, sum.unsat, sum.by_values, sum.by_single_bytes, sum.by_same_set, sum.by_core,
	    sum.by_model, sum.by_edit, sum.queries - sum.cached, sum.sliced, sum.constraints,
	    sum.nanoseconds / sum.queries / 1000);
	assert_true(sum.queries > 1000 && sum.sat > 100 && sum.unsat > 100);
	assert_true(sum.by_single_bytes && sum.by_same_set && sum.by_core && sum.by_model && sum.by_edit);
	assert_true(sum.queries > sum.cached && sum.sliced < sum.constraints);
}

/* ---- each way of answering ---- */

static uint32_t make(struct mz_space *s, enum mz_operator op, unsigned width, uint32_t a, uint32_t b)
{
	uint32_t e = mz_expression_make(s, op, width, a, b, 0, 0);
	assert_int_not_equal(e, 0);
	return e;
}

static uint32_t word(struct mz_space *s, uint32_t byte, unsigned width)
{
	uint32_t all = mz_expression_input(s, byte);
	for (unsigned i = 1; i < width / 8; i++) {
		all = make(s, OP(CONCAT), 8 * (i + 1), mz_expression_input(s, byte + i), all);
	}
	return all;
}

static uint32_t constant(struct mz_space *s, unsigned width, uint64_t value)
{
	return mz_expression_constant(s, width, value);
}

/* Asks whether expressions can be 1 together, the last of them included; the others are for the values. */
static enum mz_answer can_be_true(struct mz_solver *solver, struct mz_space *s, const uint32_t *expressions, unsigned n)
{
	for (unsigned i = 0; i < n; i++) s->constraints[i] = (struct mz_constraint){expressions[i], 1};
	s->nconstraints = n;
	mz_solver_answer(solver, s);
	return s->answer;
}
#define CAN(...)                                                                                                       \
	can_be_true(solver, s, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* x is two bytes, y are two others. */
static void test_only_what_matters_is_asked(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t x = word(s, 0, 16), y = word(s, 10, 16), z = word(s, 20, 16);
	uint32_t x_low = make(s, OP(ULT), 1, make(s, OP(MUL), 16, x, x), constant(s, 16, 1000));
	uint32_t y_low = make(s, OP(ULT), 1, make(s, OP(MUL), 16, y, y), constant(s, 16, 1000));
	uint32_t x_is = make(s, OP(EQ), 1, x, constant(s, 16, 20)),
	         y_is = make(s, OP(EQ), 1, y, constant(s, 16, 0x101));
	uint32_t xz = make(s, OP(ULE), 1, x, z), zy = make(s, OP(ULE), 1, z, y);
	s->values[7] = 77;
	assert_int_equal(CAN(x_low, y_low, x_is), MZ_ANSWER_SAT);
	assert_int_equal(s->counts.sliced, 2);
	assert_int_equal(s->model[0], 20);
	assert_int_equal(s->model[7], 77);
	assert_int_equal(s->model[10], 0);
	assert_int_equal(CAN(x_low, y_low, xz, zy, y_is), MZ_ANSWER_SAT); /* all share bytes with others that do */
	assert_int_equal(s->counts.sliced, 2 + 5);
	assert_int_equal(CAN(x_low, y_low, xz, y_is), MZ_ANSWER_SAT);
	assert_int_equal(s->counts.sliced, 2 + 5 + 2);
	assert_int_equal(s->counts.constraints, 3 + 5 + 4);
	assert_int_equal(s->counts.errors, 0);
	mz_solver_free(solver);
	space_free(s);
}

static void test_what_is_known_is_not_asked_again(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	const struct mz_solver_counts *counts = &s->counts;
	uint32_t x = word(s, 0, 32), y = word(s, 4, 32), square = make(s, OP(MUL), 32, x, x);
	uint32_t odd = make(s, OP(EQ), 1, make(s, OP(AND), 32, square, constant(s, 32, 3)), constant(s, 32, 3));
	uint32_t below = make(s, OP(ULT), 1, x, constant(s, 32, 1000)), less = make(s, OP(ULE), 1, x, y);
	uint32_t large = make(s, OP(ULT), 1, constant(s, 32, 70000), square);
	assert_int_equal(CAN(below, odd), MZ_ANSWER_UNSAT); /* no square leaves 3 when it is divided by 4 */
	assert_int_equal(counts->queries - counts->cached, 1);
	assert_int_equal(CAN(below, odd), MZ_ANSWER_UNSAT);
	assert_int_equal(counts->by_same_set, 1);
	assert_int_equal(CAN(below, less, odd), MZ_ANSWER_UNSAT);
	assert_int_equal(counts->by_core, 1);
	assert_int_equal(CAN(less, below, large), MZ_ANSWER_SAT);
	assert_int_equal(counts->queries - counts->cached, 2);
	assert_int_equal(CAN(below, less, large), MZ_ANSWER_SAT); /* the order does not matter */
	assert_int_equal(counts->by_same_set, 2);
	assert_int_equal(CAN(less, large), MZ_ANSWER_SAT);
	assert_int_equal(counts->by_model, 1);
	assert_int_equal(counts->queries - counts->cached, 2);
	assert_int_equal(CAN(less), MZ_ANSWER_SAT);
	assert_int_equal(counts->by_values, 1);
	assert_int_equal(CAN(less, make(s, OP(EQ), 1, x, constant(s, 32, 0x2a00))), MZ_ANSWER_SAT);
	assert_int_equal(counts->queries - counts->cached, 3);
	s->values[7] = 1;
	assert_int_equal(CAN(less, make(s, OP(EQ), 1, x, constant(s, 32, 0x2b))), MZ_ANSWER_SAT);
	assert_int_equal(counts->by_edit, 1);
	mz_solver_free(solver);
	space_free(s);
}

/* A domain is found by trying, so that no other way than Z3's is asked about what single bytes cannot tell. */
static void test_single_bytes_need_no_solver(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t x = mz_expression_input(s, 0), y = mz_expression_input(s, 1);
	uint32_t digit = make(s, OP(ULE), 1, constant(s, 8, '0'), x),
	         not_above = make(s, OP(ULE), 1, x, constant(s, 8, '9'));
	uint32_t letter = make(s, OP(EQ), 1, x, constant(s, 8, 'a')),
	         seven = make(s, OP(EQ), 1, x, constant(s, 8, '7'));
	uint32_t less = make(s, OP(ULE), 1, x, y);
	s->values[0] = '1';
	s->values[1] = 200;
	assert_int_equal(CAN(digit, not_above, letter), MZ_ANSWER_UNSAT);
	assert_int_equal(CAN(digit, less, not_above, letter), MZ_ANSWER_UNSAT);
	assert_int_equal(CAN(digit, not_above, seven), MZ_ANSWER_SAT);
	assert_int_equal(s->model[0], '7');
	assert_int_equal(s->counts.by_single_bytes, 3);
	assert_int_equal(s->counts.cached, 3);
	mz_solver_free(solver);
	space_free(s);
}

/* An expression as deep as a loop is long. */
static void test_deep_expressions(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t sum = word(s, 0, 32), y = word(s, 4, 32), zero = constant(s, 32, 0);
	for (unsigned i = 0; i < 100000; i++) {
		sum = make(s, OP(ADD), 32, make(s, OP(MUL), 32, sum, constant(s, 32, 33)),
		           i % 2 ? y : constant(s, 32, i));
	}
	s->timeout_ms = 200;
	assert_int_not_equal(CAN(make(s, OP(NE), 1, sum, zero)), MZ_ANSWER_NONE);
	assert_int_equal(s->counts.errors, 0);
	mz_solver_free(solver);
	space_free(s);
}

/* ---- spaces that are not as they should be ---- */

static bool is_answered(struct mz_solver *solver, struct mz_space *s)
{
	s->answer = MZ_ANSWER_NONE;
	mz_solver_answer(solver, s);
	assert_in_range(s->answer, MZ_ANSWER_SAT, MZ_ANSWER_UNKNOWN);
	return s->answer != MZ_ANSWER_UNKNOWN;
}

/* Makes the expression after the last one without checking it, and asks whether it can be 1. */
static void check_unsound(struct mz_expression e)
{
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t x = mz_expression_input(s, 0), bit = make(s, OP(EQ), 1, x, constant(s, 8, 7)); /* 1, 2 and 3 */
	uint32_t n = ++s->nexpressions;
	s->expressions[n] = e;
	s->expressions[++s->nexpressions] = (struct mz_expression){OP(AND), 1, n, bit, 0, 0};
	s->constraints[0] = (struct mz_constraint){n, 1};
	s->nconstraints = 1;
	assert_false(is_answered(solver, s));
	s->constraints[0].expression = n + 1; /* one whose operand it is */
	assert_false(is_answered(solver, s));
	s->constraints[0].expression = bit; /* others are as good as ever */
	assert_true(is_answered(solver, s));
	assert_int_equal(s->counts.errors, 2);
	mz_solver_free(solver);
	space_free(s);
}

static void test_unsound_expressions_are_not_answered(void **unused)
{
	(void)unused;
	check_unsound((struct mz_expression){OP(AND), 1, 3, 4, 0, 0});       /* itself */
	check_unsound((struct mz_expression){OP(AND), 1, 3, 1 << 23, 0, 0}); /* none */
	check_unsound((struct mz_expression){OP(AND), 1, 3, 0, 0, 0});
	check_unsound((struct mz_expression){OP(AND), 1, 3, UINT32_MAX, 0, 0});
	check_unsound((struct mz_expression){OP(EQ), 1, 1, 3, 0, 0}); /* of different widths */
	check_unsound((struct mz_expression){OP(EQ), 0, 1, 2, 0, 0});
	check_unsound((struct mz_expression){OP(EXTRACT), 1, 1, 0, 0, 8});
	check_unsound((struct mz_expression){OP(EXTRACT), 1, 1, 0, 0, UINT64_MAX});
	check_unsound((struct mz_expression){OP(CONSTANT), 1, 0, 0, 0, 2});
	check_unsound((struct mz_expression){OP(INPUT), 1, 0, 0, 0, 0});
	check_unsound((struct mz_expression){OP(INPUT), 8, 0, 0, 0, MZ_SPACE_BYTES});
	check_unsound((struct mz_expression){MZ_OPERATORS, 1, 1, 1, 1, 0});
	check_unsound((struct mz_expression){255, 255, 255, 255, 255, 255});
}

static void test_unsound_queries_are_not_answered(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t x = mz_expression_input(s, 0), bit = make(s, OP(EQ), 1, x, constant(s, 8, 7));
	const struct mz_constraint wrong[] = {{x, 1},          {0, 1},   {bit + 1, 1},
	                                      {UINT32_MAX, 1}, {bit, 2}, {bit, UINT32_MAX}};
	for (size_t i = 0; i < COUNT(wrong); i++) {
		s->nconstraints = 1;
		s->constraints[0] = wrong[i];
		assert_false(is_answered(solver, s));
	}
	s->nconstraints = 2;
	s->constraints[0] = (struct mz_constraint){bit, 0};
	s->constraints[1] = (struct mz_constraint){bit, 1};
	assert_true(is_answered(solver, s));
	s->constraints[0].value = 1; /* which does not hold, unlike the first constraint of the query before */
	assert_false(is_answered(solver, s));
	s->nconstraints = MZ_SPACE_CONSTRAINTS + 1;
	assert_false(is_answered(solver, s));
	s->nconstraints = 0;
	assert_true(is_answered(solver, s));
	s->nconstraints = 1;
	s->nbytes = UINT32_MAX;
	assert_true(is_answered(solver, s));
	s->nexpressions = MZ_SPACE_EXPRESSIONS;
	assert_false(is_answered(solver, s));
	s->nexpressions = 1;
	assert_false(is_answered(solver, s));
	mz_solver_free(solver);
	space_free(s);
}

/* Expressions of which some bytes were overwritten: the solver answers, or does not, and stays alive. */
static void test_damaged_spaces(void **unused)
{
	(void)unused;
	static struct naive n;
	n.nbytes = 2;
	unsigned answered = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct mz_space *s = n.space = space_new();
		struct mz_solver *solver = mz_solver_new();
		n.random.state = seed;
		s->timeout_ms = 50;
		make_random(&n, 64);
		for (unsigned i = 0; i < seed; i++) {
			uint8_t *e = (uint8_t *)&s->expressions[1 + pick(&n, s->nexpressions)];
			e[pick(&n, sizeof *s->expressions)] = (uint8_t)pick(&n, 1 + pick(&n, 256));
		}
		for (unsigned i = 0; i < 30; i++) {
			uint32_t e = 1 + pick(&n, s->nexpressions);
			for (unsigned k = 0; k < 50 && s->expressions[e].width != 1; k++)
				e = 1 + pick(&n, s->nexpressions);
			s->nconstraints = 1;
			s->constraints[0] = (struct mz_constraint){e, pick(&n, 2)};
			answered += is_answered(solver, s);
		}
		mz_solver_free(solver);
		space_free(s);
	}
	assert_true(answered > 100);
}

/* ---- time ---- */

static void test_time_is_limited(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_solver *solver = mz_solver_new();
	uint32_t x = word(s, 0, 64), y = word(s, 8, 64), one = constant(s, 64, 1);
	uint32_t product = make(s, OP(EQ), 1, make(s, OP(MUL), 64, x, y), constant(s, 64, 0xe38e38e38e38e39dULL));
	uint32_t x_above = make(s, OP(ULT), 1, one, make(s, OP(AND), 64, x, constant(s, 64, 0xffffffff)));
	uint32_t small = make(s, OP(EQ), 1, make(s, OP(LSHR), 64, make(s, OP(OR), 64, x, y), constant(s, 64, 32)),
	                      constant(s, 64, 0));
	memset(s->values, 0, 16);
	s->values[0] = 2;
	s->timeout_ms = 100;
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	assert_int_equal(CAN(x_above, small, product), MZ_ANSWER_UNKNOWN);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert_true(end.tv_sec - start.tv_sec < 20);
	assert_int_equal(s->counts.timeouts, 1);
	assert_int_equal(s->counts.errors, 0);
	s->timeout_ms = 0;
	assert_int_equal(CAN(x_above, make(s, OP(EQ), 1, x, constant(s, 64, 0x1234567890))), MZ_ANSWER_SAT);
	mz_solver_free(solver);
	space_free(s);
}

/* ---- the process ---- */

static const char *solver_path;

struct process {
	pid_t pid;
	int channel;
	struct mz_space *space;
};

static void start(struct process *process)
{
	int memory = memfd_create("space", 0), channels[2];
	assert_int_equal(ftruncate(memory, sizeof(struct mz_space)), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, channels), 0);
	process->space = mmap(NULL, sizeof(struct mz_space), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	process->channel = channels[0];
	process->pid = fork();
	if (process->pid == 0) {
		char first[16], second[16];
		snprintf(first, sizeof first, "%d", memory);
		snprintf(second, sizeof second, "%d", channels[1]);
		close(channels[0]);
		execl(solver_path, solver_path, first, second, NULL);
		_exit(127);
	}
	close(memory);
	close(channels[1]);
}

static void test_process_answers_and_ends(void **unused)
{
	(void)unused;
	struct process process;
	start(&process);
	struct mz_space *s = process.space;
	uint32_t x = word(s, 0, 32);
	for (uint32_t i = 1; i < 200; i++) {
		uint32_t square = make(s, OP(MUL), 32, x, x);
		s->constraints[0] = (struct mz_constraint){make(s, OP(EQ), 1, square, constant(s, 32, i)), 1};
		s->nconstraints = 1;
		char byte = MZ_SOLVER_ASK;
		assert_int_equal(write(process.channel, &byte, 1), 1);
		assert_int_equal(read(process.channel, &byte, 1), 1);
		assert_int_equal(byte, MZ_SOLVER_ANSWERED);
		unsigned rest = i >> __builtin_ctz(i); /* a square: an even power of two, and a number that leaves 1 */
		bool expected = __builtin_ctz(i) % 2 == 0 && rest % 8 == 1;
		assert_int_equal(s->answer, expected ? MZ_ANSWER_SAT : MZ_ANSWER_UNSAT);
	}
	assert_int_equal(s->counts.queries, 199);
	close(process.channel);
	int status;
	assert_int_equal(waitpid(process.pid, &status, 0), process.pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	mz_expressions_release();
	munmap(s, sizeof *s);
}

int main(int argc, char **argv)
{
	solver_path = argc > 1 ? argv[1] : "mazurka-solver";
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_answers_are_those_of_all_values),
	    cmocka_unit_test(test_only_what_matters_is_asked),
	    cmocka_unit_test(test_what_is_known_is_not_asked_again),
	    cmocka_unit_test(test_single_bytes_need_no_solver),
	    cmocka_unit_test(test_deep_expressions),
	    cmocka_unit_test(test_unsound_expressions_are_not_answered),
	    cmocka_unit_test(test_unsound_queries_are_not_answered),
	    cmocka_unit_test(test_damaged_spaces),
	    cmocka_unit_test(test_time_is_limited),
	    cmocka_unit_test(test_process_answers_and_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
