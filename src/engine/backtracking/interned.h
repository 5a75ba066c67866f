/* SPDX-License-Identifier: MIT
 *
 * Events that are kept for long: one copy of each, however often it is needed. A program has few different events,
 * compared to how often they occur in the sequences that are still to be explored.
 */
#ifndef MZ_ENGINE_BACKTRACKING_INTERNED_H
#define MZ_ENGINE_BACKTRACKING_INTERNED_H

#include "base/arena.h"
#include "base/table.h"
#include "trace/event.h"

/* All zero is empty and ready. */
struct mz_interned {
	struct mz_arena arena;
	struct mz_table events; /* pointers to them, which are in the arena */
};

void mz_interned_release(struct mz_interned *interned);

/* Returns the kept copy of an event, which is the same for all events with equal thread, choice and accesses, whatever
 * values they found. The copy has a summary. Returns NULL when there is no memory. */
const struct mz_event *mz_interned_event(struct mz_interned *interned, const struct mz_event *event);

#endif
