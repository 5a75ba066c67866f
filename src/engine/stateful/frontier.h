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

enum mz_taken {
	MZ_TAKEN,
	MZ_TAKEN_NONE, /* there is no state to be looked at and will be none, or it is time to stop */
	MZ_TAKEN_FULL, /* there is no memory for all states that were added: the search cannot be complete any more */
	MZ_TAKEN_NO_MEMORY
};

/* A search is told what became of the states that it has added, in the order in which it added them. */
struct mz_frontier_client {
	void *self;
	/* The state that was added with `ticket` has the number `state`; `is_new` if nobody had added it before. */
	void (*told)(void *self, uint32_t ticket, uint32_t state, bool is_new);
};

/* What a search adds and finishes is settled in batches: add() and done() only note it down, take() settles it when it is
 * time to. Until then it is as if the states that were finished had not been looked at. */
struct mz_frontier {
	void *self;
	/* States are compared by their bytes as well. */
	bool exact;
	/* Tells who is to be told; to be called first. */
	void (*open)(void *self, const struct mz_frontier_client *client);
	/* Returns whether a state was added before. A state that another search has just added may be unknown here. */
	bool (*knows)(void *self, struct mz_key key, const void *bytes, size_t size);
	/* Adds a state that the one which is looked at leads to, known or not. `bytes` are only used if exact. Returns false
	 * when there is no memory. */
	bool (*add)(void *self, struct mz_key key, const void *bytes, size_t size, const struct mz_origin *origin,
	            uint32_t ticket);
	/* Takes a state to be looked at; no other search gets the same. */
	enum mz_taken (*take)(void *self, uint32_t *state);
	/* Says that all states that this one leads to have been added, and what looking at it told of how the program goes
	 * on. The first state comes from none: MZ_NO_STATE is done when it was added. Returns false when there is no memory. */
	bool (*done)(void *self, uint32_t state, struct mz_prospect prospect);
	/* Settles what is done, and forgets what was added since: the search ends here. */
	void (*leave)(void *self);
	/* Return how a state was reached, and how many steps it is from the start. */
	struct mz_origin (*origin)(void *self, uint32_t state);
	uint32_t (*depth)(void *self, uint32_t state);

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
