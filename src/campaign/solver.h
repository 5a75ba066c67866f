/* SPDX-License-Identifier: MIT
 *
 * The solvers' processes, for programs whose inputs are explored: see concolic/solver.h.
 */
#ifndef MZ_CAMPAIGN_SOLVER_H
#define MZ_CAMPAIGN_SOLVER_H

#include "explorer/crew.h"
#include <stdbool.h>
#include <sys/types.h>

struct mz_space; /* concolic/expression.h */

/* All zero: there is none. */
struct mz_solver {
	pid_t pid;
	int memory, socket; /* file descriptors: a session has them too, but the program can overwrite it */
	struct mz_space *space;
};

/* A solver for each worker of a crew. All zero: there are none. */
struct mz_solvers {
	uint32_t count;
	struct mz_solver at[MZ_CREW_MOST];
};

/* Starts solvers for as many workers as the configuration, which is complete, says; workers inherit the file descriptors.
 * Returns 0, or a status after saying why it could not be done. */
int mz_solvers_start(struct mz_solvers *solvers, const struct mz_configuration *configuration);
/* Gives the session of a worker its solver, if there are any. */
void mz_solvers_equip(const struct mz_solvers *solvers, uint32_t worker, struct mz_session *session);
/* Returns the bytes that the inputs of a worker have, or had when it ended. */
const uint8_t *mz_solvers_values(const struct mz_solvers *solvers, uint32_t worker);
/* Ends them. */
void mz_solvers_stop(struct mz_solvers *solvers);

#endif
