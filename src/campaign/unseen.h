/* SPDX-License-Identifier: MIT
 *
 * Puts into words what the runtime could not see: writes (runtime/watch/unseen.h), code (runtime/watch/unobserved.h),
 * inputs (runtime/inputs/symbolic.h), and the call that a worker without progress is in.
 */
#ifndef MZ_CAMPAIGN_UNSEEN_H
#define MZ_CAMPAIGN_UNSEEN_H

#include "report/result.h"
#include "session/session.h"

/* Finds the name of the variable that was written, and where that was noticed ("p.c:20"); NULL where unknown. The
 * strings are the caller's to free. */
void mz_unseen_describe(const struct mz_session_unseen *unseen, char **object, char **location);

/* Returns a sentence about the call that a thread is in, such as "main has been in accept() at server.c:11", or NULL if
 * there is none, or no memory. */
char *mz_waiting_describe(const struct mz_session *session);

/* Fills in the place where values that depend on inputs are lost sight of, and how that happens. Strings that there is no
 * memory for are NULL. */
void mz_lost_describe(const struct mz_session_lost *lost, struct mz_result_hidden *described);

/* Fills in the name, place and reason of code that the runtime does not see. Strings that there is no memory for are
 * NULL. */
void mz_hidden_describe(const struct mz_session_hidden *hidden, struct mz_result_hidden *described);

#endif
