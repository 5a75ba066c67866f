/* SPDX-License-Identifier: MIT
 *
 * Rules that make expressions simpler before they are stored. Each rule is exact: the new expression has the value of
 * the old one whatever the inputs are. A rule looks at an operator and at its operands, at most two levels deep, and
 * makes smaller expressions, so it ends; how deep rules call each other is bounded by the width, at most 64.
 *
 * What is stored is in canonical form. Comparisons are EQ, ULT, ULE, SLT and SLE; NE is the negation of EQ, and a
 * negation is XOR with ones. TRUNC is EXTRACT. A constant is the right operand of a commutative operator, and what is
 * added to a number, not subtracted from it. Shifts by constants, and masks of adjacent bits, are made of EXTRACT,
 * CONCAT, ZEXT and SEXT. CONCATs lean to the right, and an extension is outside a CONCAT rather than in it. Bytes that
 * are extracted from an expression and put together again are that expression (not where they repeat one bit by
 * chance).
 */
#ifndef MZ_CONCOLIC_SIMPLIFY_H
#define MZ_CONCOLIC_SIMPLIFY_H

#include "concolic/expression.h"

/* What a rule returns that does not apply. 0 is the answer of a rule that applies but finds no room. */
#define MZ_SIMPLIFY_NOT UINT32_MAX

/* Returns the number of an expression equal to `e`, which is sound. 0 if there is no room. */
uint32_t mz_expression_simplify(struct mz_space *space, const struct mz_expression *e);
/* Returns the number of exactly this expression. 0 if there is no room. */
uint32_t mz_expression_intern(struct mz_space *space, const struct mz_expression *e);

/* The rules, by kinds of operators. The operands are not all constants. */
uint32_t mz_simplify_comparison(struct mz_space *space, const struct mz_expression *e);
uint32_t mz_simplify_structure(struct mz_space *space, const struct mz_expression *e);
uint32_t mz_simplify_bitwise(struct mz_space *space, const struct mz_expression *e);
uint32_t mz_simplify_arithmetic(struct mz_space *space, const struct mz_expression *e);

/* ---- shorthands of the rules ---- */

static inline const struct mz_expression *mz_at(const struct mz_space *space, uint32_t number)
{
	return &space->expressions[number];
}

static inline bool mz_is(const struct mz_space *space, uint32_t number, enum mz_operator op)
{
	return mz_at(space, number)->op == op;
}

static inline uint32_t mz_make2(struct mz_space *space, enum mz_operator op, unsigned width, uint32_t a, uint32_t b)
{
	return mz_expression_make(space, op, width, a, b, 0, 0);
}

static inline uint32_t mz_make_extract(struct mz_space *space, uint32_t a, unsigned low, unsigned width)
{
	return mz_expression_make(space, MZ_OPERATOR_EXTRACT, width, a, 0, 0, low);
}

static inline uint32_t mz_make_concat(struct mz_space *space, uint32_t a, uint32_t b)
{
	unsigned width = mz_at(space, a)->width + mz_at(space, b)->width;
	return mz_make2(space, MZ_OPERATOR_CONCAT, width, a, b);
}

static inline uint32_t mz_make_not(struct mz_space *space, uint32_t a)
{
	unsigned width = mz_at(space, a)->width;
	return mz_make2(space, MZ_OPERATOR_XOR, width, a, mz_expression_constant(space, width, ~0ULL));
}

#endif
