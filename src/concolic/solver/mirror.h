/* SPDX-License-Identifier: MIT
 *
 * The solver's own copy of the expressions. The shared memory belongs to a program that may write anywhere; here, each
 * expression was read once, checked, and stays as it was. An expression that is not well-formed, or that has such an
 * operand, is not sound, and no query that needs it is answered.
 */
#ifndef MZ_CONCOLIC_SOLVER_MIRROR_H
#define MZ_CONCOLIC_SOLVER_MIRROR_H

#include "concolic/expression.h"
#include "concolic/solver/bytes.h"

struct mz_mirror {
	struct mz_space *space; /* only nexpressions and expressions are in use */
	uint32_t limit;         /* 1 + the highest byte that an expression has */
	struct mz_arena sets;
	const struct mz_bytes **support; /* by expression: the bytes that it depends on; NULL: not sound */
	size_t support_capacity;
};

bool mz_mirror_init(struct mz_mirror *mirror);
void mz_mirror_release(struct mz_mirror *mirror);
/* Copies the expressions that are new. Returns false when there is no memory, or if there are fewer than before. */
bool mz_mirror_update(struct mz_mirror *mirror, const struct mz_space *shared);

/* Reports whether a number is that of an expression that is well-formed. */
static inline bool mz_mirror_has(const struct mz_mirror *mirror, uint32_t expression)
{
	return expression <= mirror->space->nexpressions && mirror->support[expression];
}

#endif
