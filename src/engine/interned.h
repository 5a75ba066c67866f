/* SPDX-License-Identifier: MIT
 *
 * Events that are kept for long: one copy of each, however often it is needed. A program has few different ones
 * compared to how often they occur in what is still to be explored.
 */
#ifndef MZ_ENGINE_INTERNED_H
#define MZ_ENGINE_INTERNED_H

#include "base/arena.h"
#include "trace/event.h"

/* All zero is empty and ready. */
struct mz_interned {
	struct mz_arena arena;
	struct mz_event **table; /* open addressing; its size is a power of two */
	size_t size, count;
};

void mz_interned_release(struct mz_interned *interned);

/* The kept copy of an event: the same as any with equal thread, choice and accesses, but for the values found there. It
 * has a summary. NULL when there is no memory. */
const struct mz_event *mz_interned_event(struct mz_interned *interned, const struct mz_event *event);

#endif
