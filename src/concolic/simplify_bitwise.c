/* SPDX-License-Identifier: MIT
 *
 * Rules for AND, OR and XOR, and for ADD where no bit is carried: sums and disjunctions of numbers that have no bit in
 * common, as programs assemble a word from its bytes, are CONCATs.
 */
#include "concolic/simplify.h"

static uint64_t bitwise(enum mz_operator op, uint64_t a, uint64_t b)
{
	return op == MZ_OPERATOR_AND ? a & b : op == MZ_OPERATOR_OR ? a | b : a ^ b;
}

/* ---- numbers without common bits ---- */

/* Returns how many of the lowest bits are known to be 0. */
static unsigned low_zeros(const struct mz_space *space, uint32_t number)
{
	unsigned zeros = 0;
	for (;;) {
		const struct mz_expression *x = mz_at(space, number);
		if (x->op == MZ_OPERATOR_CONSTANT) {
			return zeros + (x->number ? (unsigned)__builtin_ctzll(x->number) : x->width);
		}
		if (x->op == MZ_OPERATOR_ZEXT) {
			number = x->a;
		} else if (x->op == MZ_OPERATOR_CONCAT && mz_is(space, x->b, MZ_OPERATOR_CONSTANT) &&
		           mz_at(space, x->b)->number == 0) {
			zeros += mz_at(space, x->b)->width;
			number = x->a;
		} else if (x->op == MZ_OPERATOR_CONCAT) {
			number = x->b;
		} else {
			return zeros;
		}
	}
}

/* Returns a number of bits above which all are known to be 0. */
static unsigned bits_in_use(const struct mz_space *space, uint32_t number)
{
	const struct mz_expression *x = mz_at(space, number);
	if (x->op == MZ_OPERATOR_CONSTANT) return x->number ? 64 - (unsigned)__builtin_clzll(x->number) : 0;
	return x->op == MZ_OPERATOR_ZEXT ? mz_at(space, x->a)->width : x->width;
}

/* `high` above `low`, if they have no bit in common. */
static uint32_t join(struct mz_space *space, uint32_t high, uint32_t low)
{
	unsigned at = low_zeros(space, high), width = mz_at(space, high)->width;
	if (at == 0 || at >= width || bits_in_use(space, low) > at) return MZ_SIMPLIFY_NOT;
	uint32_t upper = mz_make_extract(space, high, at, width - at);
	return mz_make2(space, MZ_OPERATOR_CONCAT, width, upper, mz_make_extract(space, low, 0, at));
}

/* ---- constants ---- */

/* x & k, where the bits of k are adjacent: those bits of x, between zeros. */
static uint32_t mask(struct mz_space *space, unsigned width, uint32_t a, uint64_t k)
{
	unsigned low = (unsigned)__builtin_ctzll(k);
	uint64_t run = k >> low;
	if (run & (run + 1)) return MZ_SIMPLIFY_NOT;
	unsigned n = (unsigned)__builtin_popcountll(run);
	uint32_t kept = mz_make_extract(space, a, low, n);
	if (low) kept = mz_make2(space, MZ_OPERATOR_CONCAT, low + n, kept, mz_expression_constant(space, low, 0));
	return mz_expression_make(space, MZ_OPERATOR_ZEXT, width, kept, 0, 0, 0);
}

static uint32_t neutral_constant(struct mz_space *space, const struct mz_expression *e, uint64_t k)
{
	bool zero = k == 0, ones = k == mz_bits(e->width);
	if (e->op == MZ_OPERATOR_AND) {
		if (zero) return e->b;
		return ones ? e->a : mask(space, e->width, e->a, k);
	}
	if (zero) return e->a;
	return e->op == MZ_OPERATOR_OR && ones ? e->b : MZ_SIMPLIFY_NOT;
}

/* The operator applied to the two parts of a CONCAT, or to what was extended with zeros, each with its part of k. */
static uint32_t in_parts(struct mz_space *space, const struct mz_expression *e, uint64_t k)
{
	const struct mz_expression x = *mz_at(space, e->a);
	if (x.op != MZ_OPERATOR_CONCAT && x.op != MZ_OPERATOR_ZEXT) return MZ_SIMPLIFY_NOT;
	uint32_t lower = x.op == MZ_OPERATOR_CONCAT ? x.b : x.a;
	unsigned at = mz_at(space, lower)->width, above = e->width - at;
	uint32_t low = mz_make2(space, e->op, at, lower, mz_expression_constant(space, at, k));
	uint32_t k_high = mz_expression_constant(space, above, k >> at);
	uint32_t upper = x.op == MZ_OPERATOR_CONCAT ? x.a : mz_expression_constant(space, above, 0);
	return mz_make2(space, MZ_OPERATOR_CONCAT, e->width, mz_make2(space, e->op, above, upper, k_high), low);
}

