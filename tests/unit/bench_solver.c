/* SPDX-License-Identifier: MIT
 *
 * How many queries per second the solver answers, on the load that an exploration gives it. Judges nothing.
 *
 * Small programs run on values with expressions. At each branch, the other side is asked for; the inputs of those that
 * are feasible are run later, depth first, and ask only about what comes after the branch that they were made for.
 *
 *     bench_solver [PROGRAM [QUERIES]]
 */
#include "concolic/solver/query.h"
#include "concolic_space.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OP(name) MZ_OPERATOR_##name
#define INPUT 64

/* ---- values with expressions ---- */

typedef struct {
	uint32_t e; /* 0: concrete */
	uint64_t v;
	unsigned width;
} value;

struct item {
	uint8_t bytes[INPUT];
	unsigned depth; /* branches before this one were asked about by others */
};

static struct mz_space *space;
static struct mz_solver *solver;
static struct item *stack;
static size_t nstack, stack_capacity;
static unsigned start_depth;
static uint64_t executions, limit;

static uint32_t expression(value x)
{
	return x.e ? x.e : mz_expression_constant(space, x.width, x.v);
}

static value number(unsigned width, uint64_t v)
{
	return (value){0, v & mz_bits(width), width};
}

static value input(unsigned byte)
{
	return (value){mz_expression_input(space, byte), space->values[byte], 8};
}

static value apply(enum mz_operator op, value a, value b)
{
	unsigned width = mz_operator_is_comparison(op) ? 1 : a.width;
	value result = {0, mz_operator_apply(op, width, a.width, a.v, b.v, 0, 0), width};
	if (a.e || b.e) result.e = mz_expression_make(space, op, width, expression(a), expression(b), 0, 0);
	if (result.e && mz_expression_is_constant(space, result.e)) result.e = 0;
	return result;
}

static value extend(value a, unsigned width)
{
	value result = {0, a.v, width};
	if (a.e) result.e = mz_expression_make(space, OP(ZEXT), width, a.e, 0, 0, 0);
	return result;
}

/* ---- branches ---- */

static void later(void)
{
	if (nstack == stack_capacity) {
		stack_capacity = stack_capacity ? 2 * stack_capacity : 1024;
		stack = realloc(stack, stack_capacity * sizeof *stack);
	}
	memcpy(stack[nstack].bytes, space->model, INPUT);
	stack[nstack++].depth = space->nconstraints;
}

static bool branch(value condition)
{
	if (!condition.e) return condition.v;
	uint32_t n = space->nconstraints++;
	space->constraints[n] = (struct mz_constraint){condition.e, !condition.v};
	if (n >= start_depth && space->counts.queries < limit) {
		mz_solver_answer(solver, space);
		if (space->answer == MZ_ANSWER_SAT) later();
	}
	space->constraints[n].value = (uint32_t)condition.v;
	return condition.v;
}

static bool compare(enum mz_operator op, value a, uint64_t k)
{
	return branch(apply(op, a, number(a.width, k)));
}

static bool between(value a, uint64_t low, uint64_t high)
{
	return compare(OP(UGE), a, low) && compare(OP(ULE), a, high);
}

/* ---- programs ---- */

/* Names and numbers: a=1,bc=22;... with limits on the numbers, and names that mean something. */
static void text(void)
{
	unsigned at = 0;
	while (at < 24) {
		value first = extend(input(at), 32);
		if (compare(OP(EQ), first, 0)) return;
		if (!between(first, 'a', 'z')) {
			if (!compare(OP(EQ), first, ' ')) return;
			at++;
			continue;
		}
		bool get = compare(OP(EQ), first, 'g'), set = !get && compare(OP(EQ), first, 's');
		at++;
		while (at < 24 && between(extend(input(at), 32), 'a', 'z')) at++;
		if (at == 24 || !compare(OP(EQ), extend(input(at++), 32), '=')) return;
		value sum = number(32, 0);
		while (at < 24 && between(extend(input(at), 32), '0', '9')) {
			value digit = apply(OP(SUB), extend(input(at++), 32), number(32, '0'));
			sum = apply(OP(ADD), apply(OP(MUL), sum, number(32, 10)), digit);
			if (compare(OP(UGT), sum, 5000)) return;
		}
		if (set && compare(OP(EQ), sum, 77)) return;
		if (get && compare(OP(ULT), sum, 5)) return;
		if (at == 24 || !compare(OP(EQ), extend(input(at++), 32), ';')) return;
	}
}

