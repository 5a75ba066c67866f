/* SPDX-License-Identifier: MIT
 *
 * Bounds: they say which of the enabled threads may go, so that the execution stays within what the user asked for.
 *
 * A bound is a function that tells what an execution costs, step by step, and a number that the cost must not exceed: the
 * bound evaluation functions Bv(S) of Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, OOPSLA 2013. Each is
 * one file in bounds/, which says what it counts; add one by adding a file there, a line to enum mz_bound_kind and one
 * in bound.c. With several bounds, a thread may go if none of them is exceeded.
 *
 * Two properties of a bound say how much a reduction can make of it (Definitions 4.3 and 4.4). It is *stable* if
 * equivalent executions cost the same, and *extensible* if a step that is independent of what comes after it does not
 * change what that costs. A bound that is both needs no conservative backtrack points. None of these is: of two
 * equivalent executions one may be within a bound and the other not, or, within a bound on depth, which is stable, a step
 * that comes earlier makes those after it one step later.
 *
 * A branch on inputs is a step of the search, and none of the program's: it costs nothing. A thread that is at one goes on
 * before anybody else, whatever the bounds. So where threads are chosen from, none is at a branch, and each step costs what it
 * would if the inputs were fixed.
 *
 * Costs are kept by depth. Depths are visited one by one, and visited again after going back, as in a strategy.
 */
#ifndef MZ_ENGINE_SCHEDULING_BOUND_H
#define MZ_ENGINE_SCHEDULING_BOUND_H

#include "engine/execution/record.h"
#include "engine/options.h"

/* What the bounds know of a depth. */
struct mz_bound_node {
	uint32_t cost[MZ_BOUND_COUNT]; /* of the steps on the way to this depth, by bound */
	uint32_t running;              /* the thread that is preempted if another one goes, or MZ_NO_THREAD */
	uint32_t yielder;              /* the thread whose yield led to this depth, or MZ_NO_THREAD */
	uint32_t last;                 /* the last event on the way to this depth that is no branch, or MZ_NONE */
};

struct mz_bounds {
	const struct mz_execution *x;
	unsigned kinds; /* the bounds that are set: bits of enum mz_bound_kind */
	uint32_t limit[MZ_BOUND_COUNT];
	struct mz_bound_node *nodes; /* by depth */
	size_t nodes_capacity;
	uint32_t at;       /* the depth that `yielded` is about */
	uint32_t *yielded; /* by thread: how often it yielded */
	size_t nyielded, yielded_capacity;
};

/* A state in which one of the enabled threads is to go. */
struct mz_bound_state {
	const struct mz_bounds *bounds;
	const struct mz_view *view;
	const struct mz_bound_node *node;
	const struct mz_event *last; /* the last event that is no branch; NULL at the start */
	uint32_t branching;          /* the thread that is at a branch on inputs, or MZ_NO_THREAD */
	uint32_t least_yielded;      /* the least number of yields of any enabled thread */
};

/* One bound. */
struct mz_bound {
	const char *name;
	enum mz_bound_bit bit;
	bool stable, extensible;
	/* Returns what the execution costs when the thread, which is enabled, goes next, if it has cost `before` so
	 * far. Never less than `before`. */
	uint32_t (*cost)(const struct mz_bound_state *state, uint32_t thread, uint32_t before);
};

/* Returns the n-th bound, in the order of enum mz_bound_bit, or NULL past the last. */
const struct mz_bound *mz_bound_at(size_t n);

/* Returns how often the thread has yielded before the state. */
uint32_t mz_bound_yielded(const struct mz_bound_state *state, uint32_t thread);
/* Returns whether the thread is enabled and within those of the bounds that are among `kinds`; while a thread is at a branch,
 * whether it is that one. */
bool mz_bound_permits(const struct mz_bound_state *state, uint32_t thread, unsigned kinds);

/* Initializes bounds, which must be all zero. The execution must be the one whose events are observed. */
void mz_bounds_init(struct mz_bounds *bounds, const struct mz_execution *x, const struct mz_search_options *options);
void mz_bounds_release(struct mz_bounds *bounds);

/* To be called at the current depth, if it is new. Fills in a set of the view's threads, one bit each, with those that
 * are enabled and allowed. Returns false when there is no memory. */
bool mz_bounds_find_allowed(struct mz_bounds *bounds, const struct mz_view *view, uint64_t *allowed);

/* Returns what the execution costs, by one of the bounds that are set, when the thread, which is enabled, goes from the
 * current depth. */
uint32_t mz_bounds_cost(struct mz_bounds *bounds, const struct mz_view *view, enum mz_bound_bit bit, uint32_t thread);

/* To be called for every step that is chosen: says which thread goes from the current depth, new or not. */
void mz_bounds_take_step(struct mz_bounds *bounds, const struct mz_view *view, uint32_t thread);

/* Returns the thread that is preempted if another one goes from that depth, or MZ_NO_THREAD. That is the thread which is at a
 * branch, if there is one. */
static inline uint32_t mz_bounds_running(const struct mz_bounds *bounds, uint32_t depth)
{
	return bounds->nodes[depth].running;
}

#endif
