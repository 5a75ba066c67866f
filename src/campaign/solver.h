/* SPDX-License-Identifier: MIT
 *
 * The solver's process, for programs whose inputs are explored: see concolic/solver.h.
 */
#ifndef MZ_CAMPAIGN_SOLVER_H
#define MZ_CAMPAIGN_SOLVER_H

#include "concolic/expression.h"
#include "session/session.h"
#include <stdbool.h>
#include <sys/types.h>

/* All zero: there is none. */
struct mz_solver {
	pid_t pid;
	int memory, socket; /* file descriptors: the session has them too, but the program can overwrite it */
	struct mz_space *space;
};

/* Starts a solver for a session, whose worker inherits the file descriptors. Returns 0, or a status after saying why it
 * could not be done. */
int mz_solver_start(struct mz_solver *solver, struct mz_session *session, const struct mz_configuration *configuration);
/* Ends it, if there is one. */
void mz_solver_stop(struct mz_solver *solver);

#endif
