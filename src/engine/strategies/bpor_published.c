/* SPDX-License-Identifier: MIT
 *
 * bpor as published (--as-published): Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, OOPSLA 2013,
 * Algorithm 2 with Algorithm 3 (preemptions), Algorithm 4 (fair) or both (Section 5.3), and the sleep sets of Section
 * 5.4. None of the optimisations of Sections 5 and 5.4 is here: these are the algorithms that the paper proves, and
 * calls unoptimised. `bpor` itself departs from them, see bpor.c. Without bounds this is Algorithm 2 with the trivial
 * bound: DPOR, unoptimised.
 *
 * What has names in the paper:
 *
 *   Explore            explore(), with mz_backtrack_choose(), which also checks Bv (lines 10 to 13)
 *   Initialize         mz_backtrack_choose() at a new node: the executing thread first, if preemptions are bounded,
 *                      and a thread of lowest cost within the fair bound
 *   Backtrack          backtrack()
 *   AddBacktrackPoint  add_backtrack_point()
 *   pre(S, i)          node i of the backtrack sets
 *
 * Three things are said in a few words only, and this is how they are read. *Release operations* (Definition 4.7): a
 * backtrack set with a release has every enabled thread in it. Algorithm 4 asks whether next(pre(S, i), u) is a release
 * when it adds u; whether a step creates a thread, or ends its own, is known here when the step has been made, so the
 * other threads are added then. *Both bounds* (5.3): "whenever a thread's enabledness changes" is each event after which
 * other threads are enabled than before, and each yield, which changes who may go; every thread is added before it, and
 * where the last block began. *Conservative* (5.4) are the points of line 9 of Algorithm 3, those for releases, and
 * those of 5.3: a thread that was added for such a reason first does not go to sleep.
 *
 * Joins and threads' ends are transitions in the paper. Here they are no events, but a join still depends on the end
 * that it waits for, see order(). So do two arrivals at a barrier, which commute otherwise: whoever comes last does not wait.
 *
 * A sleeping thread is not explored where it is wanted, a step below which the bound refused something sleeps all the
 * same, and a thread that its yields keep from going is not made up for by others: each of that misses graphs. Without
 * sleep sets, Theorem 8 holds.
 */
#include "base/bug.h"
#include "engine/backtracking/points.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

struct published {
	struct mz_execution *x;
	struct mz_bounds bounds;
	struct mz_backtrack backtrack;
	struct mz_points latest; /* scratch */
	bool spins;              /* an operation that awaits a write was seen: writes are releases */
	bool restart;            /* such an operation was first seen in the last execution: the search starts over */
	bool unforeseen;         /* the step under way was chosen when nobody knew what it touches */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct published *p = self;
	p->x = x;
	mz_bounds_init(&p->bounds, x, options);
	mz_backtrack_init(&p->backtrack, x, options, !options->no_sleep && !(options->no_opt & MZ_OPT_SLEEP));
	if (p->bounds.kinds) p->backtrack.bounds = &p->bounds;
	p->backtrack.cheapest = p->bounds.kinds & MZ_BOUND_FAIR;
	return true;
}

static void release(void *self)
{
	struct published *p = self;
	mz_backtrack_release(&p->backtrack);
	mz_bounds_release(&p->bounds);
	mz_points_release(&p->latest);
}

/* --- Algorithms 3 and 4 ------------------------------------------------------------------------------------------- */

static void add(struct published *p, uint32_t i, uint32_t thread, bool conservative)
{
	if (conservative)
		mz_backtrack_add_awake(&p->backtrack, i, thread);
	else
		mz_backtrack_add(&p->backtrack, i, thread);
}

static void add_enabled(struct published *p, uint32_t i, bool conservative)
{
	for (uint32_t thread = 0; thread < 64 * p->backtrack.nodes[i].words; thread++)
		if (mz_backtrack_enabled(&p->backtrack, i, thread)) add(p, i, thread, conservative);
}

static void add_backtrack_point(struct published *p, uint32_t i, uint32_t u, bool conservative)
{
	if (mz_backtrack_enabled(&p->backtrack, i, u))
		add(p, i, u, conservative);
	else
		add_enabled(p, i, conservative);
}

