/* SPDX-License-Identifier: MIT
 *
 * Rules for comparisons. They reduce all of them to EQ, ULT, ULE, SLT and SLE, comparisons with constants to EQ, ULT
 * and SLT, and compare before numbers are extended rather than after.
 */
#include "concolic/simplify.h"

static uint32_t compare(struct mz_space *space, enum mz_operator op, uint32_t a, uint32_t b)
{
	return mz_make2(space, op, 1, a, b);
}

static uint32_t bit(struct mz_space *space, bool value)
{
	return mz_expression_constant(space, 1, value);
}

static bool is_constant(const struct mz_space *space, uint32_t number)
{
	return mz_is(space, number, MZ_OPERATOR_CONSTANT);
}

static bool is_signed(enum mz_operator op)
{
	return op == MZ_OPERATOR_SLT || op == MZ_OPERATOR_SLE;
}

static bool is_negative(uint64_t value, unsigned width)
{
	return value >> (width - 1) & 1;
}

/* ---- canonical operators ---- */

static uint32_t reduce(struct mz_space *space, const struct mz_expression *e)
{
	switch (e->op) {
	case MZ_OPERATOR_NE: return mz_make_not(space, compare(space, MZ_OPERATOR_EQ, e->a, e->b));
	case MZ_OPERATOR_UGT: return compare(space, MZ_OPERATOR_ULT, e->b, e->a);
	case MZ_OPERATOR_UGE: return compare(space, MZ_OPERATOR_ULE, e->b, e->a);
	case MZ_OPERATOR_SGT: return compare(space, MZ_OPERATOR_SLT, e->b, e->a);
	case MZ_OPERATOR_SGE: return compare(space, MZ_OPERATOR_SLE, e->b, e->a);
	default: return MZ_SIMPLIFY_NOT;
	}
}

/* x <= k is x < k + 1, and k <= x is k - 1 < x, except at the ends of the range. */
static uint32_t strict(struct mz_space *space, const struct mz_expression *e, unsigned width)
{
	bool right = is_constant(space, e->b);
	uint64_t k = mz_at(space, right ? e->b : e->a)->number;
	uint64_t least = e->op == MZ_OPERATOR_ULE ? 0 : 1ULL << (width - 1);
	uint64_t most = e->op == MZ_OPERATOR_ULE ? mz_bits(width) : least - 1;
	enum mz_operator op = e->op == MZ_OPERATOR_ULE ? MZ_OPERATOR_ULT : MZ_OPERATOR_SLT;
	if (k == (right ? most : least)) return bit(space, true);
	if (right) return compare(space, op, e->a, mz_expression_constant(space, width, k + 1));
	return compare(space, op, mz_expression_constant(space, width, k - 1), e->b);
}

/* ---- constants at the ends of the range ---- */

/* x < k and k < x that hold for no x, for one, or for all but one. */
static uint32_t at_unsigned_end(struct mz_space *space, const struct mz_expression *e, unsigned width)
{
	uint64_t most = mz_bits(width);
	if (is_constant(space, e->b)) {
		uint64_t k = mz_at(space, e->b)->number;
		if (k == 0) return bit(space, false);
		if (k == 1) return compare(space, MZ_OPERATOR_EQ, e->a, mz_expression_constant(space, width, 0));
		return k == most ? compare(space, MZ_OPERATOR_NE, e->a, e->b) : MZ_SIMPLIFY_NOT;
	}
	uint64_t k = mz_at(space, e->a)->number;
	if (k == most) return bit(space, false);
	if (k == most - 1) return compare(space, MZ_OPERATOR_EQ, e->b, mz_expression_constant(space, width, most));
	return k == 0 ? compare(space, MZ_OPERATOR_NE, e->b, e->a) : MZ_SIMPLIFY_NOT;
}

/* x < 0 is the highest bit of x. */
static uint32_t at_signed_end(struct mz_space *space, const struct mz_expression *e, unsigned width)
{
	uint64_t least = 1ULL << (width - 1);
	if (is_constant(space, e->b)) {
		uint64_t k = mz_at(space, e->b)->number;
		if (k == least) return bit(space, false);
		return k == 0 ? mz_make_extract(space, e->a, width - 1, 1) : MZ_SIMPLIFY_NOT;
	}
	uint64_t k = mz_at(space, e->a)->number;
	if (k == least - 1) return bit(space, false);
	if (k != mz_bits(width)) return MZ_SIMPLIFY_NOT;
	return mz_make_not(space, mz_make_extract(space, e->b, width - 1, 1));
}

