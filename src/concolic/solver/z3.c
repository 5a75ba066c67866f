/* SPDX-License-Identifier: MIT
 *
 * Expressions of one bit are booleans in Z3, all others bit vectors. Divisions by 0 are as in SMT-LIB on both sides.
 *
 * A query has two stages. Nearly all queries are answered in the first, by the solver that is kept. For the others, a
 * solver that simplifies the query as a whole is made, and used for nothing else.
 */
#include "concolic/solver/z3.h"
#include "base/alloc.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

/* The solver that is kept is made anew after so many literals: it assigns all variables that it has ever seen. */
#define FRESH_AFTER 20000

/* How much work the first stage may do, in Z3's unit: some seconds. By this measure the same query is answered by the
 * same stage, with the same model, however busy the machine is. */
#define FIRST_WORK 50000000

struct mz_z3 {
	const struct mz_mirror *mirror;
	Z3_context context;
	Z3_solver solver;
	Z3_symbol timeout_name, work_name;
	Z3_params parameters;
	Z3_tactic simplify;   /* of solvers that are made for one query */
	uint64_t deadline;    /* of the query, in milliseconds of the clock; 0: none */
	uint32_t ntranslated; /* expressions */
	uint32_t nliterals;   /* that the solver was given, new or not */
	Z3_ast *asts;         /* by expression; NULL: not translated yet */
	uint32_t *stack;      /* as in value.c */
	Z3_ast *assumptions;
	unsigned *core; /* ids of assumptions, in ascending order */
	size_t asts_capacity, stack_capacity, assumptions_capacity, core_capacity;
	Z3_ast inputs[MZ_SPACE_BYTES]; /* by byte; NULL: not translated yet */
};

/* Whether a call of Z3 has failed since the context was opened: the handler of errors is given nothing to store it
 * in. */
static bool failed;

/* ---- time ---- */

static uint64_t milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Reports whether the query has had its time. */
static bool is_late(const struct mz_z3 *z3)
{
	return z3->deadline && milliseconds() >= z3->deadline;
}

/* Returns the milliseconds that the query has left; 0: no limit. */
static uint32_t time_left(const struct mz_z3 *z3)
{
	if (!z3->deadline) return 0;
	return is_late(z3) ? 1 : (uint32_t)(z3->deadline - milliseconds());
}

/* ---- translation ---- */

/* Holds what a call of Z3 returned for as long as the context is open: otherwise it may be gone with the next call. All
 * that is translated is a part of some translation, and is needed anyway. */
static Z3_ast hold(Z3_context c, Z3_ast ast)
{
	if (ast) Z3_inc_ref(c, ast);
	return ast;
}

static Z3_ast number(Z3_context c, unsigned width, uint64_t value)
{
	Z3_ast sort = hold(c, Z3_sort_to_ast(c, Z3_mk_bv_sort(c, width)));
	return hold(c, Z3_mk_unsigned_int64(c, value, (Z3_sort)sort));
}

/* Convert a boolean to a vector of one bit, and back. */
static Z3_ast as_vector(Z3_context c, Z3_ast boolean)
{
	return hold(c, Z3_mk_ite(c, boolean, number(c, 1, 1), number(c, 1, 0)));
}

static Z3_ast as_boolean(Z3_context c, Z3_ast vector)
{
	hold(c, vector);
	return hold(c, Z3_mk_eq(c, vector, number(c, 1, 1)));
}

static Z3_ast input(struct mz_z3 *z3, uint64_t byte)
{
	Z3_context c = z3->context;
	if (!z3->inputs[byte]) {
		Z3_ast sort = hold(c, Z3_sort_to_ast(c, Z3_mk_bv_sort(c, 8)));
		z3->inputs[byte] = hold(c, Z3_mk_const(c, Z3_mk_int_symbol(c, (int)byte), (Z3_sort)sort));
	}
	return z3->inputs[byte];
}

