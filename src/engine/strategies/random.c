/* SPDX-License-Identifier: MIT
 *
 * random: a random walk. In each state one of the enabled threads goes, all equally likely, and takes one of its
 * alternatives, all equally likely. Seeded, and the same everywhere. It never ends by itself.
 *
 * It promises nothing: with n threads of k steps the likelihood of one certain interleaving is about n^-nk.
 */
#include "engine/scheduling/alternatives.h"
#include "engine/strategies/sampling.h"

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	mz_sampling_init(self, x, options);
	return true;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct mz_sampling *sampling = self;
	uint32_t enabled = 0, thread = 0, first = mz_view_first(view);
	if (first != MZ_NO_THREAD) return mz_sampling_step(sampling, view, first);
	for (uint32_t t = 0; t < view->nthreads; t++) enabled += view->pending[t].status == MZ_THREAD_ENABLED;
	if (enabled == 0) return (struct mz_step){MZ_NO_THREAD, 0};
	uint32_t n = mz_random_below(&sampling->random, enabled);
	while (view->pending[thread].status != MZ_THREAD_ENABLED || n-- > 0) thread++;
	return mz_sampling_step(sampling, view, thread);
}

static bool next(void *self, uint32_t *depth)
{
	return mz_sampling_next(self, depth);
}

static void leave(void *self)
{
	mz_sampling_leave(self);
}

const struct mz_strategy mz_strategy_random = {
    .name = "random",
    .samples = true,
    .shares = true,
    .size = sizeof(struct mz_sampling),
    .init = init,
    .choose = choose,
    .next = next,
    .leave = leave,
};
