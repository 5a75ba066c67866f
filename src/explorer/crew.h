/* SPDX-License-Identifier: MIT
 *
 * Several workers on one stateful search. What they know of states they share; everything else each has for itself, in
 * a session of its own. One that dies is replaced, and what it was looking at is looked at again.
 */
#ifndef MZ_EXPLORER_CREW_H
#define MZ_EXPLORER_CREW_H

#include "explorer/supervisor.h"

/* Runs `n` workers on what the session of `job` says, to their end; what all of them did and found is in that session
 * then, as if one worker had done it. */
struct mz_worker_result mz_crew_run(const struct mz_worker_job *job, uint32_t n);

#endif
