/* SPDX-License-Identifier: MIT
 *
 * Bounds: they say which of the enabled threads may go, so that the execution stays within what the user asked for.
 *
 *   preemptions  At most so many switches away from a thread that could have gone on.
 *   fair         The thread that goes has yielded at most so many times more than any other thread that is enabled
 *                (Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, OOPSLA 2013, Definition 2.6). So no
 *                thread waits in a loop for ever while others could make progress. A thread that may not go on for this
 *                reason is not preempted by a switch: the two bounds together never forbid all enabled threads.
 *   delays       At most so many delays (Emmi, Qadeer, Rakamaric, POPL 2011). Left alone, a fixed scheduler lets the
 *                thread that went last go on, or if it cannot or has yielded the next one around the circle; a delay
 *                makes it pass over one thread that the other bounds would allow.
 *   depth        At most so many steps; what is longer is given up there.
 *
 * All bounds depend on the steps taken, not on their partial order: equivalent executions may be within a bound or not.
 *
 * Costs are kept by depth. Depths are visited one by one, and visited again after going back, as in a strategy.
 */
#ifndef MZ_ENGINE_SCHEDULING_BOUND_H
#define MZ_ENGINE_SCHEDULING_BOUND_H

#include "engine/execution/record.h"
#include "engine/options.h"

/* What the bounds know of a depth. */
struct mz_bound_node {
	uint32_t preemptions; /* number of preemptions on the way to this depth */
	uint32_t delays;      /* the same of delays */
	uint32_t running;     /* the thread that is preempted if another one goes, or MZ_NO_THREAD */
	uint32_t yielder;     /* the thread whose yield led to this depth, or MZ_NO_THREAD */
};

struct mz_bounds {
	const struct mz_execution *x;
	unsigned kinds; /* the bounds that are set: bits of enum mz_bound_kind */
	uint32_t preemptions, yields, delays, depth;
	struct mz_bound_node *nodes; /* by depth */
	size_t nodes_capacity;
	uint32_t at;       /* the depth that `yielded` is about */
	uint32_t *yielded; /* by thread: how often it yielded */
	size_t nyielded, yielded_capacity;
};

/* Initializes bounds, which must be all zero. The execution must be the one whose events are observed. */
void mz_bounds_init(struct mz_bounds *bounds, const struct mz_execution *x, const struct mz_search_options *options);
void mz_bounds_release(struct mz_bounds *bounds);

/* To be called at the current depth, if it is new. Fills in a set of the view's threads, one bit each, with those that
 * are enabled and allowed. Returns false when there is no memory. */
bool mz_bounds_find_allowed(struct mz_bounds *bounds, const struct mz_view *view, uint64_t *allowed);

/* To be called for every step that is chosen: says which thread goes from the current depth, new or not. */
void mz_bounds_take_step(struct mz_bounds *bounds, const struct mz_view *view, uint32_t thread);

/* Returns the thread that is preempted if another one goes from that depth, or MZ_NO_THREAD. */
static inline uint32_t mz_bounds_running(const struct mz_bounds *bounds, uint32_t depth)
{
	return bounds->nodes[depth].running;
}

#endif
