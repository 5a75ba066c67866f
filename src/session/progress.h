/* SPDX-License-Identifier: MIT
 *
 * Whether a worker makes progress, for --stall-timeout. The worker changes counters of its session one after the other and waits for
 * nobody; the supervisor looks at them now and then. So what it sees may be from the middle of a step.
 *
 * Invariant: a worker that has made a step between two looks, and none that is idle, has made progress; one that makes nothing but
 * idle steps is seen to make progress no more than twice, however its steps and the looks come together.
 */
#ifndef MZ_SESSION_PROGRESS_H
#define MZ_SESSION_PROGRESS_H

#include "session/session.h"

/* What the supervisor has seen. All zero at first. */
struct mz_progress {
	uint64_t counted; /* executions, and what else is progress whatever the steps */
	uint64_t moved;   /* steps that are not idle */
};

/* For the worker: counts a step that is about to be made as idle. */
static inline void mz_progress_idle(struct mz_session *session)
{
	const uint64_t idle = session->idle, moved = session->nsteps - idle;
	__atomic_store_n(&session->idle, idle + 1, __ATOMIC_RELEASE);
	if (idle && moved == session->moved) return;
	session->moved = moved;
	session->still = session->nsteps;
}

/* For the supervisor: returns whether there was progress since the last look. */
static inline bool mz_progress_look(const struct mz_session *session, struct mz_progress *seen)
{
	const uint64_t counted = __atomic_load_n(&session->executions, __ATOMIC_RELAXED) +
	                         __atomic_load_n(&session->redundant, __ATOMIC_RELAXED) +
	                         __atomic_load_n(&session->assumed, __ATOMIC_RELAXED) +
	                         __atomic_load_n(&session->pulse, __ATOMIC_RELAXED);
	const uint64_t idle = __atomic_load_n(&session->idle, __ATOMIC_ACQUIRE);
	const uint64_t moved = __atomic_load_n(&session->nsteps, __ATOMIC_ACQUIRE) - idle;
	/* an idle step is counted as idle first, and as a step only when it was made */
	const bool within = __atomic_load_n(&session->idle, __ATOMIC_ACQUIRE) != idle || moved + 1 == seen->moved;
	const bool progress = counted != seen->counted || (moved != seen->moved && !within);
	seen->counted = counted;
	if (!within) seen->moved = moved;
	return progress;
}

#endif
