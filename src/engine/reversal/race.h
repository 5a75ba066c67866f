/* SPDX-License-Identifier: MIT
 *
 * Reversing a race (i, j): the sequence to be executed instead, from the state before i, so that j comes first.
 *
 * It consists of the events after i that do not happen after i, and then of j. The former do what they did, because all
 * that they depend on is there. But j moves, and may do something else where it now is: a compare-exchange that failed
 * can succeed. What it will do is computed from the values that events carry: bytes that i touches are as they were
 * before i, all others as they were before j.
 */
#ifndef MZ_ENGINE_REVERSAL_RACE_H
#define MZ_ENGINE_REVERSAL_RACE_H

#include "engine/execution/execution.h"
#include "engine/execution/waiting.h"
#include "engine/reversal/sequence.h"

struct mz_race {
	uint32_t first;
	uint32_t second; /* MZ_NONE: the operation that `thread` has pending after the last event */
	uint32_t thread;
	const struct mz_pending *pending; /* when second is MZ_NONE */
};

/* Returns whether an operation with these accesses may do something else before event `first` than it does after it: it
 * is an atomic section, and touches what the event wrote. Everything in a section may depend on what the section reads.
 * Other operations have outcomes that can be computed. */
bool mz_event_may_change(const struct mz_event *first, uint16_t op, const struct mz_access *accesses, unsigned count);

/* To be called before mz_execution_in_reversal() is asked about the race; mz_reversal_make() does so itself. Returns
 * what the second of the race waits for. */
struct mz_waiting mz_race_prepare(struct mz_execution *x, const struct mz_race *race);

/* All zero is ready for use. */
struct mz_reversal {
	struct mz_sequence sequence; /* ends with j */
	struct mz_event moved;       /* j as it will be; it can take any of its alternatives */
	struct mz_access *accesses;  /* the accesses of j */
	uint32_t *positions; /* by event after i: its index in the sequence; only set for events that are in it */
	size_t positions_capacity;
	/* j was a read and will be a write, also of bytes that i does not write. So an event after j that commutes with
	 * i and j may not commute with what j becomes, and it matters whether the sequence contains that event */
	bool grown;
	size_t accesses_capacity;
};

void mz_reversal_release(struct mz_reversal *reversal);

/* Makes the reversal of a race in the first `end` events of the execution (at least up to the second of the race). It
 * is valid until the next one is made or the execution changes. Returns false if there is none: it is not known what
 * the pending operation would do, or it would not conflict any more; or memory ran out and the execution failed. */
bool mz_reversal_make(struct mz_reversal *reversal, struct mz_execution *x, const struct mz_race *race, uint32_t end);

#endif
