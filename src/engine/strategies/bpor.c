/* SPDX-License-Identifier: MIT
 *
 * bpor: every happens-before graph that some execution within the bounds has, at least once. Coons, Musuvathi,
 * McKinley: Bounded Partial-Order Reduction, OOPSLA 2013: Algorithm 2 with Algorithm 3 (preemptions), Algorithm 4
 * (fair) or both (Section 5.3), sleep sets, and the optimisations of Sections 5 and 5.4. Without bounds it is DPOR,
 * with reads that commute.
 *
 * As in DPOR, in each new state, for each thread u with an operation pending: before each event i that it depends on u
 * should have gone first, and is added there. But that may take a preemption too many, while the same order of i and u
 * is to be had without if u goes earlier. So there are *conservative* points for the bound's sake alone:
 *
 *   preemptions  u is added also where the last block of steps of one thread began before i, because a switch happened
 *                there anyway. Furthermore, a thread that waits is no longer preempted by a switch. So it matters to
 *                the bound, if not to the program, whether u reached its lock before or after the lock was released,
 *                its join before or after the end of the thread that it joins, and a barrier before or after another
 *                thread: these pairs count as dependent.
 *   switches     The same points, without regard to who waits: a switch costs as much whether it preempts or not.
 *   fair         A thread that is released may be behind in yields, and keep others from going. So every thread that
 *                was enabled before a release is added there.
 *   several      A thread that may not go on because of its yields is not preempted by a switch. So yields matter like
 *                releases.
 *
 * A thread that spins, waiting for a write, is like one that waits for a lock: the write is the release. That a program
 * has such threads turns out on the way.
 *
 * An acquisition is overtaken by what comes before the acquisition it waits for, see execution.h: that the release has
 * a point too is for the bound's sake.
 *
 * Conservative points are held in reserve, and explored only if the bounds refused something from there on (5.4): where
 * they cut nothing this is DPOR. A step that was explored sleeps if they refused nothing below it. It may sleep all the
 * same if no execution in which it comes later is cheaper than the one in which it comes first, see is_cheap().
 *
 * What --no-opt leaves out: `transitive`, then the latest dependent event of each thread is i, even if it happens
 * before u in another way; `disabled`, then all are added where u was not enabled, instead of one that u came to wait
 * for; `release`, then releases are overtaken as anything else, and acquisitions step by step through them;
 * `conservative`, then conservative points are never held back.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "engine/backtracking/points.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

/* The bounds within which a switch may cost something. */
enum { SWITCHING = MZ_BOUND_PREEMPTIONS | MZ_BOUND_SWITCHES };

struct bpor {
	struct mz_execution *x;
	unsigned opts; /* bits of enum mz_opt: the optimisations that are not switched off */
	struct mz_bounds bounds;
	struct mz_backtrack backtrack;
	bool spins;                 /* an operation that awaits a write was seen */
	bool unforeseen;            /* the step under way was chosen when nobody knew what it touches */
	bool restart;               /* such an operation was first seen in the last execution: the search starts over */
	struct mz_points found;     /* scratch: events that a pending operation should have come before */
	struct mz_access *accesses; /* scratch: the accesses of an operation, as if it awaited nothing */
	size_t accesses_capacity;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct bpor *b = self;
	b->x = x;
	b->opts = ~options->no_opt;
	b->spins = options->trunk && options->trunk->trunk->spins;
	mz_bounds_init(&b->bounds, x, options);
	mz_backtrack_init(&b->backtrack, x, options, !options->no_sleep && (b->opts & MZ_OPT_SLEEP));
	if (b->bounds.kinds)
		b->backtrack.bounds = &b->bounds;
	else
		mz_backtrack_promise(&b->backtrack);
	return true;
}

static void release(void *self)
{
	struct bpor *b = self;
	mz_backtrack_release(&b->backtrack);
	mz_bounds_release(&b->bounds);
	mz_points_release(&b->found);
	mz_free(b->accesses);
}

/* --- backtrack points --------------------------------------------------------------------------------------------- */

/* Adds a thread that was enabled to a node, or holds it in reserve there if the point is conservative; add_all() does
 * so with all threads that were enabled. */
static void add(struct bpor *b, uint32_t depth, uint32_t thread, bool conservative)
{
	if (conservative && (b->opts & MZ_OPT_CONSERVATIVE))
		mz_backtrack_reserve(&b->backtrack, depth, thread);
	else
		mz_backtrack_add(&b->backtrack, depth, thread);
}

static void add_all(struct bpor *b, uint32_t depth, bool conservative)
{
	if (conservative && (b->opts & MZ_OPT_CONSERVATIVE))
		mz_backtrack_reserve_all(&b->backtrack, depth);
	else
		mz_backtrack_add_all(&b->backtrack, depth);
}

