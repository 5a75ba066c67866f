/* SPDX-License-Identifier: MIT */
#include "engine/scheduling/bound.h"
#include "base/alloc.h"
#include "base/array.h"
#include "engine/scheduling/preference.h"

void mz_bounds_init(struct mz_bounds *bounds, const struct mz_execution *x, const struct mz_search_options *options)
{
	bounds->x = x;
	bounds->kinds = mz_bounds_given(options);
	bounds->preemptions = options->preemptions;
	bounds->yields = options->yields;
	bounds->delays = options->delays;
	bounds->depth = options->max_depth;
}

void mz_bounds_release(struct mz_bounds *bounds)
{
	mz_free(bounds->nodes);
	mz_free(bounds->yielded);
}

/* --- yields ------------------------------------------------------------------------------------------------------- */

static uint32_t yielded(const struct mz_bounds *bounds, uint32_t thread)
{
	return thread < bounds->nyielded ? bounds->yielded[thread] : 0;
}

/* Goes back to a depth: takes back the yields after it. */
static void go_back(struct mz_bounds *bounds, uint32_t depth)
{
	for (; bounds->at > depth; bounds->at--) {
		uint32_t thread = bounds->nodes[bounds->at].yielder;
		if (thread != MZ_NO_THREAD) bounds->yielded[thread]--;
	}
}

static bool add_yield(struct mz_bounds *bounds, uint32_t thread)
{
	if (thread >= bounds->nyielded) {
		if (!mz_array_reserve(&bounds->yielded, &bounds->yielded_capacity, (size_t)thread + 1)) return false;
		while (bounds->nyielded <= thread) bounds->yielded[bounds->nyielded++] = 0;
	}
	bounds->yielded[thread]++;
	return true;
}

/* Returns the least number of yields of any enabled thread. */
static uint32_t least_yielded(const struct mz_bounds *bounds, const struct mz_view *view)
{
	uint32_t least = UINT32_MAX;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (mz_enabled(view, t) && yielded(bounds, t) < least) least = yielded(bounds, t);
	}
	return least;
}

/* --- who may go --------------------------------------------------------------------------------------------------- */

/* What the bounds on preemptions and on yields say in some state. */
struct rule {
	bool fair;
	uint32_t most_yielded;
	uint32_t only; /* if not MZ_NO_THREAD, only this thread may go */
};

static bool permits(const struct mz_bounds *bounds, const struct rule *rule, const struct mz_view *view,
                    uint32_t thread)
{
	if (!mz_enabled(view, thread)) return false;
	if (rule->fair && yielded(bounds, thread) > rule->most_yielded) return false;
	return rule->only == MZ_NO_THREAD || rule->only == thread;
}

static struct rule rule_at(struct mz_bounds *bounds, const struct mz_view *view)
{
	struct mz_bound_node *node = &bounds->nodes[bounds->at];
	struct rule rule = {.fair = bounds->kinds & MZ_BOUND_FAIR, .only = MZ_NO_THREAD};
	if (rule.fair) {
		uint32_t least = least_yielded(bounds, view);
		rule.most_yielded = least > UINT32_MAX - bounds->yields ? UINT32_MAX : least + bounds->yields;
	}
	uint32_t last = bounds->at ? mz_execution_event(bounds->x, bounds->at - 1)->thread : MZ_NO_THREAD;
	node->running = permits(bounds, &rule, view, last) ? last : MZ_NO_THREAD;
	if ((bounds->kinds & MZ_BOUND_PREEMPTIONS) && node->preemptions >= bounds->preemptions)
		rule.only = node->running;
	return rule;
}

/* Returns the thread from which on the fixed scheduler looks for one that can go. */
static uint32_t circle_start(const struct mz_bounds *bounds, const struct mz_view *view)
{
	if (bounds->at == 0) return 0;
	const struct mz_event *last = mz_execution_event(bounds->x, bounds->at - 1);
	uint32_t start = last->thread + (last->op == MZ_OP_YIELD);
	return start < view->nthreads ? start : 0;
}

/* Returns how many delays it takes until a thread goes. */
static uint32_t delays_of(const struct mz_bounds *bounds, const struct rule *rule, const struct mz_view *view,
                          uint32_t thread)
{
	uint32_t passed = 0, t = circle_start(bounds, view);
	while (t != thread) {
		passed += permits(bounds, rule, view, t);
		t = t + 1 < view->nthreads ? t + 1 : 0;
	}
	return passed;
}

static void fill(const struct mz_bounds *bounds, const struct rule *rule, const struct mz_view *view, uint64_t *allowed)
{
	uint32_t left = UINT32_MAX, t = 0;
	if (bounds->kinds & MZ_BOUND_DELAYS) {
		left = bounds->delays - bounds->nodes[bounds->at].delays;
		t = circle_start(bounds, view);
	}
	for (uint32_t n = 0; n < view->nthreads; n++) {
		if (permits(bounds, rule, view, t)) {
			allowed[t / 64] |= (uint64_t)1 << t % 64;
			if (left-- == 0) return;
		}
		t = t + 1 < view->nthreads ? t + 1 : 0;
	}
}

/* Makes the node of the current depth. Returns false when there is no memory. */
static bool arrive(struct mz_bounds *bounds)
{
	uint32_t depth = bounds->x->depth;
	if (!mz_array_reserve(&bounds->nodes, &bounds->nodes_capacity, (size_t)depth + 2)) return false;
	go_back(bounds, depth ? depth - 1 : 0);
	bounds->at = depth;
	if (depth == 0) {
		bounds->nodes[0] = (struct mz_bound_node){.yielder = MZ_NO_THREAD};
		return true;
	}
	const struct mz_event *last = mz_execution_event(bounds->x, depth - 1);
	bool yields = last->op == MZ_OP_YIELD;
	bounds->nodes[depth].yielder = yields ? last->thread : MZ_NO_THREAD;
	return !yields || add_yield(bounds, last->thread);
}

bool mz_bounds_find_allowed(struct mz_bounds *bounds, const struct mz_view *view, uint64_t *allowed)
{
	for (uint32_t w = 0; w < (view->nthreads + 63) / 64; w++) allowed[w] = 0;
	if (!arrive(bounds)) return false;
	struct rule rule = rule_at(bounds, view);
	if ((bounds->kinds & MZ_BOUND_DEPTH) && bounds->at >= bounds->depth) return true;
	fill(bounds, &rule, view, allowed);
	return true;
}

void mz_bounds_take_step(struct mz_bounds *bounds, const struct mz_view *view, uint32_t thread)
{
	go_back(bounds, bounds->x->depth);
	struct rule rule = rule_at(bounds, view);
	const struct mz_bound_node *node = &bounds->nodes[bounds->at];
	struct mz_bound_node *next = &bounds->nodes[bounds->at + 1];
	next->preemptions = node->preemptions + (node->running != MZ_NO_THREAD && node->running != thread);
	next->delays = node->delays;
	if (bounds->kinds & MZ_BOUND_DELAYS) next->delays += delays_of(bounds, &rule, view, thread);
}
