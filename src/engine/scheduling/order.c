/* SPDX-License-Identifier: MIT */
#include "engine/scheduling/order.h"
#include "base/hash.h"

#define THREAD_BITS 24    /* of a random rank: who the thread is; the bits above them are drawn */
#define LAST (1ULL << 63) /* is added to the rank of a thread that has just yielded */

static uint32_t reversed(uint32_t word)
{
	uint32_t backwards = 0;
	for (int n = 0; n < 32; n++) backwards |= (word >> n & 1) << (31 - n);
	return backwards;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint32_t stride_of(uint32_t n)
{
	uint32_t stride = (uint32_t)((uint64_t)n * 618 / 1000);
	if (stride == 0) return 1;
	while (common_divisor(stride, n) != 1) stride++;
	return stride;
}

void mz_ordering_init(struct mz_ordering *o, const struct mz_search_options *options)
{
	o->order = options->order;
	o->seed = options->seed;
}

void mz_ordering_begin(struct mz_ordering *o, const struct mz_execution *x, const struct mz_view *view, uint32_t last)
{
	uint32_t n = view->nthreads;
	if (last >= n) last = n - 1;
	o->view = view;
	o->start = last;
	o->yielded = MZ_NO_THREAD;
	if (x->depth && x->records[x->depth - 1].event.op == MZ_OP_YIELD) {
		o->yielded = x->records[x->depth - 1].event.thread;
	}
	o->turn++;
	if (o->order == MZ_ORDER_BIT_REVERSAL) o->start = (uint32_t)((uint64_t)reversed(o->turn) * n >> 32);
	if (o->order == MZ_ORDER_RANDOM) o->draw = mz_hash2(o->seed, o->turn);
	if (o->order == MZ_ORDER_STRIDE) o->stride = stride_of(n);
}

static bool pending_conflict(const struct mz_pending *a, const struct mz_pending *b)
{
	for (unsigned m = 0; m < a->naccesses; m++) {
		for (unsigned n = 0; n < b->naccesses; n++) {
			if (mz_accesses_conflict(&a->accesses[m], &b->accesses[n])) return true;
		}
	}
	return false;
}

static uint32_t conflicts_of(const struct mz_view *view, uint32_t thread)
{
	uint32_t conflicts = 0;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (t == thread || view->pending[t].status == MZ_THREAD_ABSENT) continue;
		conflicts += pending_conflict(&view->pending[t], &view->pending[thread]);
	}
	return conflicts;
}

/* Returns how many strides it takes from `start` to the thread; to `start` itself, a whole round. */
static uint32_t strides_to(const struct mz_ordering *o, uint32_t thread)
{
	uint32_t n = o->view->nthreads, strides = 1;
	for (uint32_t at = o->start + o->stride; at % n != thread; at = at % n + o->stride) strides++;
	return strides;
}

/* Returns a number that is drawn for this choice and thread, different for each thread, and less than LAST. */
static uint64_t drawn(const struct mz_ordering *o, uint32_t thread)
{
	uint64_t random = mz_hash2(o->draw, thread) >> 1;
	return (random >> THREAD_BITS << THREAD_BITS) + thread;
}

uint64_t mz_ordering_rank(const struct mz_ordering *o, uint32_t thread)
{
	uint64_t n = o->view->nthreads;
	uint64_t around = (thread + n - o->start) % n;
	uint64_t rank = thread == o->yielded ? LAST : 0;
	switch (o->order) {
	case MZ_ORDER_BIT_REVERSAL: return rank + around;
	case MZ_ORDER_ROUND_ROBIN: return rank + (around ? around : n);
	case MZ_ORDER_STRIDE: return rank + strides_to(o, thread);
	case MZ_ORDER_CONFLICT_FIRST: return rank + n * (n - 1 - conflicts_of(o->view, thread)) + around;
	case MZ_ORDER_RANDOM: return rank + drawn(o, thread);
	default: return rank + thread;
	}
}
