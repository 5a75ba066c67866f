/* SPDX-License-Identifier: MIT
 *
 * The loop of a worker: execution after execution until the search is exhausted, a bug is found, or a limit is reached.
 */
#ifndef MZ_EXPLORER_EXPLORE_H
#define MZ_EXPLORER_EXPLORE_H

#include "explorer/shared_trunk.h"
#include "session/executor.h"
#include "session/session.h"

/* Explores as the session says, and leaves there how the exploration ended. `shared` is what this worker shares with
 * others, or NULL. */
void mz_explore(struct mz_session *session, const struct mz_executor *executor, struct mz_shared_trunk *shared);

#endif
