/* SPDX-License-Identifier: MIT
 *
 * Folds constants, orders operands, and tries the rules. Here are those of arithmetic.
 */
#include "concolic/simplify.h"

static bool is_constant(const struct mz_space *space, uint32_t number)
{
	return mz_is(space, number, MZ_OPERATOR_CONSTANT);
}

/* ---- addition and multiplication ---- */

/* (x + c) + k, (c - x) + k */
static uint32_t add_constant(struct mz_space *space, unsigned width, uint32_t a, uint64_t k)
{
	const struct mz_expression x = *mz_at(space, a);
	if (k == 0) return a;
	if (x.op == MZ_OPERATOR_ADD && is_constant(space, x.b)) {
		uint64_t sum = mz_at(space, x.b)->number + k;
		return mz_make2(space, MZ_OPERATOR_ADD, width, x.a, mz_expression_constant(space, width, sum));
	}
	if (x.op == MZ_OPERATOR_SUB && is_constant(space, x.a)) {
		uint64_t sum = mz_at(space, x.a)->number + k;
		return mz_make2(space, MZ_OPERATOR_SUB, width, mz_expression_constant(space, width, sum), x.b);
	}
	return MZ_SIMPLIFY_NOT;
}

/* k - (c - x), k - (x + c) */
static uint32_t subtract_from_constant(struct mz_space *space, unsigned width, uint64_t k, uint32_t b)
{
	const struct mz_expression x = *mz_at(space, b);
	if (x.op == MZ_OPERATOR_SUB && is_constant(space, x.a)) {
		uint64_t rest = k - mz_at(space, x.a)->number;
		return mz_make2(space, MZ_OPERATOR_ADD, width, x.b, mz_expression_constant(space, width, rest));
	}
	if (x.op == MZ_OPERATOR_ADD && is_constant(space, x.b)) {
		uint64_t rest = k - mz_at(space, x.b)->number;
		return mz_make2(space, MZ_OPERATOR_SUB, width, mz_expression_constant(space, width, rest), x.a);
	}
	return MZ_SIMPLIFY_NOT;
}

static uint32_t subtract(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression *x = mz_at(space, e->a), *y = mz_at(space, e->b);
	if (e->a == e->b) return mz_expression_constant(space, e->width, 0);
	if (y->op == MZ_OPERATOR_CONSTANT) {
		uint32_t k = mz_expression_constant(space, e->width, -y->number);
		return mz_make2(space, MZ_OPERATOR_ADD, e->width, e->a, k);
	}
	if (x->op == MZ_OPERATOR_CONSTANT) return subtract_from_constant(space, e->width, x->number, e->b);
	if (x->op == MZ_OPERATOR_ADD && x->a == e->b) return x->b;
	if (x->op == MZ_OPERATOR_ADD && x->b == e->b) return x->a;
	return MZ_SIMPLIFY_NOT;
}

static uint32_t multiply_by_constant(struct mz_space *space, unsigned width, uint32_t a, uint32_t b)
{
	const struct mz_expression x = *mz_at(space, a);
	uint64_t k = mz_at(space, b)->number;
	if (k == 0) return b;
	if (k == 1) return a;
	if ((k & (k - 1)) == 0) {
		uint32_t by = mz_expression_constant(space, width, (unsigned)__builtin_ctzll(k));
		return mz_make2(space, MZ_OPERATOR_SHL, width, a, by);
	}
	if (x.op == MZ_OPERATOR_MUL && is_constant(space, x.b)) {
		uint64_t product = mz_at(space, x.b)->number * k;
		return mz_make2(space, MZ_OPERATOR_MUL, width, x.a, mz_expression_constant(space, width, product));
	}
	return MZ_SIMPLIFY_NOT;
}

/* ---- division and shifts by constants ---- */

static uint32_t divide_by_constant(struct mz_space *space, const struct mz_expression *e, uint64_t k)
{
	bool power = k && (k & (k - 1)) == 0;
	switch (e->op) {
	case MZ_OPERATOR_UDIV:
		if (!power) return MZ_SIMPLIFY_NOT;
		return mz_make2(space, MZ_OPERATOR_LSHR, e->width, e->a,
		                mz_expression_constant(space, e->width, (unsigned)__builtin_ctzll(k)));
	case MZ_OPERATOR_UREM:
		if (!power) return MZ_SIMPLIFY_NOT;
		return mz_make2(space, MZ_OPERATOR_AND, e->width, e->a, mz_expression_constant(space, e->width, k - 1));
	case MZ_OPERATOR_SDIV: return k == 1 ? e->a : MZ_SIMPLIFY_NOT;
	default: return k == 1 ? mz_expression_constant(space, e->width, 0) : MZ_SIMPLIFY_NOT;
	}
}

