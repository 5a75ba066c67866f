/* SPDX-License-Identifier: MIT
 *
 * Adds what one of several workers did, found and could not see to what another one did: as if one worker had done both.
 */
#ifndef MZ_EXPLORER_MERGE_H
#define MZ_EXPLORER_MERGE_H

#include "session/session.h"

/* Adds the session `from` of a worker that has ended to `to`, which is of the same task. The outcome of `to` and its
 * schedule under way stay as they are. */
void mz_merge(struct mz_session *to, const struct mz_session *from);

/* Forgets what a session has found and could not see, but not what it counted: what others know has it too. */
void mz_merge_forget_found(struct mz_session *session);

#endif
