/* SPDX-License-Identifier: MIT
 *
 * Runs several workers on one search. They share what is known of states, or the trunk of an exploration of executions;
 * everything else each worker has for itself, in a session of its own. A worker that dies is replaced, and what it was
 * looking at is looked at again.
 */
#ifndef MZ_EXPLORER_CREW_H
#define MZ_EXPLORER_CREW_H

#include "explorer/shared_trunk.h"
#include "explorer/states.h"
#include "explorer/supervisor.h"

#define MZ_CREW_MOST MZ_STATES_WORKERS /* workers of one crew */

/* Keeps the work of a crew, so that a later crew can go on with it. */
struct mz_crew_keeper {
	void *self;
	/* what an earlier crew left: its findings and what it could not see, and its trunk or the states that it knew; NULL:
	 * there was none */
	const struct mz_session *session;
	void *trunk;
	size_t trunk_size;
	/* Returns whether the work should be kept now. */
	bool (*is_due)(void *self);
	/* Keeps the same of this crew. */
	void (*keep)(void *self, const struct mz_session *session, const void *trunk, size_t size);
};

/* Connects what workers of a crew share with copies of it on other machines: see src/cluster/member.h. */
struct mz_crew_link {
	void *self;
	size_t size; /* of the memory that all have */
	/* Makes the memory a copy of what others have, and fills in the seats of `n` workers. From now on, and until
	 * disconnect(), `publish` is called before what workers have explored counts: it returns what they found, if there is
	 * something new (to be freed by mz_free()), else NULL. connect() returns false if it cannot be done. */
	bool (*connect)(void *self, const struct mz_replica *memory, uint32_t n, uint32_t *seats,
	                void *(*publish)(void *publisher, size_t *size), void *publisher);
	/* Says that the crew was told to stop by a signal: other machines are not waited for for long. */
	void (*stop)(void *self);
	/* Called when all workers are gone, and if connect() has failed. Returns true if they did not come to their end, or did not
	 * begin, because the copy had become useless, and others may have done what they did: then there should be another crew. */
	bool (*disconnect)(void *self);
};

/* Runs `n` workers, which do what the session of `job` says, to their end. Afterwards that session holds what all of
 * them did and found, as if one worker had done it; if they have a link, it holds what this crew found, and what all of the
 * machines explored. `keeper` and `link` may be NULL, and one of them is. */
struct mz_worker_result mz_crew_run(const struct mz_worker_job *job, uint32_t n, const struct mz_crew_keeper *keeper,
                                    const struct mz_crew_link *link);

#endif
