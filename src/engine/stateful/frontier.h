/* SPDX-License-Identifier: MIT
 *
 * What a stateful search knows of all states: which there are, how each was reached, and which are still to be looked
 * at. An implementation decides where that is kept; one process or several may work on it.
 */
#ifndef MZ_ENGINE_STATEFUL_FRONTIER_H
#define MZ_ENGINE_STATEFUL_FRONTIER_H

#include "base/hash.h"
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

/* An edge of the graph of states: state `from` leads to state `to`. */
struct mz_state_link {
	uint32_t from, to;
};

/* What is known of how the program goes on from a state, from looking at that state alone. */
struct mz_prospect {
	bool ends;      /* the program can end from here, with nothing wrong */
	bool is_open;   /* the program fails or gets stuck here, or it is not known what it does */
	uint64_t looks; /* threads, of the first 64, that can go on and that change nothing if they do so alone */
};

enum mz_added {
	MZ_ADDED_NEW,   /* the state is new, and is to be looked at */
	MZ_ADDED_KNOWN, /* the state is known already */
	MZ_ADDED_FULL   /* there is no memory for the state: the search cannot be complete any more */
};

struct mz_frontier {
	void *self;
	/* States are compared by their bytes as well. */
	bool exact;
	/* Adds a state and leaves its number in `*state`. `bytes` are only used if exact. That `origin->parent` leads
	 * to the state is remembered even if the state was known. */
	enum mz_added (*add)(void *self, struct mz_key key, const void *bytes, size_t size,
	                     const struct mz_origin *origin, uint32_t *state);
	/* Takes a state to be looked at; no other search gets the same. Returns false if there is none and will be
	 * none, or it is time to stop. */
	bool (*take)(void *self, uint32_t *state);
	/* Says that all states that this one leads to have been added. */
	void (*done)(void *self, uint32_t state);
	/* Return how a state was reached, and how many steps it is from the start. */
	struct mz_origin (*origin)(void *self, uint32_t state);
	uint32_t (*depth)(void *self, uint32_t state);
	/* Stores what looking at a state told of how the program goes on from it. */
	void (*note)(void *self, uint32_t state, struct mz_prospect prospect);

	/* The functions below are about the graph of all states, once none is left to be looked at. whole() returns
	 * whether that is so; it returns true to one of all searches only. */
	bool (*whole)(void *self);
	uint32_t (*count)(void *self);
	struct mz_prospect (*prospect)(void *self, uint32_t state);
	/* Returns in `*link` the n-th edge to a state that was known already; false if there are no more. The other
	 * edges are in origins. */
	bool (*link)(void *self, size_t n, struct mz_state_link *link);
};

#endif