static value word(unsigned at, unsigned size)
{
	value all = number(8 * size, 0);
	for (unsigned i = 0; i < size; i++) {
		value part = apply(OP(SHL), extend(input(at + i), 8 * size), number(8 * size, 8 * i));
		all = apply(OP(OR), all, part);
	}
	return all;
}

/* Records of a tag, a length and numbers that have to do with each other. */
static void records(void)
{
	value total = number(32, 0), last = number(32, 0);
	for (unsigned at = 0; at + 8 <= 48; at += 8) {
		value tag = word(at, 2), size = word(at + 2, 2), offset = word(at + 4, 4);
		if (compare(OP(EQ), tag, 0)) return;
		if (compare(OP(UGT), tag, 4)) return;
		total = apply(OP(ADD), total, extend(size, 32));
		if (compare(OP(UGT), total, 4096)) return;
		if (branch(apply(OP(ULT), offset, last))) return;
		if (branch(apply(OP(UGT), apply(OP(ADD), offset, extend(size, 32)), number(32, 100000)))) return;
		if (compare(OP(EQ), tag, 2) &&
		    branch(apply(OP(EQ), apply(OP(UREM), offset, number(32, 12)), number(32, 5))))
			return;
		last = offset;
	}
}

/* A checksum of everything, looked at on the way. */
static void checksum(void)
{
	value sum = number(32, 5381);
	for (unsigned i = 0; i < 16; i++) {
		sum = apply(OP(ADD), apply(OP(MUL), sum, number(32, 33)), extend(input(i), 32));
		if (compare(OP(EQ), apply(OP(AND), sum, number(32, 7)), 3)) continue;
		if (i % 4 == 3 && compare(OP(UGT), sum, 0x80000000)) return;
	}
	compare(OP(EQ), sum, 0x12345678);
}

/* Insertion sort of bytes: every order of them is a path. */
static void sort(void)
{
	value items[6];
	for (unsigned i = 0; i < 6; i++) {
		value item = input(i);
		unsigned k = i;
		for (; k > 0 && branch(apply(OP(ULT), item, items[k - 1])); k--) items[k] = items[k - 1];
		items[k] = item;
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {{"text", text}, {"records", records}, {"checksum", checksum}, {"sort", sort}};

/* ---- exploration ---- */

static void explore(void (*run)(void))
{
	nstack = 0;
	memset(space->model, 0, INPUT);
	space->nconstraints = 0;
	later();
	while (nstack && space->counts.queries < limit) {
		struct item item = stack[--nstack];
		memcpy(space->values, item.bytes, INPUT);
		start_depth = item.depth;
		space->nconstraints = 0;
		executions++;
		run();
	}
}

static void report(const char *name, double seconds)
{
	const struct mz_solver_counts *c = &space->counts;
	printf("%-9s %7lu queries %8.0f/s (%.2f s, solver %.2f) %lu sat %lu unsat %lu unknown; values %lu single %lu "
	       "same %lu "
	       "core %lu model %lu edit %lu Z3 %lu; %lu of %lu constraints; %lu executions, %u expressions, %zu left\n",
	       name, c->queries, (double)c->queries / seconds, seconds, (double)c->nanoseconds / 1e9, c->sat, c->unsat,
	       c->timeouts + c->errors, c->by_values, c->by_single_bytes, c->by_same_set, c->by_core, c->by_model,
	       c->by_edit, c->queries - c->cached, c->sliced, c->constraints, executions, space->nexpressions, nstack);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	limit = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		if (argc > 1 && strcmp(argv[1], programs[i].name)) continue;
		space = space_new();
		solver = mz_solver_new();
		if (!space || !solver) return 1;
		space->nbytes = INPUT;
		space->timeout_ms = 10000;
		executions = 0;
		double start = now();
		explore(programs[i].run);
		report(programs[i].name, now() - start);
		mz_solver_free(solver);
		space_free(space);
	}
	free(stack);
	return 0;
}
