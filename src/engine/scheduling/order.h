/* SPDX-License-Identifier: MIT
 *
 * Search orders: which thread is explored first where the strategy may take any. There are two such places: a new node,
 * where any thread that is awake may be the first one explored; and a node that the search comes back to, where any of
 * its open branches may be the next. The executions below a node are all explored before anything above it, whatever
 * the order, but for `interleaved`: going on from any other node takes the whole tree in memory.
 *
 * An order ranks threads; the thread with the least rank goes first. With n threads, of which `last` went last (at a
 * new node: in the execution; at a node that is come back to: from this node), they go
 *   dfs              as the strategy likes: it does not ask for ranks
 *   round-robin      last+1, last+2, ... around the circle
 *   stride           last+s, last+2s, ... with s about 0.6 n, and no divisor in common with n
 *   bit-reversal     around the circle from a thread that is another one each time: the k-th choice of the search
 *                    starts at r(k) n, where r(k) is k with its bits written backwards behind the point (van der
 *                    Corput's sequence)
 *   conflict-first   by the number of pending operations of other threads that conflict with theirs; among equals
 *                    `last`, last+1, ...
 *   random           in an order that is drawn anew at each choice, all equally likely; the seed decides
 *   interleaved      as with dfs; but the search changes from one part of the tree to another (backtracking/trunk_roam.h)
 * A thread that has just yielded comes after all others.
 */
#ifndef MZ_ENGINE_SCHEDULING_ORDER_H
#define MZ_ENGINE_SCHEDULING_ORDER_H

#include "engine/execution/record.h"
#include "engine/options.h"

struct mz_ordering {
	enum mz_order order;
	uint64_t seed; /* of the random order */
	uint32_t turn; /* how many choices were made */
	/* the choice that is being made */
	const struct mz_view *view;
	uint32_t start;
	uint32_t stride;
	uint64_t draw;    /* decides this choice in the random order */
	uint32_t yielded; /* a thread, or MZ_NO_THREAD */
};

static inline bool mz_ordering_asks(const struct mz_ordering *ordering)
{
	return ordering->order != MZ_ORDER_DFS && ordering->order != MZ_ORDER_INTERLEAVED;
}

/* Prepares the order that the options ask for. */
void mz_ordering_init(struct mz_ordering *ordering, const struct mz_search_options *options);
/* To be called before ranks are asked for at a choice among threads of the view. `last` may be MZ_NO_THREAD. */
void mz_ordering_begin(struct mz_ordering *ordering, const struct mz_execution *x, const struct mz_view *view,
                       uint32_t last);
/* Returns the rank of a thread at the present choice. No two threads have the same. */
uint64_t mz_ordering_rank(const struct mz_ordering *ordering, uint32_t thread);

#endif