/* ---- extended numbers, compared with a constant ---- */

/* ZEXT(x) with k: `right` says that k is the right operand. */
static uint32_t zero_extended(struct mz_space *space, enum mz_operator op, uint32_t x, uint64_t k, bool right,
                              unsigned width)
{
	unsigned inner = mz_at(space, x)->width;
	bool below = is_signed(op) && is_negative(k, width); /* k is less than every ZEXT(x) */
	if (below || k > mz_bits(inner)) {
		if (op == MZ_OPERATOR_EQ) return bit(space, false);
		return bit(space, right != below);
	}
	if (op == MZ_OPERATOR_SLT) op = MZ_OPERATOR_ULT;
	uint32_t constant = mz_expression_constant(space, inner, k);
	return right ? compare(space, op, x, constant) : compare(space, op, constant, x);
}

/* Numbers keep their order, as unsigned ones as well, when their sign is extended. */
static uint32_t sign_extended(struct mz_space *space, enum mz_operator op, uint32_t x, uint64_t k, bool right,
                              unsigned width)
{
	unsigned inner = mz_at(space, x)->width;
	uint64_t again = mz_operator_apply(MZ_OPERATOR_SEXT, width, inner, k & mz_bits(inner), 0, 0, 0);
	if (again != k) {
		if (op == MZ_OPERATOR_EQ) return bit(space, false);
		if (op == MZ_OPERATOR_SLT) return bit(space, right != is_negative(k, width));
		return MZ_SIMPLIFY_NOT;
	}
	uint32_t constant = mz_expression_constant(space, inner, k);
	return right ? compare(space, op, x, constant) : compare(space, op, constant, x);
}

/* ---- equality with a constant ---- */

/* A CONCAT of which one part is constant, too. */
static uint32_t equal_concat(struct mz_space *space, const struct mz_expression *x, uint64_t k)
{
	unsigned at = mz_at(space, x->b)->width;
	bool low = is_constant(space, x->b);
	if (!low && !is_constant(space, x->a)) return MZ_SIMPLIFY_NOT;
	uint64_t k_low = k & mz_bits(at), k_high = k >> at;
	uint32_t fixed = low ? x->b : x->a, rest = low ? x->a : x->b;
	if (mz_at(space, fixed)->number != (low ? k_low : k_high)) return bit(space, false);
	uint32_t constant = mz_expression_constant(space, mz_at(space, rest)->width, low ? k_high : k_low);
	return compare(space, MZ_OPERATOR_EQ, rest, constant);
}

/* An operation with one constant is undone on the other side; differences that are 0 are equalities. */
static uint32_t equal_constant(struct mz_space *space, uint32_t a, uint64_t k)
{
	const struct mz_expression x = *mz_at(space, a);
	uint32_t other = x.a;
	if (x.width == 1) return k ? a : mz_make_not(space, a);
	if (x.op == MZ_OPERATOR_CONCAT) return equal_concat(space, &x, k);
	if (x.op != MZ_OPERATOR_ADD && x.op != MZ_OPERATOR_SUB && x.op != MZ_OPERATOR_XOR) return MZ_SIMPLIFY_NOT;
	if (k == 0 && x.op != MZ_OPERATOR_ADD) return compare(space, MZ_OPERATOR_EQ, x.a, x.b);
	if (x.op == MZ_OPERATOR_SUB && is_constant(space, x.a)) {
		k = mz_at(space, x.a)->number - k;
		other = x.b;
	} else if (is_constant(space, x.b)) {
		uint64_t c = mz_at(space, x.b)->number;
		k = x.op == MZ_OPERATOR_ADD ? k - c : x.op == MZ_OPERATOR_SUB ? k + c : k ^ c;
	} else {
		return MZ_SIMPLIFY_NOT;
	}
	return compare(space, MZ_OPERATOR_EQ, other, mz_expression_constant(space, x.width, k));
}

/* ---- one operand is constant ---- */

/* ITE(c, k1, k2) compared with k: the condition, its negation, or known. */
static uint32_t chosen(struct mz_space *space, const struct mz_expression *e)
{
	uint32_t choice = is_constant(space, e->b) ? e->a : e->b;
	const struct mz_expression x = *mz_at(space, choice);
	if (x.op != MZ_OPERATOR_ITE || !is_constant(space, x.b) || !is_constant(space, x.c)) return MZ_SIMPLIFY_NOT;
	bool left = choice == e->a;
	uint32_t yes = left ? compare(space, e->op, x.b, e->b) : compare(space, e->op, e->a, x.b);
	uint32_t no = left ? compare(space, e->op, x.c, e->b) : compare(space, e->op, e->a, x.c);
	return mz_expression_make(space, MZ_OPERATOR_ITE, 1, x.a, yes, no, 0);
}

