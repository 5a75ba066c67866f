/* SPDX-License-Identifier: MIT
 *
 * What strategies with backtrack sets have in common: for each depth of the current execution a node, with the threads
 * that are still to be explored from there, those that were, and those that need not be (a sleep set). The strategy
 * only decides which threads are added, and to which nodes.
 *
 * A thread stands for all of its alternatives: they are explored one after the other, except for those asleep. They go
 * to sleep one by one too. A thread sleeps altogether if all its alternatives do.
 *
 * Invariants: a thread of a backtrack set was enabled at the node; none is explored twice from the same node; with
 * sleep sets, nothing asleep is ever executed, so without bounds no two complete executions are equivalent.
 *
 * With bounds, what they do not allow is refused where it is added, or where nothing else is awake. A node remembers if
 * that happened there or anywhere below. Threads can be held in reserve at a node: they are explored only if something
 * was refused there. And a step from which something was refused does not go to sleep, unless whatever can be reached
 * within the bound by taking it later can be reached by taking it now.
 *
 * Some bounds allow none of the enabled threads in the end (a switch too many, after a thread has ended). An execution that
 * gets stuck in this way does not show what its threads would have done, and so what should have come earlier. So all
 * enabled threads are added to each node above.
 *
 * Several workers can share a search. The first nodes of the execution are then in the trunk, and their backtrack sets
 * are the branches there, with what is held in reserve, and whether something was refused (trunk_sets.h). What was
 * enabled at a node, what the bounds allow there, and what sleeps there, each worker knows for itself, because it has been
 * there.
 */
#ifndef MZ_ENGINE_BACKTRACKING_BACKTRACK_H
#define MZ_ENGINE_BACKTRACKING_BACKTRACK_H

#include "engine/backtracking/sleep.h"
#include "engine/backtracking/trunk_sets.h"
#include "engine/scheduling/alternatives.h"
#include "engine/scheduling/bound.h"
#include "engine/scheduling/order.h"

struct mz_backtrack_node {
	struct mz_sleep_set asleep;
	uint32_t inherited;                  /* how many of `asleep`, the first, slept when the node was made */
	uint32_t thread;                     /* the thread being explored, or MZ_NO_THREAD */
	struct mz_alternatives alternatives; /* of that thread, */
	uint32_t nth;                        /* and which of them is being explored */
	uint32_t words;                      /* number of words in a set of the threads at this node */
	bool refused;                        /* a bound refused something, here or below */
	bool stuck;                          /* here or below, threads were enabled and the bounds allowed none */
	bool below;                          /* a bound refused something below the step being explored */
	bool cheap;   /* the step being explored costs no more now than later, whatever the bound; see above */
	size_t first; /* index of the first word of its sets */
};

struct mz_backtrack_check;

struct mz_backtrack {
	struct mz_execution *x;   /* the events of this execution are what goes to sleep */
	struct mz_bounds *bounds; /* NULL: none */
	uint64_t refused;         /* how many nodes refused something */
	bool sleeps;
	bool cheapest; /* at a new node, a thread goes first that costs least within the fair bound, which is set */
	bool started;
	struct mz_ordering ordering;
	struct mz_backtrack_node *nodes; /* by depth */
	size_t nnodes, nodes_capacity;
	uint64_t *sets;
	size_t nwords, sets_capacity;
	struct mz_sleep sleep;
	bool gave_up;                     /* everything enabled was asleep: the execution under way ends here */
	struct mz_backtrack_check *check; /* backtrack_check.h; NULL: nothing is checked */
	struct mz_trunk_worker *trunk;    /* what is shared with other workers, or NULL */
	struct mz_trunk_history history;  /* of this worker */
	bool unnamed;                     /* others wait for the event of the step that leads to this worker's leaf */
};

/* Initializes `b`, which must be all zero. The caller sets bounds, if there are any, before the first choice. */
void mz_backtrack_init(struct mz_backtrack *b, struct mz_execution *x, const struct mz_search_options *options,
                       bool sleeps);
void mz_backtrack_release(struct mz_backtrack *b);

/* Says that the strategy promises to add enough. In test builds, that is checked from now on. */
void mz_backtrack_promise(struct mz_backtrack *b);

/* Returns whether the current depth has no node yet. */
static inline bool mz_backtrack_is_new(const struct mz_backtrack *b)
{
	return b->nnodes == b->x->depth;
}

/* Chooses a step from the current depth. At a new node, which is made, any thread may go first; but if preemptions
 * or switches are bounded and the thread that would be preempted is awake, that one does. At a node that exists, a step that is still
 * to be explored is taken. Returns the thread MZ_NO_THREAD if everything that may go is asleep, or memory ran out and
 * the execution failed. */
struct mz_step mz_backtrack_choose(struct mz_backtrack *b, const struct mz_view *view);

/* mz_backtrack_enabled() returns whether the thread was enabled at that depth, mz_backtrack_present() whether it had an
 * operation pending, enabled or not. */
bool mz_backtrack_enabled(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);
bool mz_backtrack_present(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);
/* Returns whether the bounds allowed the thread at that depth, which they do only if it was enabled; true without
 * bounds. */
bool mz_backtrack_allowed(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);
/* Returns how many threads were enabled at that depth. */
uint32_t mz_backtrack_count_enabled(const struct mz_backtrack *b, uint32_t depth);

/* Returns whether the thread was explored from that depth, or will be. */
bool mz_backtrack_has_thread(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);
/* Returns whether the thread was explored from that depth, or will be, or all its alternatives sleep there. */
bool mz_backtrack_covers(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);
/* Returns the same for one alternative of the thread. */
bool mz_backtrack_covers_step(const struct mz_backtrack *b, uint32_t depth, uint32_t thread, uint32_t choice);

/* Returns whether some alternative of the thread sleeps at that depth although the thread is not explored from there:
 * it was asleep already when that depth was reached. Then what follows it was explored from elsewhere, and added
 * nothing to the backtrack set of this depth. */
bool mz_backtrack_slept_on_arrival(const struct mz_backtrack *b, uint32_t depth, uint32_t thread);

/* Makes sure that the thread, which was enabled, will be explored from that depth, unless it is covered, or the bounds
 * refuse it, which the node remembers; mz_backtrack_add_all() does so for all threads that were enabled. */
void mz_backtrack_add(struct mz_backtrack *b, uint32_t depth, uint32_t thread);
void mz_backtrack_add_all(struct mz_backtrack *b, uint32_t depth);
/* Do the same if something is refused there or below; only with bounds. */
void mz_backtrack_reserve(struct mz_backtrack *b, uint32_t depth, uint32_t thread);
void mz_backtrack_reserve_all(struct mz_backtrack *b, uint32_t depth);
/* Does what mz_backtrack_add() does; if nothing else has added the thread before, its steps do not go to sleep at that
 * depth. Only with bounds. */
void mz_backtrack_add_awake(struct mz_backtrack *b, uint32_t depth, uint32_t thread);

/* Forgets all nodes: the next execution starts a search of its own. */
void mz_backtrack_restart(struct mz_backtrack *b);
/* Serve as a strategy's end(), when the execution is over, as its next(), and as its leave(). */
void mz_backtrack_end(struct mz_backtrack *b, bool cut);
bool mz_backtrack_next(struct mz_backtrack *b, uint32_t *depth);
void mz_backtrack_leave(struct mz_backtrack *b);

#endif