static Z3_ast arithmetic(Z3_context c, enum mz_operator op, Z3_ast a, Z3_ast b)
{
	switch (op) {
	case MZ_OPERATOR_ADD: return Z3_mk_bvadd(c, a, b);
	case MZ_OPERATOR_SUB: return Z3_mk_bvsub(c, a, b);
	case MZ_OPERATOR_MUL: return Z3_mk_bvmul(c, a, b);
	case MZ_OPERATOR_UDIV: return Z3_mk_bvudiv(c, a, b);
	case MZ_OPERATOR_SDIV: return Z3_mk_bvsdiv(c, a, b);
	case MZ_OPERATOR_UREM: return Z3_mk_bvurem(c, a, b);
	case MZ_OPERATOR_SREM: return Z3_mk_bvsrem(c, a, b);
	case MZ_OPERATOR_SHL: return Z3_mk_bvshl(c, a, b);
	case MZ_OPERATOR_LSHR: return Z3_mk_bvlshr(c, a, b);
	case MZ_OPERATOR_ASHR: return Z3_mk_bvashr(c, a, b);
	case MZ_OPERATOR_AND: return Z3_mk_bvand(c, a, b);
	case MZ_OPERATOR_OR: return Z3_mk_bvor(c, a, b);
	default: return Z3_mk_bvxor(c, a, b);
	}
}

static Z3_ast comparison(Z3_context c, enum mz_operator op, Z3_ast a, Z3_ast b)
{
	switch (op) {
	case MZ_OPERATOR_EQ: return Z3_mk_eq(c, a, b);
	case MZ_OPERATOR_NE: return Z3_mk_not(c, hold(c, Z3_mk_eq(c, a, b)));
	case MZ_OPERATOR_ULT: return Z3_mk_bvult(c, a, b);
	case MZ_OPERATOR_ULE: return Z3_mk_bvule(c, a, b);
	case MZ_OPERATOR_UGT: return Z3_mk_bvugt(c, a, b);
	case MZ_OPERATOR_UGE: return Z3_mk_bvuge(c, a, b);
	case MZ_OPERATOR_SLT: return Z3_mk_bvslt(c, a, b);
	case MZ_OPERATOR_SLE: return Z3_mk_bvsle(c, a, b);
	case MZ_OPERATOR_SGT: return Z3_mk_bvsgt(c, a, b);
	default: return Z3_mk_bvsge(c, a, b);
	}
}

/* Returns the operator applied to two single bits as a formula of booleans, or NULL if the operator has no such
 * form. */
static Z3_ast boolean_operator(Z3_context c, enum mz_operator op, Z3_ast a, Z3_ast b)
{
	Z3_ast both[] = {a, b};
	switch (op) {
	case MZ_OPERATOR_AND: return Z3_mk_and(c, 2, both);
	case MZ_OPERATOR_OR: return Z3_mk_or(c, 2, both);
	case MZ_OPERATOR_XOR: return Z3_mk_xor(c, a, b);
	case MZ_OPERATOR_EQ: return Z3_mk_iff(c, a, b);
	default: return NULL;
	}
}

static Z3_ast binary(Z3_context c, const struct mz_expression *e, unsigned from, Z3_ast a, Z3_ast b)
{
	Z3_ast result = from == 1 ? boolean_operator(c, e->op, a, b) : NULL;
	if (result) return result;
	if (from == 1) {
		a = as_vector(c, a);
		b = as_vector(c, b);
	}
	if (mz_operator_is_comparison(e->op)) return comparison(c, e->op, a, b);
	result = arithmetic(c, e->op, a, b);
	return e->width == 1 ? as_boolean(c, result) : result;
}

/* The operands of conversions and of CONCAT are vectors here, even those of one bit. */
static Z3_ast conversion(Z3_context c, const struct mz_expression *e, unsigned from, Z3_ast a, Z3_ast b)
{
	switch (e->op) {
	case MZ_OPERATOR_ZEXT: return Z3_mk_zero_ext(c, e->width - from, a);
	case MZ_OPERATOR_SEXT: return Z3_mk_sign_ext(c, e->width - from, a);
	case MZ_OPERATOR_CONCAT: return Z3_mk_concat(c, a, b);
	default: return Z3_mk_extract(c, (unsigned)e->number + e->width - 1, (unsigned)e->number, a);
	}
}

