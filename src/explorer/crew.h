/* SPDX-License-Identifier: MIT
 *
 * Runs several workers on one search. They share what is known of states, or the trunk of an exploration of executions;
 * everything else each worker has for itself, in a session of its own. A worker that dies is replaced, and what it was
 * looking at is looked at again.
 */
#ifndef MZ_EXPLORER_CREW_H
#define MZ_EXPLORER_CREW_H

#include "explorer/supervisor.h"

/* Keeps the work of a crew that explores executions, so that a later crew can go on with it. */
struct mz_crew_keeper {
	void *self;
	/* what an earlier crew left: its findings and what it could not see, and its trunk; NULL: there was none */
	const struct mz_session *session;
	const void *trunk;
	size_t trunk_size;
	/* Returns whether the work should be kept now. */
	bool (*is_due)(void *self);
	/* Keeps the same of this crew. */
	void (*keep)(void *self, const struct mz_session *session, const void *trunk, size_t size);
};

/* Runs `n` workers, which do what the session of `job` says, to their end. Afterwards that session holds what all of
 * them did and found, as if one worker had done it. `keeper` may be NULL. */
struct mz_worker_result mz_crew_run(const struct mz_worker_job *job, uint32_t n, const struct mz_crew_keeper *keeper);

#endif
