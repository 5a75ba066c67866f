/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/settle.h"
#include "base/hash.h"
#include "runtime/inputs/agree.h"
#include "runtime/inputs/chain.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/values.h"

/* ---- which value ---- */

/* Reports whether at least so many of the highest bits of an expression follow from the others. */
static bool is_extended(const struct mz_expression *e, uint64_t bits)
{
	if (e->op != MZ_OPERATOR_ZEXT && e->op != MZ_OPERATOR_SEXT) return false;
	return (unsigned)e->width - mz_inputs_space->expressions[e->a].width >= bits;
}

/* Returns an operand that has as many values as the expression, and fewer bits if possible; or 0. */
static uint32_t narrower(const struct mz_expression *e)
{
	if (e->op == MZ_OPERATOR_ZEXT || e->op == MZ_OPERATOR_SEXT) return e->a;
	if (!e->b || !mz_expression_is_constant(mz_inputs_space, e->b)) return 0;
	const struct mz_expression *operand = &mz_inputs_space->expressions[e->a];
	uint64_t number = mz_inputs_space->expressions[e->b].number;
	switch (e->op) {
	case MZ_OPERATOR_ADD:
	case MZ_OPERATOR_SUB:
	case MZ_OPERATOR_XOR: return e->a;
	case MZ_OPERATOR_MUL: return number & 1 || is_extended(operand, (uint64_t)__builtin_ctzll(number)) ? e->a : 0;
	case MZ_OPERATOR_SHL: return is_extended(operand, number) ? e->a : 0;
	default: return 0;
	}
}

static struct mz_link first_link(uint32_t expression, uintptr_t caller)
{
	const struct mz_expression *e = &mz_inputs_space->expressions[expression];
	struct mz_link link = {.expression = expression, .caller = caller};
	for (uint32_t inner; (inner = narrower(e)) != 0; e = &mz_inputs_space->expressions[inner]) {
		link.is_signed |= e->op == MZ_OPERATOR_SEXT;
		link.expression = inner;
	}
	return link;
}

/* Returns the value that is tried there: all workers agree on it, by past, expression and place in the chain. A chain that
 * ends there is extended. */
static uint64_t value_at(uint32_t thread, const struct mz_link *link)
{
	uint64_t key = mz_hash2(mz_hash2(mz_path_past(thread), mz_inputs_content(link->expression)), link->n), value;
	if (mz_agree_find(MZ_SUBJECT_VALUE, key, &value)) return value;
	return mz_agree_on(MZ_SUBJECT_VALUE, key, mz_inputs_value(link->expression));
}

/* ---- the chain ---- */

void mz_settle(struct mz_fiber *self, uint32_t expression, uintptr_t caller)
{
	struct mz_link *link = mz_chain_link(self->index);
	if (!mz_inputs_space || !mz_inputs_variable(expression)) return;
	*link = first_link(expression, caller);
	unsigned width = mz_inputs_space->expressions[link->expression].width;
	for (bool met = false; !met; link->n++) {
		uint64_t value = value_at(self->index, link);
		uint32_t is = mz_inputs_make(MZ_OPERATOR_EQ, 1, link->expression, mz_inputs_constant(width, value), 0);
		met = mz_inputs_value(link->expression) == value;
		if (mz_inputs_variable(is)) mz_path_branch(self, is, met, caller);
	}
	link->expression = 0;
}