/* Returns a thread that was enabled at node i, and whose events from there on lead to what u is about to do: one that
 * is covered already, if there is one. Threads that slept on arrival cannot stand for u. MZ_NO_THREAD if there is
 * none. */
static uint32_t leading_to(const struct bpor *b, uint32_t i, uint32_t u)
{
	const struct mz_execution *x = b->x;
	uint32_t leader = MZ_NO_THREAD;
	if (u >= x->nthreads) return leader;
	for (uint32_t k = i; k < x->depth; k++) {
		const struct mz_event_record *r = &x->records[k];
		if (!mz_backtrack_enabled(&b->backtrack, i, r->event.thread)) continue;
		if (mz_event_clock_at(x, x->threads[u].clock, r->event.thread) < r->position) continue;
		if (mz_backtrack_slept_on_arrival(&b->backtrack, i, r->event.thread)) continue;
		leader = r->event.thread;
		if (mz_backtrack_covers(&b->backtrack, i, leader)) break;
	}
	return leader;
}

/* Adds a point because thread u should have gone at node i. */
static void add_point(struct bpor *b, uint32_t i, uint32_t u, bool conservative)
{
	uint32_t thread = u;
	if (!mz_backtrack_enabled(&b->backtrack, i, u))
		thread = b->opts & MZ_OPT_DISABLED ? leading_to(b, i, u) : MZ_NO_THREAD;
	if (thread == MZ_NO_THREAD || mz_backtrack_slept_on_arrival(&b->backtrack, i, thread)) {
		add_all(b, i, conservative);
		return;
	}
	add(b, i, thread, conservative);
	if ((b->bounds.kinds & MZ_BOUND_FAIR) && !mz_backtrack_allowed(&b->backtrack, i, thread)) add_all(b, i, true);
}

/* Adds points because thread u should have come before event i. */
static void overtake(struct bpor *b, uint32_t i, uint32_t u, bool conservative)
{
	if (conservative && !b->bounds.kinds) return;
	add_point(b, i, u, conservative);
	if (i > 0 && (b->bounds.kinds & SWITCHING)) add_point(b, mz_block_before(b->x, i), u, true);
}

/* --- dependency --------------------------------------------------------------------------------------------------- */

/* Returns whether event i happens before everything that the thread has yet to do. */
static bool known(const struct mz_execution *x, uint32_t i, uint32_t thread)
{
	return thread < x->nthreads && mz_event_clock_knows(x, x->threads[thread].clock, &x->records[i]);
}

/* Leaves in b->found the events that DPOR would have the pending operation come before. With `waiting`, releases do not
 * count, but the acquisitions before them do. */
static void find_races(struct bpor *b, uint32_t thread, const struct mz_pending *pending, bool waiting)
{
	size_t count;
	struct mz_pending plain = *pending;
	if (!waiting) plain.op = MZ_OP_ACCESS;
	const uint32_t *races = mz_execution_pending_races(b->x, thread, &plain, &count);
	mz_points_set(&b->found, b->x, races, count);
}

static void overtake_found(struct bpor *b, uint32_t thread, const struct mz_pending *pending)
{
	for (size_t n = 0; n < b->found.count && !b->x->failed; n++) {
		bool released = mz_dependence(mz_execution_event(b->x, b->found.at[n]), pending) == MZ_RELEASED;
		overtake(b, b->found.at[n], thread, released && (b->opts & MZ_OPT_RELEASE));
	}
}

/* Adds points for a pending operation that awaits a write: where it could have come first as well, and, for the bound's
 * sake, at the writes that it waits for. */
static void look_at_waiting(struct bpor *b, uint32_t thread, const struct mz_pending *pending)
{
	find_races(b, thread, pending, true);
	for (size_t n = 0; n < b->found.count && !b->x->failed; n++) overtake(b, b->found.at[n], thread, false);
	if (b->x->failed || !b->bounds.kinds) return;
	if (!mz_array_reserve(&b->accesses, &b->accesses_capacity, pending->naccesses)) {
		b->x->failed = true;
		return;
	}
	struct mz_pending plain = *pending;
	plain.accesses = b->accesses;
	for (unsigned n = 0; n < pending->naccesses; n++) {
		b->accesses[n] = pending->accesses[n];
		b->accesses[n].age = 0;
	}
	find_races(b, thread, &plain, false);
	for (size_t n = 0; n < b->found.count && !b->x->failed; n++) overtake(b, b->found.at[n], thread, true);
}

