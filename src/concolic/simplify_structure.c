/* SPDX-License-Identifier: MIT
 *
 * Rules for conversions, EXTRACT, CONCAT and ITE.
 */
#include "concolic/simplify.h"

static unsigned width_of(const struct mz_space *space, uint32_t number)
{
	return mz_at(space, number)->width;
}

static uint32_t extend(struct mz_space *space, enum mz_operator op, unsigned width, uint32_t a)
{
	return mz_expression_make(space, op, width, a, 0, 0, 0);
}

/* ---- extensions ---- */

/* ITE(c, k1, k2) extended: the constants are. */
static uint32_t extend_arms(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression x = *mz_at(space, e->a);
	if (x.op != MZ_OPERATOR_ITE || !mz_is(space, x.b, MZ_OPERATOR_CONSTANT) ||
	    !mz_is(space, x.c, MZ_OPERATOR_CONSTANT)) {
		return MZ_SIMPLIFY_NOT;
	}
	uint32_t b = extend(space, e->op, e->width, x.b), c = extend(space, e->op, e->width, x.c);
	return mz_expression_make(space, MZ_OPERATOR_ITE, e->width, x.a, b, c, 0);
}

static uint32_t extend_sign(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression x = *mz_at(space, e->a);
	if (x.op == MZ_OPERATOR_ZEXT) return extend(space, MZ_OPERATOR_ZEXT, e->width, x.a);
	if (x.op == MZ_OPERATOR_CONCAT && mz_is(space, x.a, MZ_OPERATOR_CONSTANT)) {
		uint32_t high = extend(space, MZ_OPERATOR_SEXT, e->width - width_of(space, x.b), x.a);
		return mz_make2(space, MZ_OPERATOR_CONCAT, e->width, high, x.b);
	}
	return extend_arms(space, e);
}

static uint32_t extension(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression *x = mz_at(space, e->a);
	if (e->width == x->width) return e->a;
	if (x->op == e->op) return extend(space, e->op, e->width, x->a);
	return e->op == MZ_OPERATOR_SEXT ? extend_sign(space, e) : extend_arms(space, e);
}

/* ---- EXTRACT ---- */

static uint32_t extract_of_concat(struct mz_space *space, const struct mz_expression *x, unsigned low, unsigned width)
{
	uint32_t upper = x->a, lower = x->b;
	unsigned at = width_of(space, lower);
	if (low >= at) return mz_make_extract(space, upper, low - at, width);
	if (low + width <= at) return mz_make_extract(space, lower, low, width);
	uint32_t high = mz_make_extract(space, upper, 0, low + width - at);
	return mz_make2(space, MZ_OPERATOR_CONCAT, width, high, mz_make_extract(space, lower, low, at - low));
}

static uint32_t extract_of_extension(struct mz_space *space, const struct mz_expression *x, unsigned low,
                                     unsigned width)
{
	uint32_t inner = x->a;
	enum mz_operator op = x->op;
	unsigned at = width_of(space, inner);
	if (low + width <= at) return mz_make_extract(space, inner, low, width);
	if (low >= at && op == MZ_OPERATOR_ZEXT) return mz_expression_constant(space, width, 0);
	if (low >= at) low = at - 1;
	return extend(space, op, width, mz_make_extract(space, inner, low, at - low));
}

static uint32_t extract(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression x = *mz_at(space, e->a);
	unsigned low = (unsigned)e->number, width = e->width;
	if (width == x.width) return e->a;
	switch (x.op) {
	case MZ_OPERATOR_EXTRACT: return mz_make_extract(space, x.a, low + (unsigned)x.number, width);
	case MZ_OPERATOR_CONCAT: return extract_of_concat(space, &x, low, width);
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT: return extract_of_extension(space, &x, low, width);
	default: return MZ_SIMPLIFY_NOT;
	}
}

/* ---- CONCAT ---- */

/* An expression's bits, seen as part of another expression. */
struct part {
	uint32_t of;
	unsigned low;
};

static struct part part_of(const struct mz_space *space, uint32_t number)
{
	const struct mz_expression *x = mz_at(space, number);
	return x->op == MZ_OPERATOR_EXTRACT ? (struct part){x->a, (unsigned)x->number} : (struct part){number, 0};
}

/* Adjacent parts of one expression, or two constants, are one part. */
static uint32_t merge(struct mz_space *space, uint32_t high, uint32_t low)
{
	unsigned width = width_of(space, high) + width_of(space, low);
	if (mz_is(space, high, MZ_OPERATOR_CONSTANT) && mz_is(space, low, MZ_OPERATOR_CONSTANT)) {
		uint64_t value = mz_at(space, high)->number << width_of(space, low) | mz_at(space, low)->number;
		return mz_expression_constant(space, width, value);
	}
	struct part h = part_of(space, high), l = part_of(space, low);
	if (h.of != l.of || h.low != l.low + width_of(space, low)) return MZ_SIMPLIFY_NOT;
	return mz_make_extract(space, l.of, l.low, width);
}

/* Reports whether `bit`, one bit wide, is the highest bit of an expression. */
static bool is_sign(const struct mz_space *space, uint32_t bit, uint32_t number)
{
	while (mz_is(space, number, MZ_OPERATOR_SEXT) || mz_is(space, number, MZ_OPERATOR_CONCAT)) {
		number = mz_at(space, number)->a;
	}
	struct part sign = part_of(space, number), given = part_of(space, bit);
	return sign.of == given.of && sign.low + width_of(space, number) - 1 == given.low;
}

