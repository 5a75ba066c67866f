/* SPDX-License-Identifier: MIT */
#include "engine/strategies/sampling.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "engine/scheduling/alternatives.h"

void mz_sampling_init(struct mz_sampling *sampling, struct mz_execution *x, const struct mz_search_options *options)
{
	*sampling = (struct mz_sampling){
	    .x = x, .seed = options->seed, .max_executions = options->max_executions, .trunk = options->trunk};
}

void mz_sampling_release(struct mz_sampling *sampling)
{
	mz_free(sampling->priorities);
}

/* Draws more numbers. Returns false if there are none. */
static bool draw(struct mz_sampling *sampling)
{
	uint64_t most = sampling->max_executions, first = sampling->draw.end;
	if (sampling->trunk)
		return mz_trunk_draw(sampling->trunk, most, sampling->seen, &sampling->draw, &sampling->x->failed);
	if (most && first >= most) return false;
	sampling->draw = (struct mz_trunk_draw){first, mz_trunk_next_stage(first, most), sampling->seen};
	return true;
}

bool mz_sampling_next(struct mz_sampling *sampling, uint32_t *depth)
{
	*depth = 0;
	for (size_t t = 0; t < sampling->npriorities; t++) sampling->priorities[t] = 0;
	if (sampling->draw.next == sampling->draw.end && !draw(sampling)) return false;
	sampling->random.state = mz_hash2(sampling->seed, sampling->draw.next++);
	return true;
}

void mz_sampling_leave(struct mz_sampling *sampling)
{
	if (!sampling->trunk) return;
	if (!mz_trunk_leave_draw(sampling->trunk, sampling->seen, &sampling->draw)) sampling->x->failed = true;
}

struct mz_trunk_extent mz_sampling_extent(const struct mz_sampling *sampling)
{
	struct mz_trunk_extent extent = sampling->seen;
	if (sampling->trunk) mz_trunk_extend(&extent, sampling->trunk->trunk->extent);
	return extent;
}

bool mz_sampling_reserve(struct mz_sampling *sampling, uint32_t nthreads)
{
	if (nthreads <= sampling->npriorities) return true;
	if (!mz_array_reserve(&sampling->priorities, &sampling->priorities_capacity, nthreads)) return false;
	while (sampling->npriorities < nthreads) sampling->priorities[sampling->npriorities++] = 0;
	return true;
}

uint32_t mz_sampling_highest(const struct mz_sampling *sampling, const struct mz_view *view)
{
	uint32_t best = mz_view_first(view);
	if (best != MZ_NO_THREAD) return best;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (view->pending[t].status != MZ_THREAD_ENABLED) continue;
		if (best == MZ_NO_THREAD || sampling->priorities[t] > sampling->priorities[best]) best = t;
	}
	return best;
}

struct mz_step mz_sampling_step(struct mz_sampling *sampling, const struct mz_view *view, uint32_t thread)
{
	struct mz_step step = {thread, 0};
	if (thread == MZ_NO_THREAD) return step;
	if (view->pending[thread].alternatives == 1) return step;
	const struct mz_alternatives alternatives = mz_alternatives_possible(view, thread);
	step.choice = mz_alternative(&alternatives, mz_random_below(&sampling->random, alternatives.count));
	return step;
}