/* Adds points for a pending operation that is new. */
static void look_at_all(struct bpor *b, uint32_t thread, const struct mz_pending *pending)
{
	if (b->opts & MZ_OPT_TRANSITIVE)
		find_races(b, thread, pending, false);
	else
		mz_points_find_latest(&b->found, b->x, thread, pending);
	overtake_found(b, thread, pending);
	if (!mz_class_waits(mz_op_class((enum mz_op)pending->op)) || !(b->opts & MZ_OPT_RELEASE)) return;
	find_races(b, thread, pending, true);
	overtake_found(b, thread, pending);
}

/* Adds points for a pending operation that was there before the last event. */
static void look_at_last(struct bpor *b, uint32_t thread, const struct mz_pending *pending)
{
	uint32_t last = b->x->depth - 1;
	enum mz_dependence d = mz_dependence(mz_execution_event(b->x, last), pending);
	if (d == MZ_INDEPENDENT) return;
	if ((b->opts & MZ_OPT_TRANSITIVE) && known(b->x, last, thread)) return;
	overtake(b, last, thread, d == MZ_RELEASED && (b->opts & MZ_OPT_RELEASE));
}

/* --- what the last event did to the bounds ------------------------------------------------------------------------ */

/* Returns whether the last event changed nothing about which threads may go, now or later, whatever their yields: its
 * thread can go on before and after it, and no other thread can keep it from doing so. */
static bool keeps_all(const struct bpor *b, const struct mz_view *view)
{
	const struct mz_event *event = mz_execution_event(b->x, b->x->depth - 1);
	enum mz_op_class class = mz_op_class((enum mz_op)event->op);
	if (event->op == MZ_OP_YIELD || mz_class_contends(class)) return false;
	if (!mz_enabled(view, event->thread) || mz_releases(&b->backtrack, view, b->spins)) return false;
	const struct mz_pending *next = &view->pending[event->thread];
	return !mz_class_waits(mz_op_class((enum mz_op)next->op)) &&
	       !mz_accesses_await(next->accesses, next->naccesses);
}

/* Returns whether the last event, t, costs no more when it was executed than it would later: if any execution in
 * which t comes after some steps a that are independent of it is within the bounds, so is the one in which t comes
 * before a.
 *
 * If t releases nobody, whether the threads of a are enabled is all the same before and after t. With the preemption
 * bound: if t continues the running thread it costs nothing, and a starts with a preemption either way; and if nobody
 * was running and t's thread cannot go on, going on with a costs nothing. To come back to t's thread afterwards, or to
 * go on from a to another thread, costs no more than it did to come to t after a and to go on from there. With the fair
 * bound: t's thread is not less ahead in yields after t, or not enabled, and so keeps nobody from going whom it did not
 * before. With both, threads that are kept from going must not be fewer either, for they are those that may be left for
 * free. With the bound on switches it is all the same who is enabled: if t continues the running thread, going on with a
 * costs one switch either way; otherwise a might let t's thread go on, which would cost nothing after t. */
static bool is_cheap(const struct bpor *b, const struct mz_view *view)
{
	uint32_t last = b->x->depth - 1;
	const struct mz_event *event = mz_execution_event(b->x, last);
	uint32_t running = mz_bounds_running(&b->bounds, last);
	if (b->bounds.kinds == MZ_BOUND_SWITCHES) return running == event->thread;
	if (mz_releases(&b->backtrack, view, b->spins)) return false;
	if (!(b->bounds.kinds & SWITCHING)) return true;
	if (b->bounds.kinds == MZ_BOUND_PREEMPTIONS && running == MZ_NO_THREAD) return !mz_enabled(view, event->thread);
	return running == event->thread && (!(b->bounds.kinds & MZ_BOUND_FAIR) || keeps_all(b, view));
}

static void look_back(struct bpor *b, const struct mz_view *view)
{
	uint32_t last = b->x->depth - 1, step = mz_last_step(b->x, b->x->depth);
	/* a step to which branches belong does what its thread does after them, which is not known yet */
	b->backtrack.nodes[last].cheap = mz_view_branching(view) == MZ_NO_THREAD && is_cheap(b, view);
	if (!(b->bounds.kinds & MZ_BOUND_FAIR) || step == MZ_NONE) return;
	bool both = b->bounds.kinds & SWITCHING;
	if (both ? keeps_all(b, view) : !mz_releases(&b->backtrack, view, b->spins)) return;
	add_all(b, step, true);
	if (both && step > 0) add_all(b, mz_block_before(b->x, step), true);
}

