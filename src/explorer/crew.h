/* SPDX-License-Identifier: MIT
 *
 * Runs several workers on one search. They share what is known of states, or the trunk of an exploration of executions;
 * everything else each worker has for itself, in a session of its own. A worker that dies is replaced, and what it was
 * looking at is looked at again.
 */
#ifndef MZ_EXPLORER_CREW_H
#define MZ_EXPLORER_CREW_H

#include "explorer/supervisor.h"

/* Runs `n` workers, which do what the session of `job` says, to their end. Afterwards that session holds what all of
 * them did and found, as if one worker had done it. */
struct mz_worker_result mz_crew_run(const struct mz_worker_job *job, uint32_t n);

#endif
