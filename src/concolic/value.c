/* SPDX-License-Identifier: MIT
 *
 * Values of expressions for given inputs. Expressions are often as deep as a loop is long, so the way down is kept in
 * an array, not on the stack. The array holds a path, on which numbers fall: it is never longer than there are
 * expressions.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "concolic/expression.h"
#include <string.h>

bool mz_values_reserve(struct mz_values *memo, const struct mz_space *space)
{
	size_t need = (size_t)atomic_load_explicit(&space->nexpressions, memory_order_acquire) + 1;
	size_t old = memo->stamps_capacity;
	bool done = mz_array_reserve(&memo->values, &memo->values_capacity, need) &&
	            mz_array_reserve(&memo->stack, &memo->stack_capacity, need) &&
	            mz_array_reserve(&memo->stamps, &memo->stamps_capacity, need);
	if (memo->stamps_capacity > old)
		memset(memo->stamps + old, 0, (memo->stamps_capacity - old) * sizeof *memo->stamps);
	if (memo->generation == 0) memo->generation = 1;
	if (done) memo->values[0] = 0; /* the operand that an expression does not have */
	return done;
}

void mz_values_forget(struct mz_values *memo)
{
	if (++memo->generation) return;
	if (memo->stamps) memset(memo->stamps, 0, memo->stamps_capacity * sizeof *memo->stamps);
	memo->generation = 1;
}

void mz_values_release(struct mz_values *memo)
{
	mz_free(memo->values);
	mz_free(memo->stamps);
	mz_free(memo->stack);
	memset(memo, 0, sizeof *memo);
}

/* Returns the first operand whose value is not known, or 0. */
static uint32_t unknown(const struct mz_expression *e, const struct mz_values *memo)
{
	const uint32_t operands[] = {e->a, e->b, e->c};
	unsigned n = mz_operator_operands(e->op);
	for (unsigned i = 0; i < n; i++) {
		if (memo->stamps[operands[i]] != memo->generation) return operands[i];
	}
	return 0;
}

static uint64_t compute(const struct mz_space *space, const struct mz_expression *e, const uint8_t *bytes,
                        const struct mz_values *memo)
{
	if (e->op == MZ_OPERATOR_INPUT) return bytes[e->number];
	unsigned n = mz_operator_operands(e->op);
	uint32_t a = n > 0 ? e->a : 0, b = n > 1 ? e->b : 0, c = n > 2 ? e->c : 0;
	unsigned from = space->expressions[e->op == MZ_OPERATOR_CONCAT ? b : a].width;
	return mz_operator_apply(e->op, e->width, from, memo->values[a], memo->values[b], memo->values[c], e->number);
}

uint64_t mz_expression_value(const struct mz_space *space, uint32_t expression, const uint8_t *bytes,
                             struct mz_values *memo)
{
	if (memo->stamps[expression] == memo->generation) return memo->values[expression];
	size_t depth = 0;
	memo->stack[depth++] = expression;
	while (depth > 0) {
		uint32_t top = memo->stack[depth - 1];
		const struct mz_expression *e = &space->expressions[top];
		uint32_t operand = unknown(e, memo);
		if (operand) {
			memo->stack[depth++] = operand;
			continue;
		}
		memo->values[top] = compute(space, e, bytes, memo);
		memo->stamps[top] = memo->generation;
		depth--;
	}
	return memo->values[expression];
}
