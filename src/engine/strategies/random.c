/* SPDX-License-Identifier: MIT
 *
 * random: a random walk. In each state one of the enabled threads goes, all equally likely, and takes one of its
 * alternatives, all equally likely. Seeded, and the same everywhere. It never ends by itself.
 *
 * It promises nothing: with n threads of k steps the likelihood of one certain interleaving is about n^-nk.
 */
#include "base/random.h"
#include "engine/strategy.h"

struct walk {
	struct mz_random random;
	uint64_t executions, max_executions;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	(void)x;
	*(struct walk *)self = (struct walk){{options->seed}, 0, options->max_executions};
	return true;
}

static void release(void *self)
{
	(void)self;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct walk *walk = self;
	uint32_t enabled = 0, thread = 0;
	for (uint32_t t = 0; t < view->nthreads; t++) enabled += view->pending[t].status == MZ_THREAD_ENABLED;
	if (enabled == 0) return (struct mz_step){MZ_NO_THREAD, 0};
	uint32_t n = mz_random_below(&walk->random, enabled);
	while (view->pending[thread].status != MZ_THREAD_ENABLED || n-- > 0) thread++;
	return (struct mz_step){thread, mz_random_below(&walk->random, view->pending[thread].alternatives)};
}

static void observe(void *self)
{
	(void)self;
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	(void)self;
	(void)view;
	(void)cut;
}

static bool next(void *self, uint32_t *depth)
{
	struct walk *walk = self;
	*depth = 0;
	return !walk->max_executions || walk->executions++ < walk->max_executions;
}

const struct mz_strategy mz_strategy_random = {
    .name = "random",
    .samples = true,
    .size = sizeof(struct walk),
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
};
