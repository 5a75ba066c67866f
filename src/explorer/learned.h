/* SPDX-License-Identifier: MIT
 *
 * What workers have learned of the program.
 */
#ifndef MZ_EXPLORER_LEARNED_H
#define MZ_EXPLORER_LEARNED_H

#include "session/session.h"

/* Adds what a worker has learned to what all know. Returns whether there was something new. */
bool mz_learned_merge(struct mz_session_learned *known, const struct mz_session_learned *learned);

#endif