static Z3_ast vector_operand(const struct mz_z3 *z3, uint32_t expression)
{
	Z3_ast ast = z3->asts[expression];
	return z3->mirror->space->expressions[expression].width == 1 ? as_vector(z3->context, ast) : ast;
}

/* Translates an expression whose operands are translated. */
static Z3_ast translate_one(struct mz_z3 *z3, const struct mz_expression *e)
{
	Z3_context c = z3->context;
	unsigned n = mz_operator_operands(e->op), from = n ? z3->mirror->space->expressions[e->a].width : 0;
	switch (e->op) {
	case MZ_OPERATOR_CONSTANT:
		if (e->width > 1) return number(c, e->width, e->number);
		return e->number ? Z3_mk_true(c) : Z3_mk_false(c);
	case MZ_OPERATOR_INPUT: return input(z3, e->number);
	case MZ_OPERATOR_ITE: return Z3_mk_ite(c, z3->asts[e->a], z3->asts[e->b], z3->asts[e->c]);
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT:
	case MZ_OPERATOR_TRUNC:
	case MZ_OPERATOR_EXTRACT:
	case MZ_OPERATOR_CONCAT: {
		Z3_ast b = n > 1 ? vector_operand(z3, e->b) : NULL;
		Z3_ast vector = conversion(c, e, from, vector_operand(z3, e->a), b);
		return e->width == 1 ? as_boolean(c, vector) : vector;
	}
	default: return binary(c, e, from, z3->asts[e->a], z3->asts[e->b]);
	}
}

static uint32_t untranslated(const struct mz_z3 *z3, const struct mz_expression *e)
{
	const uint32_t operands[] = {e->a, e->b, e->c};
	unsigned n = mz_operator_operands(e->op);
	for (unsigned i = 0; i < n; i++) {
		if (!z3->asts[operands[i]]) return operands[i];
	}
	return 0;
}

/* Returns NULL if Z3 failed, or if the time has passed: the next query goes on from there. */
static Z3_ast translate(struct mz_z3 *z3, uint32_t expression)
{
	if (z3->asts[expression]) return z3->asts[expression];
	size_t depth = 0;
	z3->stack[depth++] = expression;
	while (depth > 0) {
		uint32_t top = z3->stack[depth - 1];
		const struct mz_expression *e = &z3->mirror->space->expressions[top];
		uint32_t operand = untranslated(z3, e);
		if (operand) {
			z3->stack[depth++] = operand;
			continue;
		}
		z3->asts[top] = hold(z3->context, translate_one(z3, e));
		if (!z3->asts[top] || failed) return NULL;
		if (++z3->ntranslated % 256 == 0 && is_late(z3)) return NULL;
		depth--;
	}
	return z3->asts[expression];
}

/* ---- one context ---- */

static void note_error(Z3_context context, Z3_error_code code)
{
	(void)context;
	(void)code;
	failed = true;
}

static void make_solver(struct mz_z3 *z3)
{
	if (z3->solver) Z3_solver_dec_ref(z3->context, z3->solver);
	z3->solver = Z3_mk_simple_solver(z3->context);
	Z3_solver_inc_ref(z3->context, z3->solver);
	z3->nliterals = 0;
}

static void open_context(struct mz_z3 *z3)
{
	Z3_config config = Z3_mk_config();
	z3->context = Z3_mk_context_rc(config);
	Z3_del_config(config);
	Z3_set_error_handler(z3->context, note_error);
	z3->parameters = Z3_mk_params(z3->context);
	Z3_params_inc_ref(z3->context, z3->parameters);
	z3->timeout_name = Z3_mk_string_symbol(z3->context, "timeout");
	z3->work_name = Z3_mk_string_symbol(z3->context, "rlimit");
	failed = false;
	z3->simplify = Z3_mk_tactic(z3->context, "qfbv");
	Z3_tactic_inc_ref(z3->context, z3->simplify);
	make_solver(z3);
}

static void close_context(struct mz_z3 *z3)
{
	Z3_solver_dec_ref(z3->context, z3->solver);
	Z3_params_dec_ref(z3->context, z3->parameters);
	Z3_tactic_dec_ref(z3->context, z3->simplify);
	Z3_del_context(z3->context);
	z3->solver = NULL;
}

