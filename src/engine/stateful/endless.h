/* SPDX-License-Identifier: MIT
 *
 * Livelocks in a graph of states: states from which the program cannot end any more, although it could have ended.
 *
 * Whether an execution that goes round for ever is fair does not matter there: none of them ends. Threads that go round
 * only for as long as they are scheduled unluckily are no livelock. Neither is a program that never ends at all, such
 * as a server. But if a thread of such a program comes to where it can only look, for ever, at what others change, it
 * may be a livelock just as well: it looks for something that never comes, or that is what the thread is for. States
 * cannot tell.
 *
 * The graph of a cartesian search answers for all states of the program, those included that the search leaves out. An
 * end that can be reached from a state can be reached from it by vectors. And let no end be reachable from a state that
 * was left out: it is within the vector of a state that was looked at. What the vector's other threads do commutes with
 * what led to it, so it can be carried along every vector that follows, until the search looks at it or an end is
 * within the same vector. The latter cannot be.
 */
#ifndef MZ_ENGINE_STATEFUL_ENDLESS_H
#define MZ_ENGINE_STATEFUL_ENDLESS_H

#include "engine/stateful/frontier.h"

struct mz_endless {
	enum {
		MZ_ENDLESS_NOT,   /* the program can end from every state, as far as is known */
		MZ_ENDLESS_STUCK, /* it can end, but not from `state` */
		MZ_ENDLESS_EVER,  /* it never ends */
		MZ_ENDLESS_LOOKS  /* it never ends, and from `state` on `thread` only reads what others change */
	} how;
	uint32_t state;
	uint32_t thread;
};

/* Finds out how a program ends whose states are all known. Returns false when there is no memory. */
bool mz_endless_find(const struct mz_frontier *frontier, struct mz_endless *endless);

#endif