/* A constant above an expression begins with a 1: zeros before it are an extension, and zeros between it and what it is
 * put above are a part of it. */
static uint32_t concat_constant(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression low = *mz_at(space, e->b);
	uint64_t k = mz_at(space, e->a)->number;
	if (k == 0) return extend(space, MZ_OPERATOR_ZEXT, e->width, e->b);
	unsigned used = 64 - (unsigned)__builtin_clzll(k), above = mz_at(space, e->a)->width;
	if (used < above) {
		uint32_t high = mz_expression_constant(space, used, k);
		return extend(space, MZ_OPERATOR_ZEXT, e->width, mz_make_concat(space, high, e->b));
	}
	if (low.op != MZ_OPERATOR_ZEXT) return MZ_SIMPLIFY_NOT;
	unsigned inner = width_of(space, low.a), zeros = low.width - inner;
	uint32_t high = mz_expression_constant(space, above + zeros, k << zeros);
	return mz_make2(space, MZ_OPERATOR_CONCAT, e->width, high, low.a);
}

static uint32_t concat(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression high = *mz_at(space, e->a), low = *mz_at(space, e->b);
	uint32_t n = merge(space, e->a, e->b);
	if (n != MZ_SIMPLIFY_NOT) return n;
	if (low.op == MZ_OPERATOR_CONCAT && (n = merge(space, e->a, low.a)) != MZ_SIMPLIFY_NOT) {
		return mz_make2(space, MZ_OPERATOR_CONCAT, e->width, n, low.b);
	}
	switch (high.op) {
	case MZ_OPERATOR_CONSTANT: return concat_constant(space, e);
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT: return extend(space, high.op, e->width, mz_make_concat(space, high.a, e->b));
	case MZ_OPERATOR_CONCAT:
		return mz_make2(space, MZ_OPERATOR_CONCAT, e->width, high.a, mz_make_concat(space, high.b, e->b));
	default: break;
	}
	if (high.width == 1 && is_sign(space, e->a, e->b)) return extend(space, MZ_OPERATOR_SEXT, e->width, e->b);
	return MZ_SIMPLIFY_NOT;
}

/* ---- ITE ---- */

/* One arm is constant and one bit wide: c & x, c | x, or the same with the negation of c. */
static uint32_t choose_bit(struct mz_space *space, const struct mz_expression *e)
{
	bool b = mz_is(space, e->b, MZ_OPERATOR_CONSTANT), c = mz_is(space, e->c, MZ_OPERATOR_CONSTANT);
	if (e->width != 1 || (!b && !c)) return MZ_SIMPLIFY_NOT;
	uint64_t value = mz_at(space, b ? e->b : e->c)->number;
	enum mz_operator op = value ? MZ_OPERATOR_OR : MZ_OPERATOR_AND;
	bool plain = b ? value == 1 : value == 0;
	return mz_make2(space, op, 1, plain ? e->a : mz_make_not(space, e->a), b ? e->c : e->b);
}

/* Constant arms 1 and 0, or ones and 0: the condition, extended. */
static uint32_t choose_constant(struct mz_space *space, const struct mz_expression *e)
{
	if (!mz_is(space, e->b, MZ_OPERATOR_CONSTANT) || !mz_is(space, e->c, MZ_OPERATOR_CONSTANT))
		return MZ_SIMPLIFY_NOT;
	uint64_t b = mz_at(space, e->b)->number, c = mz_at(space, e->c)->number, ones = mz_bits(e->width);
	if (c == 0 && b == 1) return extend(space, MZ_OPERATOR_ZEXT, e->width, e->a);
	if (c == 0 && b == ones) return extend(space, MZ_OPERATOR_SEXT, e->width, e->a);
	if (b == 0 && c == 1) return extend(space, MZ_OPERATOR_ZEXT, e->width, mz_make_not(space, e->a));
	if (b == 0 && c == ones) return extend(space, MZ_OPERATOR_SEXT, e->width, mz_make_not(space, e->a));
	return MZ_SIMPLIFY_NOT;
}

static uint32_t choose(struct mz_space *space, const struct mz_expression *e)
{
	const struct mz_expression *a = mz_at(space, e->a), *b = mz_at(space, e->b), *c = mz_at(space, e->c);
	if (e->b == e->c) return e->b;
	if (a->op == MZ_OPERATOR_CONSTANT) return a->number ? e->b : e->c;
	if (a->op == MZ_OPERATOR_XOR && mz_is(space, a->b, MZ_OPERATOR_CONSTANT)) {
		return mz_expression_make(space, MZ_OPERATOR_ITE, e->width, a->a, e->c, e->b, 0);
	}
	if (b->op == MZ_OPERATOR_ITE && b->a == e->a) {
		return mz_expression_make(space, MZ_OPERATOR_ITE, e->width, e->a, b->b, e->c, 0);
	}
	if (c->op == MZ_OPERATOR_ITE && c->a == e->a) {
		return mz_expression_make(space, MZ_OPERATOR_ITE, e->width, e->a, e->b, c->c, 0);
	}
	uint32_t n = choose_constant(space, e);
	return n == MZ_SIMPLIFY_NOT ? choose_bit(space, e) : n;
}

uint32_t mz_simplify_structure(struct mz_space *space, const struct mz_expression *e)
{
	switch (e->op) {
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT: return extension(space, e);
	case MZ_OPERATOR_TRUNC: return mz_make_extract(space, e->a, 0, e->width);
	case MZ_OPERATOR_EXTRACT: return extract(space, e);
	case MZ_OPERATOR_CONCAT: return concat(space, e);
	default: return choose(space, e);
	}
}
