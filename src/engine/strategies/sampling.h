/* SPDX-License-Identifier: MIT
 *
 * What strategies that sample have in common: executions that have nothing to do with each other, as many as were asked
 * for, each with a random sequence of its own that depends on the seed and on its number; and, for some, a priority for
 * each thread. Several workers that share the numbers make the executions that one makes.
 */
#ifndef MZ_ENGINE_STRATEGIES_SAMPLING_H
#define MZ_ENGINE_STRATEGIES_SAMPLING_H

#include "base/random.h"
#include "engine/backtracking/trunk_samples.h"
#include "engine/strategy.h"

struct mz_sampling {
	struct mz_execution *x;
	struct mz_random random;
	uint64_t seed, max_executions;
	struct mz_trunk_worker *trunk; /* what is shared with other workers, or NULL */
	struct mz_trunk_draw draw;     /* the numbers of the next executions, and what is known of earlier ones */
	struct mz_trunk_extent seen;   /* of the executions that were made here; filled in by strategies that need it */
	uint64_t *priorities;          /* by thread; 0: it has no priority yet */
	size_t npriorities, priorities_capacity;
};

void mz_sampling_init(struct mz_sampling *sampling, struct mz_execution *x, const struct mz_search_options *options);
void mz_sampling_release(struct mz_sampling *sampling);

/* Serves as a strategy's next(). Afterwards no thread has a priority. */
bool mz_sampling_next(struct mz_sampling *sampling, uint32_t *depth);
/* Serves as a strategy's leave(). */
void mz_sampling_leave(struct mz_sampling *sampling);

/* Returns the extent of all executions that are over, by all workers. */
struct mz_trunk_extent mz_sampling_extent(const struct mz_sampling *sampling);

/* Makes room for the priorities of so many threads. Returns false when there is no memory. */
bool mz_sampling_reserve(struct mz_sampling *sampling, uint32_t nthreads);

/* Returns the enabled thread with the highest priority, or MZ_NO_THREAD. */
uint32_t mz_sampling_highest(const struct mz_sampling *sampling, const struct mz_view *view);

/* Returns a step of the thread with one of its alternatives, all equally likely; of MZ_NO_THREAD, a step that ends the
 * execution. */
struct mz_step mz_sampling_step(struct mz_sampling *sampling, const struct mz_view *view, uint32_t thread);

#endif
