/* SPDX-License-Identifier: MIT
 *
 * What a session has counted, taken together: as the trunk counts what a worker has explored.
 */
#ifndef MZ_EXPLORER_COUNTS_H
#define MZ_EXPLORER_COUNTS_H

#include "engine/backtracking/trunk.h"
#include "engine/stateful/cartesian.h"
#include "session/session.h"

static inline struct mz_trunk_counts mz_counts_of(const struct mz_session *session)
{
	return (struct mz_trunk_counts){session->executions, session->redundant, session->traces,
	                                session->steps,      session->cut,       session->assumed};
}

static inline void mz_counts_set(struct mz_session *session, struct mz_trunk_counts counts)
{
	session->executions = counts.executions;
	session->redundant = counts.redundant;
	session->traces = counts.traces;
	session->steps = counts.steps;
	session->cut = counts.cut;
	session->assumed = counts.assumed;
}

/* What a search of states has counted. */
static inline struct mz_trunk_counts mz_counts_of_states(const struct mz_cartesian_counts *counts)
{
	return (struct mz_trunk_counts){
	    .executions = counts->ends, .steps = counts->steps, .cut = counts->cut, .assumed = counts->dropped};
}

static inline struct mz_trunk_counts mz_counts_sum(struct mz_trunk_counts a, struct mz_trunk_counts b)
{
	return (struct mz_trunk_counts){a.executions + b.executions,
	                                a.redundant + b.redundant,
	                                a.traces + b.traces,
	                                a.steps + b.steps,
	                                a.cut + b.cut,
	                                a.assumed + b.assumed};
}

#endif
