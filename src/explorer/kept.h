/* SPDX-License-Identifier: MIT
 *
 * What a session counted and found, and what it could not see, as bytes: for a file (--resume), and for other machines (--cluster).
 */
#ifndef MZ_EXPLORER_KEPT_H
#define MZ_EXPLORER_KEPT_H

#include "session/session.h"

/* Returns the bytes, to be freed by mz_free(), or NULL when there is no memory. The session must have been checked. */
void *mz_kept_write(const struct mz_session *session, size_t *size);

/* Fills in a session that has found nothing yet; it is of the same task. Returns false if the bytes make no sense. */
bool mz_kept_read(struct mz_session *session, const void *bytes, size_t size);

#endif