/* Closes the context: after a failure of Z3 its state is not to be trusted. The next query opens another. */
static void forget_context(struct mz_z3 *z3)
{
	close_context(z3);
	if (z3->asts) memset(z3->asts, 0, z3->asts_capacity * sizeof *z3->asts);
	memset(z3->inputs, 0, sizeof z3->inputs);
	open_context(z3);
}

struct mz_z3 *mz_z3_new(const struct mz_mirror *mirror)
{
	struct mz_z3 *z3 = mz_alloc(sizeof *z3);
	if (!z3) return NULL;
	memset(z3, 0, sizeof *z3);
	z3->mirror = mirror;
	open_context(z3);
	return z3;
}

void mz_z3_free(struct mz_z3 *z3)
{
	if (!z3) return;
	close_context(z3);
	mz_free(z3->core);
	mz_free(z3->asts);
	mz_free(z3->stack);
	mz_free(z3->assumptions);
	mz_free(z3);
}

static bool reserve(struct mz_z3 *z3, uint32_t count)
{
	size_t need = (size_t)z3->mirror->space->nexpressions + 1, old = z3->asts_capacity;
	if (!mz_array_reserve(&z3->asts, &z3->asts_capacity, need)) return false;
	if (z3->asts_capacity > old) memset(z3->asts + old, 0, (z3->asts_capacity - old) * sizeof *z3->asts);
	return mz_array_reserve(&z3->stack, &z3->stack_capacity, need) &&
	       mz_array_reserve(&z3->assumptions, &z3->assumptions_capacity, count);
}

/* ---- queries ---- */

static bool assume(struct mz_z3 *z3, const mz_literal *literals, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		Z3_ast ast = translate(z3, literals[i] >> 1);
		if (!ast) return false;
		z3->assumptions[i] = literals[i] & 1 ? ast : Z3_mk_not(z3->context, ast);
		Z3_inc_ref(z3->context, z3->assumptions[i]);
	}
	return true;
}

/* The time and the amount of work that a stage of a query may use; 0: no limit. */
struct limits {
	uint32_t ms, work;
};

static void set_limits(struct mz_z3 *z3, Z3_solver solver, struct limits limits)
{
	Z3_params_set_uint(z3->context, z3->parameters, z3->timeout_name, limits.ms ? limits.ms : UINT32_MAX);
	Z3_params_set_uint(z3->context, z3->parameters, z3->work_name, limits.work);
	Z3_solver_set_params(z3->context, solver, z3->parameters);
}

/* Reads the value that the model has for a byte; if it has none, the byte stays as it is. */
static void read_byte(struct mz_z3 *z3, Z3_model model, uint16_t byte, uint8_t *values)
{
	Z3_ast value = NULL;
	unsigned n;
	if (!z3->inputs[byte]) return; /* the set of bytes is too large */
	if (!Z3_model_eval(z3->context, model, z3->inputs[byte], false, &value) || !value) return;
	Z3_inc_ref(z3->context, value);
	if (Z3_get_ast_kind(z3->context, value) == Z3_NUMERAL_AST && Z3_get_numeral_uint(z3->context, value, &n)) {
		values[byte] = (uint8_t)n;
	}
	Z3_dec_ref(z3->context, value);
}

static void take_model(struct mz_z3 *z3, Z3_solver solver, const struct mz_slice *slice, uint8_t *values)
{
	Z3_model model = Z3_solver_get_model(z3->context, solver);
	if (!model) return;
	Z3_model_inc_ref(z3->context, model);
	for (uint32_t i = 0; i < slice->nbytes; i++) read_byte(z3, model, slice->bytes[i], values);
	Z3_model_dec_ref(z3->context, model);
}

