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
 * All depend on the steps taken, not on their partial order: equivalent executions may be within a bound or not.
 *
 * Costs are kept by depth. Depths are visited one by one, and visited again after going back, as in a strategy.
 */
#ifndef MZ_ENGINE_BOUND_H
#define MZ_ENGINE_BOUND_H

#include "engine/execution.h"
#include "engine/search.h"

/* A depth. */
struct mz_bound_node {
	uint32_t preemptions; /* on the way to it */
	uint32_t delays;      /* likewise */
	uint32_t running;     /* who is preempted if another thread goes, or MZ_NO_THREAD */
	uint32_t yielder;     /* whose yield led to it, or MZ_NO_THREAD */
};

struct mz_bounds {
	const struct mz_execution *x;
	unsigned given; /* of enum mz_bound_kind */
	uint32_t preemptions, yields, delays, depth;
	struct mz_bound_node *nodes; /* by depth */
	size_t nodes_capacity;
	uint32_t at;       /* the depth that the following is about */
	uint32_t *yielded; /* by thread: how often */
	size_t nyielded, yielded_capacity;
};

/* All zero before. The execution must be the one whose events are observed. */
void mz_bounds_init(struct mz_bounds *bounds, const struct mz_execution *x, const struct mz_search_options *options);
void mz_bounds_release(struct mz_bounds *bounds);

/* Which threads may go at the current depth, which is new: fills in a set of the view's threads, one bit each, with
 * those that are enabled and allowed. False when there is no memory. */
bool mz_bounds_look(struct mz_bounds *bounds, const struct mz_view *view, uint64_t *allowed);

/* Who of them goes from the current depth, new or not. To be told for every step that is chosen. */
void mz_bounds_go(struct mz_bounds *bounds, const struct mz_view *view, uint32_t thread);

/* Who is preempted if another thread goes from that depth, which was looked at; or MZ_NO_THREAD. */
static inline uint32_t mz_bounds_running(const struct mz_bounds *bounds, uint32_t depth)
{
	return bounds->nodes[depth].running;
}

#endif