static void backtrack(struct published *p, uint32_t i, uint32_t u)
{
	add_backtrack_point(p, i, u, false);
	if (i > 0 && (p->bounds.kinds & MZ_BOUND_PREEMPTIONS))
		add_backtrack_point(p, mz_block_before(p->x, i), u, true);
}

/* Returns whether other threads are enabled after the last event than before. */
static bool changes_enabled(const struct published *p, const struct mz_view *view)
{
	uint32_t last = p->x->depth - 1;
	bool changes = mz_execution_event(p->x, last)->op == MZ_OP_YIELD;
	for (uint32_t t = 0; t < view->nthreads && !changes; t++)
		changes = mz_enabled(view, t) != mz_backtrack_enabled(&p->backtrack, last, t);
	return changes;
}

/* Adds what the last event demands by what it is: within the fair bound every thread before a release, within both
 * bounds before each change of what is enabled. */
static void look_at_release(struct published *p, const struct mz_view *view)
{
	bool both = p->bounds.kinds & MZ_BOUND_PREEMPTIONS;
	if (!(p->bounds.kinds & MZ_BOUND_FAIR)) return;
	bool releases = mz_releases(&p->backtrack, view, p->spins);
	if (!releases && !(both && changes_enabled(p, view))) return;
	uint32_t step = mz_last_step(p->x, p->x->depth);
	if (step == MZ_NONE) return;
	add_enabled(p, step, true);
	if (both && step > 0) add_enabled(p, mz_block_before(p->x, step), true);
}

/* --- Algorithm 2 -------------------------------------------------------------------------------------------------- */

/* Adds points for the latest event of each thread v that an operation of u depends on. */
static void backtrack_latest(struct published *p, uint32_t u, const struct mz_pending *pending)
{
	mz_points_find_latest(&p->latest, p->x, u, pending);
	for (size_t n = 0; n < p->latest.count && !p->x->failed; n++) backtrack(p, p->latest.at[n], u);
}

/* Adds points for the pending operation of thread u, in a state that is new. If the operation was pending before, only
 * the last event can have become the latest one of its thread. */
static void look_at(struct published *p, uint32_t u, const struct mz_pending *pending)
{
	uint32_t last = p->x->depth - 1;
	const struct mz_event *event = mz_execution_event(p->x, last);
	bool awaits = mz_accesses_await(pending->accesses, pending->naccesses);
	p->restart |= awaits && !p->spins && p->bounds.kinds;
	p->spins |= awaits;
	if (event->thread == u || !mz_backtrack_present(&p->backtrack, last, u))
		backtrack_latest(p, u, pending);
	else if (mz_dependence(event, pending) != MZ_INDEPENDENT)
		backtrack(p, last, u);
}

#ifdef MZ_CHECKS
/* The postconditions of Definitions 5.2 and 5.4, of every state that is visited, by their words: for each thread u and each
 * thread v, the latest event of v that u's operation depends on. Sets only grow until their node is left, so what holds
 * now holds when pre(S, i) is backtracked, as Definitions 5.1 and 5.3 demand. */

/* Returns whether backtrack(pre(S, i)) has the thread: what the bound refuses (line 12) was in it, what sleeps need not
 * be explored. */
static bool has(const struct published *p, uint32_t i, uint32_t thread)
{
	const struct mz_backtrack *b = &p->backtrack;
	return mz_backtrack_covers(b, i, thread) || !mz_backtrack_allowed(b, i, thread);
}

static bool has_enabled(const struct published *p, uint32_t i)
{
	for (uint32_t t = 0; t < 64 * p->backtrack.nodes[i].words; t++)
		if (mz_backtrack_enabled(&p->backtrack, i, t) && !has(p, i, t)) return false;
	return true;
}

static bool has_point(const struct published *p, uint32_t i, uint32_t u)
{
	return mz_backtrack_enabled(&p->backtrack, i, u) ? has(p, i, u) : has_enabled(p, i);
}

static void check_post(const struct published *p, uint32_t u, const struct mz_pending *pending, uint32_t v)
{
	const struct mz_execution *x = p->x;
	uint32_t i = x->depth;
	while (i-- > 0)
		if (x->records[i].event.thread == v && mz_dependence(mz_execution_event(x, i), pending)) break;
	if (i == UINT32_MAX) return;
	MZ_REQUIRE(has_point(p, i, u));
	if (i > 0 && (p->bounds.kinds & MZ_BOUND_PREEMPTIONS)) MZ_REQUIRE(has_point(p, mz_block_before(x, i), u));
}

