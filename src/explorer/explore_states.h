/* SPDX-License-Identifier: MIT
 *
 * The loop of a worker in a stateful search: it looks at state after state, together with other workers.
 */
#ifndef MZ_EXPLORER_EXPLORE_STATES_H
#define MZ_EXPLORER_EXPLORE_STATES_H

#include "explorer/states.h"
#include "session/session.h"
#include "trace/stateful.h"

/* Explores as the session says, and leaves there how the exploration ended. */
void mz_explore_states(struct mz_session *session, const struct mz_stateful *program, struct mz_states *states);

#endif
