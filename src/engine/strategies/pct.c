/* SPDX-License-Identifier: MIT
 *
 * pct: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). Seeded; it never ends by itself.
 *
 * Threads have random priorities, all above d. Of those that are enabled the one with the highest goes. Before d-1
 * steps drawn at random from the k that an execution has, the n-th of them lowers the priority of the thread that would
 * go to n. A bug of depth d (one that d order constraints between events suffice for) is met in each execution with
 * probability at least 1/(n k^(d-1)), with n threads.
 *
 * k is not known in advance: it is the most steps that any execution before the largest power of two took, of all that are
 * not larger than the number of the execution; at least FIRST_LENGTH. n is the most threads that were seen. A thread that yields draws a new priority, or a loop that waits for another thread would
 * never end; that is no part of the paper, nor are alternatives: they are all equally likely.
 */
#include "base/alloc.h"
#include "engine/strategies/sampling.h"

#define FIRST_LENGTH 16
#define DEFAULT_DEPTH 3
#define HIGH ((uint64_t)1 << 63)               /* priorities are above this at first */
#define CHANGED(n) ((uint64_t)((n) + 1) << 30) /* the priority given at change point n */

struct pct {
	struct mz_execution *x;
	struct mz_sampling sampling;
	uint32_t depth;
	uint32_t *changes; /* the steps before which a priority changes */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct pct *pct = self;
	pct->x = x;
	mz_sampling_init(&pct->sampling, x, options);
	pct->depth = options->depth ? options->depth : DEFAULT_DEPTH;
	pct->changes = mz_alloc(pct->depth * sizeof *pct->changes);
	return pct->changes;
}

static void release(void *self)
{
	struct pct *pct = self;
	mz_sampling_release(&pct->sampling);
	mz_free(pct->changes);
}

static bool draw_priorities(struct pct *pct, uint32_t nthreads)
{
	if (!mz_sampling_reserve(&pct->sampling, nthreads)) {
		pct->x->failed = true;
		return false;
	}
	uint64_t *priorities = pct->sampling.priorities;
	for (uint32_t t = 0; t < nthreads; t++) {
		if (!priorities[t]) priorities[t] = HIGH | mz_random_word(&pct->sampling.random);
	}
	return true;
}

static uint32_t count_present(const struct mz_view *view)
{
	uint32_t count = 0;
	for (uint32_t t = 0; t < view->nthreads; t++) count += view->pending[t].status != MZ_THREAD_ABSENT;
	return count;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct pct *pct = self;
	mz_trunk_extend(&pct->sampling.seen, (struct mz_trunk_extent){.threads = count_present(view)});
	if (!draw_priorities(pct, view->nthreads)) return (struct mz_step){MZ_NO_THREAD, 0};
	uint32_t thread = mz_sampling_highest(&pct->sampling, view);
	for (uint32_t n = 0; n + 1 < pct->depth && thread != MZ_NO_THREAD; n++) {
		if (pct->changes[n] != pct->x->depth) continue;
		pct->sampling.priorities[thread] = CHANGED(n);
		thread = mz_sampling_highest(&pct->sampling, view);
	}
	return mz_sampling_step(&pct->sampling, view, thread);
}

static void observe(void *self)
{
	struct pct *pct = self;
	const struct mz_event *last = mz_execution_event(pct->x, pct->x->depth - 1);
	uint64_t *priority = &pct->sampling.priorities[last->thread];
	if (last->op != MZ_OP_YIELD || *priority <= 1) return;
	*priority = 1 + mz_random_word(&pct->sampling.random) % (*priority - 1);
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct pct *pct = self;
	(void)view;
	(void)cut;
	mz_trunk_extend(&pct->sampling.seen, (struct mz_trunk_extent){.steps = pct->x->depth});
}

/* Returns k of the paper. */
static uint32_t length(struct mz_trunk_extent extent)
{
	return extent.steps > FIRST_LENGTH ? extent.steps : FIRST_LENGTH;
}

static bool next(void *self, uint32_t *depth)
{
	struct pct *pct = self;
	if (!mz_sampling_next(&pct->sampling, depth)) return false;
	struct mz_random *random = &pct->sampling.random;
	uint32_t k = length(pct->sampling.draw.known);
	for (uint32_t n = 0; n + 1 < pct->depth; n++) pct->changes[n] = mz_random_below(random, k);
	return true;
}

static void leave(void *self)
{
	mz_sampling_leave(&((struct pct *)self)->sampling);
}

static double promise(const void *self)
{
	const struct pct *pct = self;
	struct mz_trunk_extent extent = mz_sampling_extent(&pct->sampling);
	if (extent.threads == 0) return 0;
	double bound = 1.0 / extent.threads;
	for (uint32_t n = 1; n < pct->depth && bound > 0; n++) bound /= length(extent);
	return bound;
}

const struct mz_strategy mz_strategy_pct = {
    .name = "pct",
    .samples = true,
    .shares = true,
    .size = sizeof(struct pct),
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
    .promise = promise,
};
