/* SPDX-License-Identifier: MIT
 *
 * concolic/solver/: random queries along random paths, over two pairs of input bytes, against all values that the pairs
 * can have; each way by which a query is answered; spaces that are not as they should be; the process.
 */
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
	uint64_t truth[NODES][PAIR / 64]; /* and for which values of the pair they are 1 */
};

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
}

static void make_pair(struct pair *pair, struct mz_space *space, uint64_t seed, unsigned first)
{
	pair->expressions.space = space;
	pair->expressions.random.state = seed;
	pair->expressions.first = first;
	pair->expressions.nbytes = 2;
	make_random(&pair->expressions, seed % 3 ? 16 : 64);
	tabulate(pair);
}

static unsigned value_of(const struct pair *pair, const uint8_t *bytes)
{
	return bytes[pair->expressions.first] | (unsigned)bytes[pair->expressions.first + 1] << 8;
}

static bool is_true(const struct pair *pair, unsigned bit, const uint8_t *bytes)
{
	unsigned v = value_of(pair, bytes);
	return pair->truth[bit][v / 64] >> v % 64 & 1;
}

/* ---- a path ---- */

#define LENGTH 24

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
	for (uint64_t seed = 1; seed <= 8; seed++) check_random(seed, 20, &sum);
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
	    cmocka_unit_test(test_answers_are_those_of_all_values),  cmocka_unit_test(test_only_what_matters_is_asked),
	    cmocka_unit_test(test_what_is_known_is_not_asked_again), cmocka_unit_test(test_time_is_limited),
	    cmocka_unit_test(test_process_answers_and_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
