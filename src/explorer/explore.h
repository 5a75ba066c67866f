/* SPDX-License-Identifier: MIT
 *
 * The loop of a worker: execution after execution until the search is exhausted, a bug is found, or a limit is reached.
 */
#ifndef MZ_EXPLORER_EXPLORE_H
#define MZ_EXPLORER_EXPLORE_H

#include "session/executor.h"
#include "session/session.h"

/* Explores as the session says, and leaves there how the exploration ended. */
void mz_explore(struct mz_session *session, const struct mz_executor *executor);

#endif
