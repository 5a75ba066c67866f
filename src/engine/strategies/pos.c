/* SPDX-License-Identifier: MIT
 *
 * pos: partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018). Seeded; it never
 * ends by itself.
 *
 * Each pending operation has a random priority; of those that are enabled the one with the highest is executed. Then
 * the operations that race with it, those pending that conflict, get new ones, as does the next operation of its
 * thread. So the order of operations that race is drawn afresh, and the likelihood of an execution depends on its
 * partial order rather than on how many interleavings that has.
 *
 * Alternatives are all equally likely. A thread that waits for another in a loop draws a new priority with each step,
 * so the other gets its turn sooner or later.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "engine/strategy.h"

struct pos {
	struct mz_execution *x;
	struct mz_random random;
	uint64_t executions, max_executions;
	uint64_t *priorities; /* of what threads have pending; 0: to be drawn */
	size_t npriorities, priorities_capacity;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	*(struct pos *)self =
	    (struct pos){.x = x, .random = {options->seed}, .max_executions = options->max_executions};
	return true;
}

static void release(void *self)
{
	mz_free(((struct pos *)self)->priorities);
}

static bool reserve(struct pos *pos, uint32_t nthreads)
{
	if (nthreads <= pos->npriorities) return true;
	void *grown = mz_grow(pos->priorities, &pos->priorities_capacity, nthreads, sizeof *pos->priorities);
	if (!grown) {
		pos->x->failed = true;
		return false;
	}
	pos->priorities = grown;
	while (pos->npriorities < nthreads) pos->priorities[pos->npriorities++] = 0;
	return true;
}

/* Whether the pending operation of a thread needs a new priority after the last event. */
static bool is_stale(const struct pos *pos, uint32_t thread, const struct mz_pending *pending)
{
	if (pos->x->depth == 0) return false;
	const struct mz_event *last = mz_execution_event(pos->x, pos->x->depth - 1);
	if (last->thread == thread) return true;
	for (unsigned m = 0; m < last->naccesses; m++) {
		for (unsigned n = 0; n < pending->naccesses; n++) {
			if (mz_accesses_conflict(&last->accesses[m], &pending->accesses[n])) return true;
		}
	}
	return false;
}

static void draw(struct pos *pos, uint32_t thread, const struct mz_pending *pending)
{
	uint64_t *priority = &pos->priorities[thread];
	if (pending->status == MZ_THREAD_ABSENT || is_stale(pos, thread, pending)) *priority = 0;
	if (pending->status == MZ_THREAD_ABSENT || *priority) return;
	*priority = mz_random_word(&pos->random) | 1;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct pos *pos = self;
	uint32_t best = MZ_NO_THREAD;
	if (!reserve(pos, view->nthreads)) return (struct mz_step){MZ_NO_THREAD, 0};
	for (uint32_t t = 0; t < view->nthreads; t++) {
		draw(pos, t, &view->pending[t]);
		if (view->pending[t].status != MZ_THREAD_ENABLED) continue;
		if (best == MZ_NO_THREAD || pos->priorities[t] > pos->priorities[best]) best = t;
	}
	if (best == MZ_NO_THREAD) return (struct mz_step){MZ_NO_THREAD, 0};
	return (struct mz_step){best, mz_random_below(&pos->random, view->pending[best].alternatives)};
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
	struct pos *pos = self;
	*depth = 0;
	if (pos->max_executions && pos->executions == pos->max_executions) return false;
	pos->executions++;
	for (size_t t = 0; t < pos->npriorities; t++) pos->priorities[t] = 0;
	return true;
}

const struct mz_strategy mz_strategy_pos = {
    .name = "pos",
    .samples = true,
    .size = sizeof(struct pos),
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
};