static int compare_ids(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

/* Reads the ids of the core's assumptions. Returns false when there is no memory. */
static bool read_core(struct mz_z3 *z3, unsigned *size)
{
	Z3_ast_vector core = Z3_solver_get_unsat_core(z3->context, z3->solver);
	if (!core) return false;
	Z3_ast_vector_inc_ref(z3->context, core);
	*size = Z3_ast_vector_size(z3->context, core);
	bool room = mz_array_reserve(&z3->core, &z3->core_capacity, *size);
	for (unsigned i = 0; room && i < *size; i++) {
		z3->core[i] = Z3_get_ast_id(z3->context, Z3_ast_vector_get(z3->context, core, i));
	}
	Z3_ast_vector_dec_ref(z3->context, core);
	if (room) qsort(z3->core, *size, sizeof *z3->core, compare_ids);
	return room;
}

/* Moves the literals of the core to the front, and returns how many there are: all, if that is not known. */
static uint32_t take_core(struct mz_z3 *z3, mz_literal *literals, uint32_t count)
{
	unsigned size, taken = 0;
	if (!read_core(z3, &size)) return count;
	for (uint32_t i = 0; i < count; i++) {
		unsigned id = Z3_get_ast_id(z3->context, z3->assumptions[i]);
		if (!bsearch(&id, z3->core, size, sizeof id, compare_ids)) continue;
		mz_literal literal = literals[i];
		literals[i] = literals[taken];
		literals[taken++] = literal;
	}
	return taken;
}

/* ---- stages ---- */

static enum mz_answer ask_kept(struct mz_z3 *z3, struct mz_query *query, struct limits limits)
{
	struct mz_slice *slice = query->slice;
	if (z3->nliterals > FRESH_AFTER) make_solver(z3);
	set_limits(z3, z3->solver, limits);
	z3->nliterals += slice->count;
	switch (Z3_solver_check_assumptions(z3->context, z3->solver, slice->count, z3->assumptions)) {
	case Z3_L_TRUE: take_model(z3, z3->solver, slice, query->model); return MZ_ANSWER_SAT;
	case Z3_L_FALSE: query->ncore = take_core(z3, slice->literals, slice->count); return MZ_ANSWER_UNSAT;
	default: return MZ_ANSWER_UNKNOWN;
	}
}

/* Asks a solver that is made for this query, and knows of nothing else. */
static enum mz_answer ask_new(struct mz_z3 *z3, struct mz_query *query, struct limits limits)
{
	Z3_context c = z3->context;
	Z3_solver solver = Z3_mk_solver_from_tactic(c, z3->simplify);
	Z3_solver_inc_ref(c, solver);
	set_limits(z3, solver, limits);
	for (uint32_t i = 0; i < query->slice->count; i++) Z3_solver_assert(c, solver, z3->assumptions[i]);
	Z3_lbool result = Z3_solver_check(c, solver);
	if (result == Z3_L_TRUE) take_model(z3, solver, query->slice, query->model);
	Z3_solver_dec_ref(c, solver);
	return result == Z3_L_TRUE ? MZ_ANSWER_SAT : result == Z3_L_FALSE ? MZ_ANSWER_UNSAT : MZ_ANSWER_UNKNOWN;
}

static enum mz_answer ask(struct mz_z3 *z3, struct mz_query *query)
{
	if (is_late(z3)) return MZ_ANSWER_UNKNOWN;
	enum mz_answer answer = ask_kept(z3, query, (struct limits){(time_left(z3) + 1) / 2, FIRST_WORK});
	if (answer != MZ_ANSWER_UNKNOWN || failed || is_late(z3)) return answer;
	return ask_new(z3, query, (struct limits){time_left(z3), 0});
}

enum mz_answer mz_z3_ask(struct mz_z3 *z3, struct mz_query *query)
{
	const struct mz_slice *slice = query->slice;
	enum mz_answer answer = MZ_ANSWER_UNKNOWN;
	query->ncore = slice->count;
	z3->deadline = query->timeout_ms ? milliseconds() + query->timeout_ms : 0;
	if (!reserve(z3, slice->count)) return answer;
	memset(z3->assumptions, 0, slice->count * sizeof *z3->assumptions);
	if (assume(z3, slice->literals, slice->count)) answer = ask(z3, query);
	for (uint32_t i = 0; i < slice->count && z3->assumptions[i]; i++) Z3_dec_ref(z3->context, z3->assumptions[i]);
	if (failed) {
		forget_context(z3);
		answer = MZ_ANSWER_UNKNOWN;
	}
	return answer;
}
