/* SPDX-License-Identifier: MIT
 *
 * Symbolic expressions: bit vectors of 1 to 64 bits over the bytes of the inputs. Equal expressions are the same
 * expression: each is made once, and stays for as long as the run takes. They lie in memory that the explored program's
 * process and the solver's process share (struct mz_space); the former makes them, the latter reads them.
 */
#ifndef MZ_CONCOLIC_EXPRESSION_H
#define MZ_CONCOLIC_EXPRESSION_H

#include "concolic/operators.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands are numbers of expressions with lower numbers than this one's; 0 where there is none. */
struct mz_expression {
	uint8_t op;    /* enum mz_operator */
	uint8_t width; /* of the result, in bits: 1 to 64 */
	uint32_t a, b, c;
	uint64_t number;
};

#ifndef MZ_SMALL_TABLES
#define MZ_SPACE_EXPRESSIONS (1U << 24)
#define MZ_SPACE_BYTES (1U << 16)       /* input bytes */
#define MZ_SPACE_CONSTRAINTS (1U << 20) /* constraints of one query */
#else                                   /* tests/self */
#define MZ_SPACE_EXPRESSIONS 64U
#define MZ_SPACE_BYTES 4U
#define MZ_SPACE_CONSTRAINTS 4U
#endif

/* What is known of a query. */
enum mz_answer { MZ_ANSWER_NONE, MZ_ANSWER_SAT, MZ_ANSWER_UNSAT, MZ_ANSWER_UNKNOWN };

/* The expression has this value: one bit. */
struct mz_constraint {
	uint32_t expression;
	uint32_t value;
};

/* How many queries there were, and what became of them. Those that needed no solver are counted as well. */
struct mz_solver_counts {
	uint64_t queries, sat, unsat, timeouts;
	uint64_t errors; /* queries, or models, that were not as they should be: answered UNKNOWN */
	uint64_t cached; /* those that were answered without the solver; by what: */
	uint64_t by_values, by_single_bytes, by_same_set, by_core, by_model, by_edit;
	uint64_t constraints, sliced; /* of all queries, and those of them that had to do with the last one */
	uint64_t nanoseconds;
};

/* The memory that the explored program's process and its solver share, all zero at first. */
struct mz_space {
	_Atomic uint32_t nexpressions; /* expressions 1 to nexpressions exist; 0 is none */
	uint32_t nbytes;               /* bytes that inputs have so far */
	uint32_t timeout_ms;           /* of one query to the solver; 0: none */
	uint32_t greetings;            /* how many processes have asked, one after another */

	/* A query: is there a model, that is values of all input bytes, for which all constraints hold? All but the
	 * last hold for `values`. The answer is in `answer`, and the model in `model`: bytes that the last constraint
	 * has nothing to do with, even by other constraints, are as in `values`. */
	uint32_t nconstraints;
	uint32_t answer; /* enum mz_answer */
	struct mz_solver_counts counts;
	uint8_t values[MZ_SPACE_BYTES]; /* of the input bytes, in the execution under way */
	uint8_t model[MZ_SPACE_BYTES];
	struct mz_constraint constraints[MZ_SPACE_CONSTRAINTS];
	struct mz_expression expressions[MZ_SPACE_EXPRESSIONS];
};

/* Makes an expression, or finds it, or a simpler one that is equal to it. Returns 0 if there is no room, or if the
 * width is not supported. Operands are expressions; `width` is that of the result. */
uint32_t mz_expression_make(struct mz_space *space, enum mz_operator op, unsigned width, uint32_t a, uint32_t b,
                            uint32_t c, uint64_t number);
uint32_t mz_expression_constant(struct mz_space *space, unsigned width, uint64_t value);
uint32_t mz_expression_input(struct mz_space *space, uint32_t byte);

/* Returns a hash of the expression that does not depend on the numbers that expressions have: it is the same in every space. */
uint64_t mz_expression_content(const struct mz_space *space, uint32_t expression);

/* Returns the value of `op` for these values of its operands, which are `from` bits wide (the first of them, where they
 * differ; of CONCAT, `from` is the width of the second). */
uint64_t mz_operator_apply(enum mz_operator op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c,
                           uint64_t number);

/* Returns how many operands an operator has: 0 to 3. */
unsigned mz_operator_operands(enum mz_operator op);

static inline bool mz_operator_is_comparison(enum mz_operator op)
{
	return op >= MZ_OPERATOR_EQ && op <= MZ_OPERATOR_SGE;
}

/* Reports whether an expression is well-formed: its operands are numbers from 1 to below `below`, and widths fit. */
bool mz_expression_is_sound(const struct mz_space *space, const struct mz_expression *e, uint32_t below);

/* Frees what the process keeps to find expressions by their content. The expressions stay, and can be found again. */
void mz_expressions_release(void);

/* Values of expressions for one model, each computed once. All zero is ready for use. */
struct mz_values {
	uint64_t *values; /* by expression; those whose stamp is not the generation are not known */
	uint32_t *stamps;
	uint32_t *stack;
	size_t values_capacity, stamps_capacity, stack_capacity;
	uint32_t generation;
};

/* Makes room for the expressions that exist. Returns false when there is no memory. */
bool mz_values_reserve(struct mz_values *memo, const struct mz_space *space);
/* Begins another model. */
void mz_values_forget(struct mz_values *memo);
void mz_values_release(struct mz_values *memo);

/* Returns the value of an expression if the inputs have these bytes, which must be the same in all calls since
 * mz_values_forget(). mz_values_reserve() must have been called since the expression was made. Takes no more stack for
 * expressions that are deep. */
uint64_t mz_expression_value(const struct mz_space *space, uint32_t expression, const uint8_t *bytes,
                             struct mz_values *memo);

static inline bool mz_expression_is_constant(const struct mz_space *space, uint32_t expression)
{
	return space->expressions[expression].op == MZ_OPERATOR_CONSTANT;
}

static inline uint64_t mz_bits(unsigned width)
{
	return width >= 64 ? ~0ULL : (1ULL << width) - 1;
}

#endif
