/* SPDX-License-Identifier: MIT
 *
 * What a worker does in a stateful search: look at state after state, together with others.
 */
#ifndef MZ_EXPLORER_EXPLORE_STATES_H
#define MZ_EXPLORER_EXPLORE_STATES_H

#include "explorer/states.h"
#include "session/session.h"
#include "trace/stateful.h"

/* Does what the session says, and leaves there how it ended. */
void mz_explore_states(struct mz_session *session, const struct mz_stateful *program, struct mz_states *states);

#endif
