/* SPDX-License-Identifier: MIT */
#include "engine/strategies/sampling.h"
#include "base/alloc.h"
#include "base/array.h"
#include "engine/scheduling/alternatives.h"

void mz_sampling_init(struct mz_sampling *sampling, const struct mz_search_options *options)
{
	*sampling = (struct mz_sampling){.random = {options->seed}, .max_executions = options->max_executions};
}

void mz_sampling_release(struct mz_sampling *sampling)
{
	mz_free(sampling->priorities);
}

bool mz_sampling_next(struct mz_sampling *sampling, uint32_t *depth)
{
	*depth = 0;
	for (size_t t = 0; t < sampling->npriorities; t++) sampling->priorities[t] = 0;
	return !sampling->max_executions || sampling->executions++ < sampling->max_executions;
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
	uint32_t best = MZ_NO_THREAD;
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