static void check_posts(const struct published *p, const struct mz_view *view)
{
	bool releases = mz_releases(&p->backtrack, view, p->spins);
	for (uint32_t u = 0; u < view->nthreads && p->x->depth < 60; u++) {
		const struct mz_pending *pending = &view->pending[u];
		if (pending->status == MZ_THREAD_ABSENT || !pending->naccesses) continue;
		for (uint32_t v = 0; v < p->x->nthreads; v++)
			if (v != u) check_post(p, u, pending, v);
	}
	uint32_t step = mz_last_step(p->x, p->x->depth);
	bool fair = p->bounds.kinds & MZ_BOUND_FAIR;
	if (releases && fair && step != MZ_NONE) MZ_REQUIRE(has_enabled(p, step));
}
#endif

/* Adds backtrack points, as lines 4 to 7. */
static void explore(struct published *p, const struct mz_view *view)
{
	if (p->x->depth == 0) return;
	for (uint32_t u = 0; u < view->nthreads && !p->x->failed; u++) {
		const struct mz_pending *pending = &view->pending[u];
		if (pending->status != MZ_THREAD_ABSENT && pending->naccesses) look_at(p, u, pending);
	}
	p->backtrack.nodes[p->x->depth - 1].cheap = true; /* whatever was refused below, the step sleeps */
	if (!p->x->failed) look_at_release(p, view);
#ifdef MZ_CHECKS
	if (!p->x->failed) check_posts(p, view);
#endif
}

/* --- the strategy ------------------------------------------------------------------------------------------------- */

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct published *p = self;
	struct mz_step step = {MZ_NO_THREAD, 0};
	if (mz_backtrack_is_new(&p->backtrack)) explore(p, view);
	if (!p->x->failed) step = mz_backtrack_choose(&p->backtrack, view);
	p->unforeseen = step.thread != MZ_NO_THREAD && view->pending[step.thread].op == MZ_OP_ATOMIC;
	return step;
}

/* Adds points for the last event if nobody knew what it touches while it was pending. */
static void observe(void *self)
{
	struct published *p = self;
	const struct mz_event event = *mz_execution_event(p->x, p->x->depth - 1);
	const struct mz_pending was = {.status = MZ_THREAD_ENABLED,
	                               .op = event.op,
	                               .naccesses = event.naccesses,
	                               .alternatives = event.alternatives,
	                               .accesses = event.accesses};
	if (p->unforeseen && !p->x->failed) backtrack_latest(p, event.thread, &was);
}

/* Adds points where a thread joined another one, on whose last event the join depends, or came to a barrier as the last
 * one. */
static void order(void *self, uint32_t before, uint32_t after)
{
	struct published *p = self;
	uint32_t i = mz_not_awaited(p->x, before, after);
	if (i != MZ_NONE) backtrack(p, i, mz_execution_event(p->x, p->x->depth - 1)->thread);
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct published *p = self;
	if (mz_backtrack_is_new(&p->backtrack)) explore(p, view);
	mz_backtrack_end(&p->backtrack, cut);
}

/* Starts over when threads turn out to spin: what was decided rested on writes that are no releases. */
static bool next(void *self, uint32_t *depth)
{
	struct published *p = self;
	if (!p->restart) return mz_backtrack_next(&p->backtrack, depth);
	p->restart = false;
	mz_backtrack_restart(&p->backtrack);
	*depth = 0;
	return true;
}

static uint64_t refused(const void *self)
{
	return ((const struct published *)self)->backtrack.refused;
}

static bool may_miss(unsigned bounds, bool sleeps)
{
	return sleeps || (bounds & MZ_BOUND_FAIR);
}

const struct mz_strategy mz_strategy_bpor_published = {
    .name = "bpor",
    .foresees = true,
    .size = sizeof(struct published),
    .ordered = true,
    .bounds = MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR,
    .opts = MZ_OPT_SLEEP,
    .may_miss = may_miss,
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .next = next,
    .end = end,
    .order = order,
    .refused = refused,
};
