/* SPDX-License-Identifier: MIT
 *
 * Writes that nobody saw (runtime/unseen.h), in words.
 */
#ifndef MZ_CLI_UNSEEN_H
#define MZ_CLI_UNSEEN_H

#include "explorer/session.h"

/* The variable that was written, and where that was noticed ("p.c:20"); NULL where that is not known. Strings are the
 * caller's. */
void mz_unseen_describe(const struct mz_session_unseen *unseen, char **object, char **location);

#endif
