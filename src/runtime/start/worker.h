/* SPDX-License-Identifier: MIT
 *
 * Serving a session: what a program taken over at its main function and an mz_check() have in common.
 */
#ifndef MZ_RUNTIME_START_WORKER_H
#define MZ_RUNTIME_START_WORKER_H

#include "runtime/core/core.h"

/* Maps the session behind a file descriptor. Returns NULL if the file is no session, or that of another build. */
struct mz_session *mz_worker_attach(int fd);
/* Explores or replays mz_rt.program.body as the session says, and ends the process. */
_Noreturn void mz_worker_serve(struct mz_session *session);

#endif
