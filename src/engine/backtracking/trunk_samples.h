/* SPDX-License-Identifier: MIT
 *
 * Numbers of executions, for strategies that sample, from a trunk (trunk.h) that several workers share. An execution
 * depends on the seed and on its number alone, so whoever makes it, it is the same; and each number is drawn, and counts,
 * once. The branches of the trunk's root are ranges of numbers. A worker that stops leaves what it has not executed of its
 * range below it.
 *
 * What a strategy has to know of earlier executions, how long they get, it knows of those before the largest power of two
 * that is not larger than the number. These are over when the first number from there on is drawn: workers wait for that.
 *
 * The first branch stands for all numbers that were not drawn yet.
 */
#ifndef MZ_ENGINE_BACKTRACKING_TRUNK_SAMPLES_H
#define MZ_ENGINE_BACKTRACKING_TRUNK_SAMPLES_H

#include "engine/backtracking/trunk.h"

/* A range of numbers, of which those before `next` are used up. All zero is an empty one. */
struct mz_trunk_draw {
	uint64_t next, end;
	struct mz_trunk_extent known; /* of the executions before the range, see above */
};

/* Returns the first number that is known more of than of `number`, the next power of two; or `most`, if that is not 0
 * and less. */
uint64_t mz_trunk_next_stage(uint64_t number, uint64_t most);

static inline void mz_trunk_extend(struct mz_trunk_extent *extent, struct mz_trunk_extent other)
{
	if (other.steps > extent->steps) extent->steps = other.steps;
	if (other.threads > extent->threads) extent->threads = other.threads;
}

/* Says that the worker's range was executed, if it has one, with executions as large as `seen`, and draws another one,
 * of numbers below `most` unless that is 0. Returns false if there is none any more, or there is no memory, which sets
 * `*failed`. */
bool mz_trunk_draw(struct mz_trunk_worker *worker, uint64_t most, struct mz_trunk_extent seen,
                   struct mz_trunk_draw *draw, bool *failed);

/* Leaves what is left of the worker's range to others. Returns false when there is no memory. */
bool mz_trunk_leave_draw(struct mz_trunk_worker *worker, struct mz_trunk_extent seen, const struct mz_trunk_draw *draw);

#endif
