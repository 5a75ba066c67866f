/* SPDX-License-Identifier: MIT */
#include "engine/scheduling/bound.h"
#include "base/alloc.h"
#include "base/array.h"
#include "engine/scheduling/alternatives.h"
#include "engine/scheduling/preference.h"

extern const struct mz_bound mz_bound_preemptions, mz_bound_fair, mz_bound_delays, mz_bound_depth, mz_bound_switches;

static const struct mz_bound *const all[MZ_BOUND_COUNT] = {
    [MZ_BOUND_BIT_PREEMPTIONS] = &mz_bound_preemptions, [MZ_BOUND_BIT_FAIR] = &mz_bound_fair,
    [MZ_BOUND_BIT_DELAYS] = &mz_bound_delays,           [MZ_BOUND_BIT_DEPTH] = &mz_bound_depth,
    [MZ_BOUND_BIT_SWITCHES] = &mz_bound_switches,
};

const struct mz_bound *mz_bound_at(size_t n)
{
	return n < MZ_BOUND_COUNT ? all[n] : NULL;
}

void mz_bounds_init(struct mz_bounds *bounds, const struct mz_execution *x, const struct mz_search_options *options)
{
	bounds->x = x;
	bounds->kinds = mz_bounds_given(options);
	bounds->limit[MZ_BOUND_BIT_PREEMPTIONS] = options->preemptions;
	bounds->limit[MZ_BOUND_BIT_FAIR] = options->yields;
	bounds->limit[MZ_BOUND_BIT_DELAYS] = options->delays;
	bounds->limit[MZ_BOUND_BIT_DEPTH] = options->max_depth;
	bounds->limit[MZ_BOUND_BIT_SWITCHES] = options->switches;
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

uint32_t mz_bound_yielded(const struct mz_bound_state *state, uint32_t thread)
{
	return yielded(state->bounds, thread);
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

static uint32_t least_yielded(const struct mz_bounds *bounds, const struct mz_view *view)
{
	uint32_t least = UINT32_MAX;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (mz_enabled(view, t) && yielded(bounds, t) < least) least = yielded(bounds, t);
	}
	return least;
}

/* --- who may go --------------------------------------------------------------------------------------------------- */

bool mz_bound_permits(const struct mz_bound_state *state, uint32_t thread, unsigned kinds)
{
	if (!mz_enabled(state->view, thread)) return false;
	if (state->branching != MZ_NO_THREAD) return thread == state->branching;
	for (unsigned left = kinds & state->bounds->kinds; left; left &= left - 1) {
		int n = __builtin_ctz(left);
		if (all[n]->cost(state, thread, state->node->cost[n]) > state->bounds->limit[n]) return false;
	}
	return true;
}

/* Returns what the execution costs when the thread goes, by the n-th bound. */
static uint32_t cost_of(const struct mz_bound_state *state, int n, uint32_t thread)
{
	uint32_t before = state->node->cost[n];
	return state->branching != MZ_NO_THREAD ? before : all[n]->cost(state, thread, before);
}

/* Returns the thread that is preempted if another one goes: the last one, unless its yields keep it from going. */
static uint32_t running_in(const struct mz_bound_state *state)
{
	if (state->branching != MZ_NO_THREAD) return state->branching;
	bool goes_on = state->last && mz_bound_permits(state, state->last->thread, MZ_BOUND_FAIR);
	return goes_on ? state->last->thread : MZ_NO_THREAD;
}

/* Returns the state at the current depth, and notes which thread is preempted if another one goes. */
static struct mz_bound_state state_at(struct mz_bounds *bounds, const struct mz_view *view)
{
	struct mz_bound_node *node = &bounds->nodes[bounds->at];
	struct mz_bound_state state = {
	    .bounds = bounds, .view = view, .node = node, .branching = mz_view_branching(view)};
	if (node->last != MZ_NONE) state.last = mz_execution_event(bounds->x, node->last);
	if (bounds->kinds & MZ_BOUND_FAIR) state.least_yielded = least_yielded(bounds, view);
	node->running = running_in(&state);
	return state;
}

/* Makes the node of the current depth. Returns false when there is no memory. */
static bool arrive(struct mz_bounds *bounds)
{
	uint32_t depth = bounds->x->depth;
	if (!mz_array_reserve(&bounds->nodes, &bounds->nodes_capacity, (size_t)depth + 2)) return false;
	go_back(bounds, depth ? depth - 1 : 0);
	bounds->at = depth;
	if (depth == 0) {
		bounds->nodes[0] = (struct mz_bound_node){.yielder = MZ_NO_THREAD, .last = MZ_NONE};
		return true;
	}
	const struct mz_event *last = mz_execution_event(bounds->x, depth - 1);
	bool yields = last->op == MZ_OP_YIELD;
	bounds->nodes[depth].yielder = yields ? last->thread : MZ_NO_THREAD;
	bounds->nodes[depth].last = last->condition ? bounds->nodes[depth - 1].last : depth - 1;
	return !yields || add_yield(bounds, last->thread);
}

bool mz_bounds_find_allowed(struct mz_bounds *bounds, const struct mz_view *view, uint64_t *allowed)
{
	for (uint32_t w = 0; w < (view->nthreads + 63) / 64; w++) allowed[w] = 0;
	if (!arrive(bounds)) return false;
	const struct mz_bound_state state = state_at(bounds, view);
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (mz_bound_permits(&state, t, bounds->kinds)) allowed[t / 64] |= (uint64_t)1 << t % 64;
	return true;
}

uint32_t mz_bounds_cost(struct mz_bounds *bounds, const struct mz_view *view, enum mz_bound_bit bit, uint32_t thread)
{
	const struct mz_bound_state state = state_at(bounds, view);
	return cost_of(&state, (int)bit, thread);
}

void mz_bounds_take_step(struct mz_bounds *bounds, const struct mz_view *view, uint32_t thread)
{
	go_back(bounds, bounds->x->depth);
	const struct mz_bound_state state = state_at(bounds, view);
	struct mz_bound_node *next = &bounds->nodes[bounds->at + 1];
	for (unsigned left = bounds->kinds; left; left &= left - 1) {
		int n = __builtin_ctz(left);
		next->cost[n] = cost_of(&state, n, thread);
	}
}
