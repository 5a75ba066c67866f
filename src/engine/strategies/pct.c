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
 * k is not known in advance: it is the most steps that any execution so far took, at least FIRST_LENGTH. n is the most
 * threads that were seen. A thread that yields draws a new priority, or a loop that waits for another thread would
 * never end; that is no part of the paper, nor are alternatives: they are all equally likely.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "engine/strategy.h"

#define FIRST_LENGTH 16
#define DEFAULT_DEPTH 3
#define HIGH ((uint64_t)1 << 63)               /* priorities are above it at first */
#define CHANGED(n) ((uint64_t)((n) + 1) << 30) /* the one given at change point n */

struct pct {
	struct mz_execution *x;
	struct mz_random random;
	uint64_t executions, max_executions;
	uint32_t depth;
	uint32_t length;      /* k */
	uint32_t threads;     /* n */
	uint64_t *priorities; /* by thread; 0: none yet */
	size_t npriorities, priorities_capacity;
	uint32_t *changes; /* steps before which priorities change, one for each n */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct pct *pct = self;
	*pct = (struct pct){.x = x, .random = {options->seed}, .max_executions = options->max_executions};
	pct->depth = options->depth ? options->depth : DEFAULT_DEPTH;
	pct->length = FIRST_LENGTH;
	pct->changes = mz_alloc(pct->depth * sizeof *pct->changes);
	return pct->changes;
}

static void release(void *self)
{
	struct pct *pct = self;
	mz_free(pct->priorities);
	mz_free(pct->changes);
}

static bool draw_priorities(struct pct *pct, uint32_t nthreads)
{
	if (nthreads > pct->npriorities) {
		void *grown = mz_grow(pct->priorities, &pct->priorities_capacity, nthreads, sizeof *pct->priorities);
		if (!grown) {
			pct->x->failed = true;
			return false;
		}
		pct->priorities = grown;
		while (pct->npriorities < nthreads) pct->priorities[pct->npriorities++] = 0;
	}
	for (uint32_t t = 0; t < nthreads; t++) {
		if (!pct->priorities[t]) pct->priorities[t] = HIGH | mz_random_word(&pct->random);
	}
	return true;
}

static uint32_t highest(const struct pct *pct, const struct mz_view *view)
{
	uint32_t best = MZ_NO_THREAD;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (view->pending[t].status != MZ_THREAD_ENABLED) continue;
		if (best == MZ_NO_THREAD || pct->priorities[t] > pct->priorities[best]) best = t;
	}
	return best;
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
	uint32_t present = count_present(view);
	if (present > pct->threads) pct->threads = present;
	if (!draw_priorities(pct, view->nthreads)) return (struct mz_step){MZ_NO_THREAD, 0};
	uint32_t thread = highest(pct, view);
	for (uint32_t n = 0; n + 1 < pct->depth && thread != MZ_NO_THREAD; n++) {
		if (pct->changes[n] != pct->x->depth) continue;
		pct->priorities[thread] = CHANGED(n);
		thread = highest(pct, view);
	}
	if (thread == MZ_NO_THREAD) return (struct mz_step){MZ_NO_THREAD, 0};
	return (struct mz_step){thread, mz_random_below(&pct->random, view->pending[thread].alternatives)};
}

static void observe(void *self)
{
	struct pct *pct = self;
	const struct mz_event *last = mz_execution_event(pct->x, pct->x->depth - 1);
	uint64_t *priority = &pct->priorities[last->thread];
	if (last->op == MZ_OP_YIELD && *priority > 1) *priority = 1 + mz_random_word(&pct->random) % (*priority - 1);
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct pct *pct = self;
	(void)view;
	(void)cut;
	if (pct->x->depth > pct->length) pct->length = pct->x->depth;
}

static bool next(void *self, uint32_t *depth)
{
	struct pct *pct = self;
	*depth = 0;
	if (pct->max_executions && pct->executions == pct->max_executions) return false;
	pct->executions++;
	for (size_t t = 0; t < pct->npriorities; t++) pct->priorities[t] = 0;
	for (uint32_t n = 0; n + 1 < pct->depth; n++) pct->changes[n] = mz_random_below(&pct->random, pct->length);
	return true;
}

static double promise(const void *self)
{
	const struct pct *pct = self;
	if (pct->threads == 0) return 0;
	double bound = 1.0 / pct->threads;
	for (uint32_t n = 1; n < pct->depth && bound > 0; n++) bound /= pct->length;
	return bound;
}

const struct mz_strategy mz_strategy_pct = {
    .name = "pct",
    .samples = true,
    .size = sizeof(struct pct),
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .promise = promise,
};
