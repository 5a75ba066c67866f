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
#include "base/array.h"
#include "engine/strategies/sampling.h"

struct pos {
	struct mz_execution *x;
	struct mz_sampling sampling;
	struct mz_access *accesses; /* the accesses of the last event */
	size_t accesses_capacity;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct pos *pos = self;
	pos->x = x;
	mz_sampling_init(&pos->sampling, x, options);
	return true;
}

static void release(void *self)
{
	struct pos *pos = self;
	mz_sampling_release(&pos->sampling);
	mz_free(pos->accesses);
}

/* Keeps what the event touched for the next choice. */
static void observe(void *self)
{
	struct pos *pos = self;
	const struct mz_event *last = mz_execution_event(pos->x, pos->x->depth - 1);
	if (!mz_array_reserve(&pos->accesses, &pos->accesses_capacity, last->naccesses + (size_t)1)) {
		pos->x->failed = true;
		return;
	}
	for (unsigned n = 0; n < last->naccesses; n++) pos->accesses[n] = last->accesses[n];
}

/* Returns whether the pending operation of a thread needs a new priority after the last event. */
static bool is_stale(const struct pos *pos, uint32_t thread, const struct mz_pending *pending)
{
	if (pos->x->depth == 0) return false;
	const struct mz_event *last = mz_execution_event(pos->x, pos->x->depth - 1);
	if (last->thread == thread) return true;
	for (unsigned m = 0; m < last->naccesses; m++) {
		for (unsigned n = 0; n < pending->naccesses; n++) {
			if (mz_accesses_conflict(&pos->accesses[m], &pending->accesses[n])) return true;
		}
	}
	return false;
}

static void draw(struct pos *pos, uint32_t thread, const struct mz_pending *pending)
{
	uint64_t *priority = &pos->sampling.priorities[thread];
	if (pending->status == MZ_THREAD_ABSENT || is_stale(pos, thread, pending)) *priority = 0;
	if (pending->status == MZ_THREAD_ABSENT || *priority) return;
	*priority = mz_random_word(&pos->sampling.random) | 1;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct pos *pos = self;
	if (!mz_sampling_reserve(&pos->sampling, view->nthreads)) {
		pos->x->failed = true;
		return (struct mz_step){MZ_NO_THREAD, 0};
	}
	for (uint32_t t = 0; t < view->nthreads; t++) draw(pos, t, &view->pending[t]);
	return mz_sampling_step(&pos->sampling, view, mz_sampling_highest(&pos->sampling, view));
}

static bool next(void *self, uint32_t *depth)
{
	return mz_sampling_next(&((struct pos *)self)->sampling, depth);
}

static void leave(void *self)
{
	mz_sampling_leave(&((struct pos *)self)->sampling);
}

const struct mz_strategy mz_strategy_pos = {
    .name = "pos",
    .samples = true,
    .shares = true,
    .size = sizeof(struct pos),
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .next = next,
    .leave = leave,
};
