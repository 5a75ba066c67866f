/* SPDX-License-Identifier: MIT
 *
 * What a stateful search knows of all states: which there are, how each was reached, and which are still to be looked
 * at. Where that is kept is somebody else's matter (one process or several may work on it).
 */
#ifndef MZ_ENGINE_FRONTIER_H
#define MZ_ENGINE_FRONTIER_H

#include "base/map.h"
#include "trace/event.h"
#include <stddef.h>

#define MZ_NO_STATE UINT32_MAX

/* How a state was reached: `thread` made `steps` steps, alone, from `parent`; the last with `choice`, all others with
 * 0. The first state has no parent. */
struct mz_origin {
	uint32_t parent;
	uint32_t thread;
	uint32_t steps;
	uint32_t choice;
};

/* A state leads to another one. */
struct mz_link {
	uint32_t from, to;
};

/* What a state tells by itself of how the program goes on from there. */
struct mz_prospect {
	bool ends;      /* it can end, without anything that is wrong */
	bool is_open;   /* it fails, or gets stuck, or it is not known what it does */
	uint64_t looks; /* threads, of the first 64, that can go on and that change nothing if they do so alone */
};

enum mz_added {
	MZ_ADDED_NEW,   /* it is to be looked at */
	MZ_ADDED_KNOWN, /* it was there already */
	MZ_ADDED_FULL   /* there is no memory for it: the search cannot be complete any more */
};

struct mz_frontier {
	void *self;
	/* Whether states are compared by their bytes as well. */
	bool exact;
	/* `bytes` are only looked at if exact. The number of the state is left in `*state`. That `origin->parent` leads
	 * to it is remembered even if it was known. */
	enum mz_added (*add)(void *self, struct mz_key key, const void *bytes, size_t size,
	                     const struct mz_origin *origin, uint32_t *state);
	/* A state to be looked at, by nobody else. False if there is none and will be none, or it is time to stop. */
	bool (*take)(void *self, uint32_t *state);
	/* Everything it leads to has been added. */
	void (*done)(void *self, uint32_t state);
	/* How a state was reached, and how many steps it is from the start. */
	struct mz_origin (*origin)(void *self, uint32_t state);
	uint32_t (*depth)(void *self, uint32_t state);
	/* Notes what a state that is looked at tells by itself of how the program goes on. */
	void (*note)(void *self, uint32_t state, struct mz_prospect prospect);

	/* The graph of all states, once there are none left to be looked at. `whole` says whether that is so; it is
	 * true for one of all searches only. */
	bool (*whole)(void *self);
	uint32_t (*count)(void *self);
	struct mz_prospect (*prospect)(void *self, uint32_t state);
	/* The n-th link to a state that was known already. False if there are no more. The others are in origins. */
	bool (*link)(void *self, size_t n, struct mz_link *link);
};

#endif
