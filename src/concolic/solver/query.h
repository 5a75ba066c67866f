/* SPDX-License-Identifier: MIT
 *
 * Answers queries (struct mz_space). docs/internals/concolic.md says in which ways, and why they are sound.
 */
#ifndef MZ_CONCOLIC_SOLVER_QUERY_H
#define MZ_CONCOLIC_SOLVER_QUERY_H

#include "concolic/expression.h"

struct mz_solver;

/* Returns NULL when there is no memory. */
struct mz_solver *mz_solver_new(void);
void mz_solver_free(struct mz_solver *solver);

/* Answers the query that is in the shared memory, there, and counts it. */
void mz_solver_answer(struct mz_solver *solver, struct mz_space *shared);

#endif