/* The negation of an inequality is the opposite one. */
static uint32_t negate(struct mz_space *space, uint32_t a)
{
	const struct mz_expression *x = mz_at(space, a);
	switch (x->op) {
	case MZ_OPERATOR_ULT: return mz_make2(space, MZ_OPERATOR_ULE, 1, x->b, x->a);
	case MZ_OPERATOR_ULE: return mz_make2(space, MZ_OPERATOR_ULT, 1, x->b, x->a);
	case MZ_OPERATOR_SLT: return mz_make2(space, MZ_OPERATOR_SLE, 1, x->b, x->a);
	case MZ_OPERATOR_SLE: return mz_make2(space, MZ_OPERATOR_SLT, 1, x->b, x->a);
	default: return MZ_SIMPLIFY_NOT;
	}
}

/* One of the rules for x op k; (x op c) op k among them. */
static uint32_t with_constant(struct mz_space *space, const struct mz_expression *e, uint64_t k)
{
	uint32_t n = neutral_constant(space, e, k);
	if (n == MZ_SIMPLIFY_NOT && e->op == MZ_OPERATOR_XOR && e->width == 1) n = negate(space, e->a);
	if (n == MZ_SIMPLIFY_NOT) n = in_parts(space, e, k);
	if (n != MZ_SIMPLIFY_NOT) return n;
	const struct mz_expression x = *mz_at(space, e->a);
	if (x.op != e->op || !mz_is(space, x.b, MZ_OPERATOR_CONSTANT)) return MZ_SIMPLIFY_NOT;
	uint64_t both = bitwise(e->op, mz_at(space, x.b)->number, k);
	return mz_make2(space, e->op, e->width, x.a, mz_expression_constant(space, e->width, both));
}

/* ---- two expressions ---- */

/* Reports whether y is x ^ k for a constant k, and which. */
static bool differ_by(const struct mz_space *space, uint32_t x, uint32_t y, uint64_t *k)
{
	const struct mz_expression *e = mz_at(space, y);
	if (e->op != MZ_OPERATOR_XOR || e->a != x || !mz_is(space, e->b, MZ_OPERATOR_CONSTANT)) return false;
	*k = mz_at(space, e->b)->number;
	return true;
}

static uint32_t related(struct mz_space *space, const struct mz_expression *e)
{
	uint64_t k = 0;
	if (e->a != e->b && !differ_by(space, e->a, e->b, &k) && !differ_by(space, e->b, e->a, &k)) {
		return MZ_SIMPLIFY_NOT;
	}
	if (e->op == MZ_OPERATOR_XOR) return mz_expression_constant(space, e->width, k);
	if (e->a == e->b) return e->a;
	if (k != mz_bits(e->width)) return MZ_SIMPLIFY_NOT;
	return mz_expression_constant(space, e->width, e->op == MZ_OPERATOR_AND ? 0 : k);
}

/* Two numbers that were extended with zeros: the operator is applied before they are extended. */
static uint32_t narrow(struct mz_space *space, const struct mz_expression *e)
{
	if (!mz_is(space, e->a, MZ_OPERATOR_ZEXT) || !mz_is(space, e->b, MZ_OPERATOR_ZEXT)) return MZ_SIMPLIFY_NOT;
	unsigned a = bits_in_use(space, e->a), b = bits_in_use(space, e->b), width = a > b ? a : b;
	uint32_t x = mz_make_extract(space, e->a, 0, width), y = mz_make_extract(space, e->b, 0, width);
	return mz_expression_make(space, MZ_OPERATOR_ZEXT, e->width, mz_make2(space, e->op, width, x, y), 0, 0, 0);
}

uint32_t mz_simplify_bitwise(struct mz_space *space, const struct mz_expression *e)
{
	if (e->op != MZ_OPERATOR_ADD && e->op < MZ_OPERATOR_AND) return MZ_SIMPLIFY_NOT;
	uint32_t n = MZ_SIMPLIFY_NOT;
	if (e->op != MZ_OPERATOR_AND) n = join(space, e->a, e->b);
	if (n == MZ_SIMPLIFY_NOT && e->op != MZ_OPERATOR_AND) n = join(space, e->b, e->a);
	if (n != MZ_SIMPLIFY_NOT || e->op == MZ_OPERATOR_ADD) return n;
	if (mz_is(space, e->b, MZ_OPERATOR_CONSTANT)) return with_constant(space, e, mz_at(space, e->b)->number);
	n = related(space, e);
	return n == MZ_SIMPLIFY_NOT ? narrow(space, e) : n;
}
