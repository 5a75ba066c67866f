/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/values.h"
#include "base/bug.h"

struct mz_space *mz_inputs_space;

static struct mz_values known; /* values of expressions in this execution */

/* Between executions there is room for a few more than the limit. */
static uint32_t made(uint32_t expression)
{
	if (MZ_LIKELY(expression && expression <= mz_rt.session->configuration.max_expressions)) return expression;
	if (!expression || mz_current) mz_give_up(MZ_PATH_LIMIT_EXPRESSIONS);
	return expression;
}

uint32_t mz_inputs_make(enum mz_operator op, unsigned width, uint32_t a, uint32_t b, uint64_t number)
{
	return made(mz_expression_make(mz_inputs_space, op, width, a, b, 0, number));
}

uint32_t mz_inputs_constant(unsigned width, uint64_t value)
{
	return made(mz_expression_constant(mz_inputs_space, width, value & mz_bits(width)));
}

uint32_t mz_inputs_choose(unsigned width, uint32_t condition, uint32_t yes, uint32_t no)
{
	return made(mz_expression_make(mz_inputs_space, MZ_OPERATOR_ITE, width, condition, yes, no, 0));
}

uint32_t mz_inputs_variable(uint32_t expression)
{
	return expression && mz_expression_is_constant(mz_inputs_space, expression) ? 0 : expression;
}

uint64_t mz_inputs_content(uint32_t expression)
{
	return mz_expression_content(mz_inputs_space, expression);
}

uint64_t mz_inputs_value(uint32_t expression)
{
	if (!mz_values_reserve(&known, mz_inputs_space)) mz_unsupported("out of memory");
	return mz_expression_value(mz_inputs_space, expression, mz_inputs_space->values, &known);
}

uint32_t mz_inputs_checked(uint32_t expression, uint64_t value)
{
	unsigned width = mz_inputs_space->expressions[expression].width;
	if (MZ_LIKELY(mz_inputs_value(expression) == (value & mz_bits(width)))) return mz_inputs_variable(expression);
#ifdef MZ_CHECKS
	MZ_BUG("a symbolic expression does not have the value that the program computed");
#endif
	mz_rt.session->inputs.disagreed++;
	return 0;
}

void mz_inputs_forget_values(void)
{
	mz_values_forget(&known);
}