static uint32_t shift_by_constant(struct mz_space *space, const struct mz_expression *e, uint64_t k)
{
	unsigned width = e->width;
	if (k == 0) return e->a;
	if (e->op == MZ_OPERATOR_ASHR) {
		unsigned low = k < width ? (unsigned)k : width - 1;
		uint32_t kept = mz_make_extract(space, e->a, low, width - low);
		return mz_expression_make(space, MZ_OPERATOR_SEXT, width, kept, 0, 0, 0);
	}
	if (k >= width) return mz_expression_constant(space, width, 0);
	unsigned by = (unsigned)k;
	if (e->op == MZ_OPERATOR_LSHR) {
		uint32_t kept = mz_make_extract(space, e->a, by, width - by);
		return mz_expression_make(space, MZ_OPERATOR_ZEXT, width, kept, 0, 0, 0);
	}
	uint32_t kept = mz_make_extract(space, e->a, 0, width - by);
	return mz_make2(space, MZ_OPERATOR_CONCAT, width, kept, mz_expression_constant(space, by, 0));
}

uint32_t mz_simplify_arithmetic(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression *y = mz_at(space, e->b);
	bool constant = y->op == MZ_OPERATOR_CONSTANT;
	switch (e->op) {
	case MZ_OPERATOR_ADD: return constant ? add_constant(space, e->width, e->a, y->number) : MZ_SIMPLIFY_NOT;
	case MZ_OPERATOR_SUB: return subtract(space, e);
	case MZ_OPERATOR_MUL: return constant ? multiply_by_constant(space, e->width, e->a, e->b) : MZ_SIMPLIFY_NOT;
	case MZ_OPERATOR_UDIV:
	case MZ_OPERATOR_SDIV:
	case MZ_OPERATOR_UREM:
	case MZ_OPERATOR_SREM: return constant ? divide_by_constant(space, e, y->number) : MZ_SIMPLIFY_NOT;
	default: return constant ? shift_by_constant(space, e, y->number) : MZ_SIMPLIFY_NOT;
	}
}

/* ---- all operators ---- */

static bool is_commutative(enum mz_operator op)
{
	switch (op) {
	case MZ_OPERATOR_ADD:
	case MZ_OPERATOR_MUL:
	case MZ_OPERATOR_AND:
	case MZ_OPERATOR_OR:
	case MZ_OPERATOR_XOR:
	case MZ_OPERATOR_EQ:
	case MZ_OPERATOR_NE: return true;
	default: return false;
	}
}

/* Puts the operands of a commutative operator in order: a constant to the right, otherwise by their content. What is
 * computed is thus the same expression in every space, whatever the numbers of the operands are. */
static void order(const struct mz_space *space, struct mz_expression *e)
{
	bool a = is_constant(space, e->a), b = is_constant(space, e->b);
	if (a == b ? mz_expression_content(space, e->a) <= mz_expression_content(space, e->b) : b) return;
	uint32_t swapped = e->a;
	e->a = e->b;
	e->b = swapped;
}

/* The value of an expression whose operands are constants. */
static uint32_t fold(struct mz_space *space, const struct mz_expression *e)
{
	unsigned n = mz_operator_operands(e->op);
	uint32_t a = n > 0 ? e->a : 0, b = n > 1 ? e->b : 0, c = n > 2 ? e->c : 0;
	if (!is_constant(space, a) || (b && !is_constant(space, b)) || (c && !is_constant(space, c))) {
		return MZ_SIMPLIFY_NOT;
	}
	unsigned from = mz_at(space, e->op == MZ_OPERATOR_CONCAT ? b : a)->width;
	uint64_t value = mz_operator_apply(e->op, e->width, from, mz_at(space, a)->number, mz_at(space, b)->number,
	                                   mz_at(space, c)->number, e->number);
	return mz_expression_constant(space, e->width, value);
}

static uint32_t apply_rules(struct mz_space *space, const struct mz_expression *e)
{
	if (mz_operator_is_comparison(e->op)) return mz_simplify_comparison(space, e);
	if (e->op >= MZ_OPERATOR_ZEXT) return mz_simplify_structure(space, e);
	uint32_t n = e->op >= MZ_OPERATOR_AND ? MZ_SIMPLIFY_NOT : mz_simplify_arithmetic(space, e);
	return n == MZ_SIMPLIFY_NOT ? mz_simplify_bitwise(space, e) : n;
}

/* Leaves 0 in the members that the operator does not use, so that equal expressions have equal bytes. */
static struct mz_expression without_leftovers(const struct mz_expression *e)
{
	unsigned n = mz_operator_operands(e->op);
	bool numbered = n == 0 || e->op == MZ_OPERATOR_EXTRACT;
	return (struct mz_expression){
	    e->op, e->width, n > 0 ? e->a : 0, n > 1 ? e->b : 0, n > 2 ? e->c : 0, numbered ? e->number : 0};
}

uint32_t mz_expression_simplify(struct mz_space *space, const struct mz_expression *given)
{
	struct mz_expression e = without_leftovers(given);
	if (mz_operator_operands(e.op) == 0) return mz_expression_intern(space, &e);
	if (is_commutative(e.op)) order(space, &e);
	uint32_t n = fold(space, &e);
	if (n == MZ_SIMPLIFY_NOT) n = apply_rules(space, &e);
	return n == MZ_SIMPLIFY_NOT ? mz_expression_intern(space, &e) : n;
}
