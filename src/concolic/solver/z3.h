/* SPDX-License-Identifier: MIT
 *
 * Z3, asked whether a set of literals can hold together. Expressions are translated once each. Sets are given as
 * assumptions to one solver that is kept: what it has learned about expressions in one query it knows in the next.
 */
#ifndef MZ_CONCOLIC_SOLVER_Z3_H
#define MZ_CONCOLIC_SOLVER_Z3_H

#include "concolic/solver/cache.h"

struct mz_z3;

/* Returns NULL when there is no memory. */
struct mz_z3 *mz_z3_new(const struct mz_mirror *mirror);
void mz_z3_free(struct mz_z3 *z3);

struct mz_query {
	struct mz_slice *slice; /* with the answer UNSAT, the first `ncore` literals become a set that cannot hold */
	uint8_t *model;      /* with SAT, changed to values for which the literals hold; what does not matter stays */
	uint32_t timeout_ms; /* 0: no limit */
	uint32_t ncore;
};

/* Answers whether there are values of the bytes for which all literals of the slice hold. UNKNOWN: the time has passed,
 * there is no memory, or Z3 failed. */
enum mz_answer mz_z3_ask(struct mz_z3 *z3, struct mz_query *query);

#endif