/* Adds points for all pending operations in the current state, which is new. */
static void look_around(struct bpor *b, const struct mz_view *view)
{
	if (b->x->depth == 0) return;
	uint32_t last = b->x->depth - 1;
	for (uint32_t t = 0; t < view->nthreads && !b->x->failed; t++) {
		const struct mz_pending *pending = &view->pending[t];
		if (pending->status == MZ_THREAD_ABSENT || !pending->naccesses) continue;
		if (mz_accesses_await(pending->accesses, pending->naccesses)) {
			look_at_waiting(b, t, pending);
			b->restart |= !b->spins && b->bounds.kinds;
			b->spins = true;
		} else if (b->x->records[last].event.thread == t || !mz_backtrack_present(&b->backtrack, last, t))
			look_at_all(b, t, pending);
		else
			look_at_last(b, t, pending);
	}
	if (b->bounds.kinds) look_back(b, view);
}

/* --- the strategy ------------------------------------------------------------------------------------------------- */

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct bpor *b = self;
	struct mz_step step = {MZ_NO_THREAD, 0};
	if (mz_backtrack_is_new(&b->backtrack)) look_around(b, view);
	if (!b->x->failed) step = mz_backtrack_choose(&b->backtrack, view);
	b->unforeseen = step.thread != MZ_NO_THREAD && view->pending[step.thread].op == MZ_OP_ATOMIC;
	return step;
}

/* Adds points for the last event, of which nobody knew what it touches while it was pending: it should have come before
 * each event that it depends on. Its thread is looked at as it was then. */
static void look_at_unforeseen(struct bpor *b)
{
	struct mz_execution *x = b->x;
	uint32_t j = x->depth - 1;
	const struct mz_event event = *mz_execution_event(x, j);
	const struct mz_pending was = {.status = MZ_THREAD_ENABLED,
	                               .op = event.op,
	                               .naccesses = event.naccesses,
	                               .alternatives = event.alternatives,
	                               .accesses = event.accesses};
	struct mz_event_clock after = x->threads[event.thread].clock;
	x->threads[event.thread].clock = x->records[j].known;
	for (uint32_t i = j; i-- > 0 && !x->failed;) {
		const struct mz_event *other = mz_execution_event(x, i);
		if (other->thread == event.thread || mz_dependence(other, &was) == MZ_INDEPENDENT) continue;
		if ((b->opts & MZ_OPT_TRANSITIVE) && known(x, i, event.thread)) continue;
		overtake(b, i, event.thread, false);
	}
	x->threads[event.thread].clock = after;
}

static void observe(void *self)
{
	struct bpor *b = self;
	if (b->unforeseen && !b->x->failed) look_at_unforeseen(b);
}

/* Adds a point where a thread joined another one that had ended before, or came to a barrier as the last one: it could
 * have got there before the other. */
static void order(void *self, uint32_t before, uint32_t after)
{
	struct bpor *b = self;
	const struct mz_execution *x = b->x;
	uint32_t i = b->bounds.kinds & MZ_BOUND_PREEMPTIONS ? mz_not_awaited(x, before, after) : MZ_NONE;
	if (i == MZ_NONE) return;
	const struct mz_event_record *last = &x->records[x->depth - 1], *other = &x->records[i];
	if (mz_event_clock_at(x, last->clock, other->event.thread) < other->position)
		overtake(b, i, last->event.thread, true);
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct bpor *b = self;
	if (mz_backtrack_is_new(&b->backtrack)) look_around(b, view);
	mz_backtrack_end(&b->backtrack, cut);
}

/* Starts over when threads turn out to spin: writes that were taken for harmless so far then count as releases, so what
 * was decided is forgotten. If other workers share the search, all of them have to. */
static bool next(void *self, uint32_t *depth)
{
	struct bpor *b = self;
	struct mz_trunk_worker *trunk = b->backtrack.trunk;
	if (!b->restart) return mz_backtrack_next(&b->backtrack, depth);
	if (trunk) {
		trunk->spins = trunk->outdated = true;
		return false;
	}
	b->restart = false;
	mz_backtrack_restart(&b->backtrack);
	*depth = 0;
	return true;
}

static void leave(void *self)
{
	struct bpor *b = self;
	if (!b->restart) mz_backtrack_leave(&b->backtrack);
}

static uint64_t refused(const void *self)
{
	return ((const struct bpor *)self)->backtrack.refused;
}

extern const struct mz_strategy mz_strategy_bpor_published;

const struct mz_strategy mz_strategy_bpor = {
    .name = "bpor",
    .published = &mz_strategy_bpor_published,
    .foresees = true,
    .size = sizeof(struct bpor),
    .ordered = true,
    .serves = true,
    .shares = true,
    .bounds_shared = MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR,
    .bounds = MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR | MZ_BOUND_SWITCHES,
    .opts = MZ_OPT_SLEEP | MZ_OPT_TRANSITIVE | MZ_OPT_DISABLED | MZ_OPT_RELEASE | MZ_OPT_CONSERVATIVE,
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .next = next,
    .leave = leave,
    .end = end,
    .order = order,
    .refused = refused,
};