static uint32_t with_constant(struct mz_space *space, const struct mz_expression *e, unsigned width)
{
	bool right = is_constant(space, e->b);
	uint32_t other = right ? e->a : e->b;
	uint64_t k = mz_at(space, right ? e->b : e->a)->number;
	if (e->op == MZ_OPERATOR_ULE || e->op == MZ_OPERATOR_SLE) return strict(space, e, width);
	uint32_t n = chosen(space, e);
	if (n != MZ_SIMPLIFY_NOT) return n;
	const struct mz_expression x = *mz_at(space, other);
	if (x.op == MZ_OPERATOR_ZEXT) return zero_extended(space, e->op, x.a, k, right, width);
	if (x.op == MZ_OPERATOR_SEXT) n = sign_extended(space, e->op, x.a, k, right, width);
	if (n != MZ_SIMPLIFY_NOT) return n;
	if (e->op == MZ_OPERATOR_EQ) return equal_constant(space, other, k);
	return e->op == MZ_OPERATOR_ULT ? at_unsigned_end(space, e, width) : at_signed_end(space, e, width);
}

/* ---- none is ---- */

static uint32_t both_extended(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression x = *mz_at(space, e->a), y = *mz_at(space, e->b);
	unsigned inner = mz_at(space, x.a)->width;
	if (x.op != y.op || (x.op != MZ_OPERATOR_ZEXT && x.op != MZ_OPERATOR_SEXT)) return MZ_SIMPLIFY_NOT;
	if (inner != mz_at(space, y.a)->width) return MZ_SIMPLIFY_NOT;
	enum mz_operator op = e->op;
	if (x.op == MZ_OPERATOR_ZEXT && op == MZ_OPERATOR_SLT) op = MZ_OPERATOR_ULT;
	if (x.op == MZ_OPERATOR_ZEXT && op == MZ_OPERATOR_SLE) op = MZ_OPERATOR_ULE;
	return compare(space, op, x.a, y.a);
}

/* Returns x if the expression is x * k / k, for a constant k that is not 0, and stores the greatest x for which x * k
 * does not overflow. Else, returns 0. */
static uint32_t multiplied_and_divided(const struct mz_space *space, uint32_t number, uint64_t *most)
{
	const struct mz_expression *quotient = mz_at(space, number), *product = mz_at(space, quotient->a);
	if (quotient->op != MZ_OPERATOR_UDIV || product->op != MZ_OPERATOR_MUL || product->b != quotient->b) return 0;
	uint64_t k = mz_at(space, product->b)->number;
	if (!is_constant(space, product->b) || k == 0) return 0;
	*most = mz_bits(product->width) / k;
	return product->a;
}

/* x * k / k is x exactly if x * k does not overflow: dividing what is left of a product that does gives less. */
static uint32_t does_not_overflow(struct mz_space *space, const struct mz_expression *e)
{
	uint64_t most = 0;
	if (e->op != MZ_OPERATOR_EQ) return MZ_SIMPLIFY_NOT;
	if (multiplied_and_divided(space, e->a, &most) != e->b && multiplied_and_divided(space, e->b, &most) != e->a)
		return MZ_SIMPLIFY_NOT;
	uint32_t x = mz_is(space, e->a, MZ_OPERATOR_UDIV) ? e->b : e->a;
	return compare(space, MZ_OPERATOR_ULE, x, mz_expression_constant(space, mz_at(space, x)->width, most));
}

uint32_t mz_simplify_comparison(struct mz_space *space, const struct mz_expression *e)
{
	uint32_t n = reduce(space, e);
	if (n != MZ_SIMPLIFY_NOT) return n;
	bool reflexive = e->op == MZ_OPERATOR_EQ || e->op == MZ_OPERATOR_ULE || e->op == MZ_OPERATOR_SLE;
	if (e->a == e->b) return bit(space, reflexive);
	if (is_constant(space, e->a) || is_constant(space, e->b)) {
		return with_constant(space, e, mz_at(space, e->a)->width);
	}
	n = does_not_overflow(space, e);
	return n != MZ_SIMPLIFY_NOT ? n : both_extended(space, e);
}
