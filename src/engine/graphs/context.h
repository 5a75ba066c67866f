/* SPDX-License-Identifier: MIT
 *
 * How many preemptions a happens-before graph needs: the least number among all executions that have it (Musuvathi,
 * Qadeer: Partial-Order Reduction for Context-Bounded State Exploration, 2007, Section 3.2). To find it is hard in
 * general; here it is a recursion over the prefixes of the graph, each of which is looked at once and remembered, for
 * all executions to come.
 *
 * cost(g, t) is the least number of preemptions of executions with graph g whose last step is by thread t. Such an
 * execution ends with a run of steps by t; what is left without them is a graph h, whose last step is by another
 * thread, u, which is preempted if it is still enabled:
 *
 *     cost(g, t) = min over runs, u:  cost(h, u) + (u is enabled after h)
 *
 * Not all runs have to be tried. Say t could have had more steps in its last run, because nothing else in g depends on
 * them, and does them in an earlier run instead. If that run ends although t is enabled, nothing is lost by moving its
 * last steps to the end, or all of it; unless a lock is taken in them, which keeps others from being enabled and so
 * from being preempted. So a run starts where somebody depends on the step before; or with a step for which the thread
 * may have had to wait; or after a lock that could have been taken later.
 *
 * Nor all u: what cannot be cheaper than what was found is left out, and nothing is cheaper than the preemptions that
 * there are in any case (mz_cut_preemptions()).
 */
#ifndef MZ_ENGINE_GRAPHS_CONTEXT_H
#define MZ_ENGINE_GRAPHS_CONTEXT_H

#include "engine/graphs/cuts.h"
#include "engine/graphs/prefixes.h"

/* The bits of the notes on a graph (mz_prefixes_notes()) that callers may use. */
enum { MZ_CONTEXT_FREE_BITS = 0xf0 };

struct mz_context_frame;

struct mz_context {
	struct mz_cuts cuts;
	struct mz_prefixes prefixes;
	struct mz_context_frame *frames;
	size_t nframes, frames_capacity;
	uint32_t *rows; /* the cuts of the frames: `width` words for each */
	size_t rows_capacity;
	uint32_t *row; /* scratch */
	size_t row_capacity;
};

/* Initializes a context. `max_bytes` limits what all of it may take, see `full` in prefixes.h; 0: no limit. */
void mz_context_init(struct mz_context *context, struct mz_execution *x, size_t max_bytes);
void mz_context_release(struct mz_context *context);

/* Do what mz_cuts_observe() and mz_cuts_set_view() do. When memory runs out or the limit is reached, these functions
 * and all below set `failed` in the execution; what they return means nothing then. */
void mz_context_observe(struct mz_context *context);
void mz_context_set_view(struct mz_context *context, const struct mz_view *view);

/* mz_context_find() returns the number of a cut's graph in the table, mz_context_find_next() that of the graph with one
 * more step; MZ_NO_PREFIX if it is not there. */
uint32_t mz_context_find(struct mz_context *context, const struct mz_cut *cut);
uint32_t mz_context_find_next(struct mz_context *context, const struct mz_cut *cut, uint32_t thread, uint32_t choice);
/* Returns the number of a cut's graph, and adds the graph to the table if it is not there. */
uint32_t mz_context_add(struct mz_context *context, const struct mz_cut *cut);

/* Returns whether some execution that leads to the state of the cut and goes on with `thread` has at most `bound`
 * preemptions, counting those on the way there and the one that this step may be. Numbers above MZ_CONTEXT_MOST are not
 * told apart. */
#define MZ_CONTEXT_MOST 253U
bool mz_context_is_within(struct mz_context *context, const struct mz_cut *cut, uint32_t thread, uint32_t bound);

/* Fills in `n` steps: the events of the cut in the order that costs least if `thread` makes the last step. Takes the
 * events out of the cut. Returns false when there is no memory. */
bool mz_context_order(struct mz_context *context, struct mz_cut *cut, uint32_t thread, struct mz_step *steps,
                      uint32_t n);

/* Returns how many bytes the context takes. */
size_t mz_context_bytes(const struct mz_context *context);

#endif
