/* SPDX-License-Identifier: MIT
 *
 * Expressions of the running program: making them, and the values that they have with the inputs of this execution.
 */
#ifndef MZ_RUNTIME_INPUTS_VALUES_H
#define MZ_RUNTIME_INPUTS_VALUES_H

#include "concolic/expression.h"
#include "runtime/core/core.h"

/* The memory that is shared with the solver; NULL where inputs are not explored. */
extern struct mz_space *mz_inputs_space;

/* As mz_expression_make() with at most two operands, and mz_expression_constant(); end the run if there is no room. */
uint32_t mz_inputs_make(enum mz_operator op, unsigned width, uint32_t a, uint32_t b, uint64_t number);
uint32_t mz_inputs_constant(unsigned width, uint64_t value);
/* As mz_inputs_make() for an ITE. */
uint32_t mz_inputs_choose(unsigned width, uint32_t condition, uint32_t yes, uint32_t no);
/* Returns the expression, or 0 if it is a constant: then the value depends on no input. */
uint32_t mz_inputs_variable(uint32_t expression);
/* Returns the value of an expression in this execution. */
uint64_t mz_inputs_value(uint32_t expression);
/* Returns a hash of the expression that is the same in all workers. */
uint64_t mz_inputs_content(uint32_t expression);
/* Returns the expression if its value is `value`, as it must be; else 0, and counts that the shadow was wrong. */
uint32_t mz_inputs_checked(uint32_t expression, uint64_t value);
/* Other inputs are being tried: no value is known any more. */
void mz_inputs_forget_values(void);

#endif
