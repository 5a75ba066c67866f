/* SPDX-License-Identifier: MIT
 *
 * dpor, dpor-cr: every happens-before graph at least once. Classic dynamic partial order reduction (Flanagan,
 * Godefroid, POPL 2005) as given by Saarikivi, Kähkönen, Heljanko: Improving Dynamic Partial Order Reductions for
 * Concolic Testing, ACSD 2012: Figure 2 (`dpor`: all operations on the same object depend on each other) and Figure 3
 * (`dpor-cr`: reads commute), with the sleep sets of Section IV-D unless they are switched off.
 *
 * In each new state, for each thread p with an operation v pending, enabled or not: the latest event i that v depends
 * on, could have been enabled together with v, and does not happen before p, is where v should have come first. A
 * thread is added to the backtrack set there that was enabled and leads to v: p, or one with an event after i that
 * happens before p; nothing if such a one is in it already; all that was enabled if there is none. (So it is in the
 * paper of 2005. Read to the letter, the figures add p only if v itself was enabled, that is, if p has not moved since,
 * and else everything: many more points, and counts far above those that they report.) An acquisition is never enabled
 * together with a release: its i is the latest acquisition, see waiting.h. A pending operation counts as the strongest
 * it may turn out to be, an executed one as what it was.
 *
 * With sleep sets that is not enough. A thread that is asleep where it is wanted is not explored from there, so nobody
 * sees what its operations depend on, and would add for that; and an execution that is given up shows nothing beyond.
 * So for each i that v races with, not only the latest, it is made sure that from there something begins with an
 * initial of "all since i that does not happen after it, then v", as in `source`: that some initial is explored or
 * asleep. This alone would reach every graph; in most places the thread added before is such an initial.
 *
 * An event can change the i of another thread only by being it, so after each event there is one comparison for each
 * thread, and a search for those whose pending operation is new or meets it. Nothing has to be looked at again later:
 * what is added depends on the prefix up to this state only, and each state is new once.
 *
 * An operation that awaits a write could have been enabled together with i if it is enabled also without i and what
 * happens after i. What that holds for can become more with every write. So for these all such i are looked for, in
 * every state. Likewise for what waits for an object that others share: with every event on it.
 *
 * Where it is not known what threads are about to do (hosts say so only with the event), events are looked at when they
 * have been executed. That is later, and so there may be more that v depends on; but what it depends on now is
 * reversed, and the rest is seen there.
 *
 * As published (--as-published), Figures 2 and 3 are run to the letter: i is the latest event that v depends on, a
 * release before an acquisition included; if p was enabled before i and has not moved since, p is added there, and
 * otherwise all that was enabled. With sleep sets, a thread that sleeps where it is added is not explored from there:
 * that misses graphs.
 *
 * The figures keep clocks per thread and object. Those of Figure 3 are the execution's own. For Figure 2 there is a
 * second execution, in which every access is a write; sleep sets are then made of those events, so that both use the
 * same dependency.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "engine/backtracking/backtrack_check.h"
#include "engine/backtracking/initials.h"
#include "engine/backtracking/points.h"
#include "engine/reversal/race.h"
#include "engine/strategy.h"

struct dpor {
	struct mz_execution *real; /* the execution as it happened */
	/* the execution with the dependencies that the strategy sees: the same, or `coarse` */
	struct mz_execution *x;
	struct mz_execution coarse;
	struct mz_access *accesses; /* scratch: the accesses of an operation, as writes */
	size_t accesses_capacity;
	struct mz_backtrack backtrack;
	struct mz_initials initials;
	bool printed;    /* as published */
	bool untold;     /* see mz_search_options */
	bool unforeseen; /* what the step under way does was not known when it was chosen */
};

/* An operation that should have come earlier: pending, or executed just now. */
struct late {
	uint32_t thread;
	struct mz_pending v;
	struct mz_event_clock known; /* what its thread knew before it */
	uint32_t end;                /* number of events before it */
	struct mz_waiting waiting;
	bool
	    executed; /* v was looked at after it was executed: it counts as what it was, not as what it may be elsewhere */
};

static bool init_fine(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dpor *d = self;
	d->real = d->x = x;
	mz_backtrack_init(&d->backtrack, d->x, options, !options->no_sleep);
	mz_backtrack_promise(&d->backtrack);
	d->untold = options->untold;
	return true;
}

static bool init_coarse(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dpor *d = self;
	d->real = x;
	d->x = &d->coarse;
	mz_execution_init(&d->coarse, true);
	mz_backtrack_init(&d->backtrack, d->x, options, !options->no_sleep);
	mz_backtrack_promise(&d->backtrack);
	d->untold = options->untold;
	return true;
}

static bool init_printed_fine(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dpor *d = self;
	d->printed = true;
	d->real = d->x = x;
	mz_backtrack_init(&d->backtrack, d->x, options, !options->no_sleep);
	return true;
}

static bool init_printed_coarse(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dpor *d = self;
	d->printed = true;
	d->real = x;
	d->x = &d->coarse;
	mz_execution_init(&d->coarse, true);
	mz_backtrack_init(&d->backtrack, d->x, options, !options->no_sleep);
	return true;
}

static void release(void *self)
{
	struct dpor *d = self;
	mz_backtrack_release(&d->backtrack);
	mz_initials_release(&d->initials);
	mz_execution_release(&d->coarse);
	mz_free(d->accesses);
}

/* --- dependency --------------------------------------------------------------------------------------------------- */

/* Returns the accesses as the strategy sees them: for `dpor`, all are writes. Returns NULL, and sets `failed`, when
 * there is no memory. */
static const struct mz_access *seen_as(struct dpor *d, const struct mz_access *accesses, unsigned count)
{
	if (d->x == d->real) return accesses;
	if (!mz_array_reserve(&d->accesses, &d->accesses_capacity, count + (size_t)1)) {
		d->x->failed = true;
		return NULL;
	}
	for (unsigned n = 0; n < count; n++) {
		d->accesses[n] = accesses[n];
		d->accesses[n].kind = MZ_WRITE;
		d->accesses[n].really = (uint8_t)(1 + mz_access_really(&accesses[n]));
	}
	return d->accesses;
}

static bool depends(const struct mz_event *event, const struct mz_pending *pending)
{
	enum mz_op_class class = mz_op_class((enum mz_op)pending->op);
	for (unsigned m = 0; m < event->naccesses; m++) {
		const struct mz_access *access = &event->accesses[m];
		for (unsigned n = 0; n < pending->naccesses; n++) {
			if (pending->naccesses == 1 && mz_access_excludes(access, class, &pending->accesses[0]))
				continue;
			if (mz_accesses_conflict(access, &pending->accesses[n])) return true;
		}
	}
	return false;
}

/* Returns whether event i happens before the operation in any case. */
static bool known(const struct mz_execution *x, uint32_t i, const struct late *late)
{
	return mz_event_clock_knows(x, late->known, &x->records[i]);
}

/* --- backtrack points --------------------------------------------------------------------------------------------- */

/* Returns a thread that was enabled before event i and from there leads to the operation: its own thread, or one with
 * an event since then that happens before the operation. Prefers one that is explored from there anyway. MZ_NO_THREAD
 * if there is none. */
static uint32_t who_leads_to(const struct dpor *d, uint32_t i, const struct late *late)
{
	const struct mz_backtrack *b = &d->backtrack;
	uint32_t leads = mz_backtrack_enabled(b, i, late->thread) ? late->thread : MZ_NO_THREAD;
	for (uint32_t k = i + 1; k < late->end; k++) {
		uint32_t other = d->x->records[k].event.thread;
		if (!mz_backtrack_enabled(b, i, other) || !known(d->x, k, late)) continue;
		if (mz_backtrack_has_thread(b, i, other)) return other;
		if (leads == MZ_NO_THREAD && !mz_backtrack_slept_on_arrival(b, i, other)) leads = other;
	}
	return leads;
}

static void add_point(struct dpor *d, uint32_t i, const struct late *late)
{
	uint32_t leads = who_leads_to(d, i, late);
	if (leads != MZ_NO_THREAD)
		mz_backtrack_add(&d->backtrack, i, leads);
	else
		mz_backtrack_add_all(&d->backtrack, i);
}

/* Returns whether v, whose outcome may be a write before event i, could there write bytes that i does not write: then
 * there may be operations that conflict with v and not with i. */
static bool grows(const struct mz_event *i, const struct mz_pending *v)
{
	if (v->partial || mz_event_may_change(i, v->op, v->accesses, v->naccesses)) return true;
	if (!mz_class_has_outcomes(mz_op_class((enum mz_op)v->op))) return false;
	for (unsigned n = 0; n < v->naccesses; n++) {
		uint8_t apart = v->accesses[n].mask;
		for (unsigned m = 0; m < i->naccesses; m++) {
			const struct mz_access *access = &i->accesses[m];
			bool same = access->object == v->accesses[n].object && access->kind == MZ_WRITE;
			if (same) apart &= (uint8_t)~access->mask;
		}
		if (apart) return true;
	}
	return false;
}

/* Returns whether v is an initial: whether it could come first among the events since i that do not happen after i. */
static bool is_initial(const struct dpor *d, uint32_t i, const struct late *late)
{
	const struct mz_execution *x = d->x;
	if (!mz_initials_may_have(&d->initials, &d->backtrack, i, late->thread, late->known)) return false;
	bool changes = late->v.partial ||
	               mz_event_may_change(mz_execution_event(x, i), late->v.op, late->v.accesses, late->v.naccesses);
	for (uint32_t k = i + 1; k < late->end; k++) {
		if (!mz_execution_in_reversal(x, i, k)) continue;
		if (x->records[k].event.thread == late->thread) return false;
		if (depends(mz_execution_event(x, k), &late->v)) return false;
		if (x->records[k].event.naccesses && changes) return false;
	}
	return true;
}

/* Makes sure that an initial of the sequence that leads to v without event i is explored from before i, or asleep
 * there. */
static void add_initial(struct dpor *d, uint32_t i, const struct late *late)
{
	struct mz_backtrack *b = &d->backtrack;
	uint32_t thread = late->thread, initial = MZ_NO_THREAD;
	if (mz_initials_covered(&d->initials, b, i, late->end, &initial)) return;
	bool leads = is_initial(d, i, late);
	if (!leads && initial != MZ_NO_THREAD)
		mz_backtrack_add(b, i, initial);
	else if (!leads ||
	         (mz_backtrack_slept_on_arrival(b, i, thread) && grows(mz_execution_event(d->x, i), &late->v)))
		mz_backtrack_add_all(b, i);
	else
		mz_backtrack_add(b, i, thread);
}

static void reverse(struct dpor *d, const struct late *late, const uint32_t *races, size_t count)
{
	bool all = mz_accesses_await(late->v.accesses, late->v.naccesses) || mz_class_waits(late->waiting.class);
	/* before the latest event it may do less, and so race with the other events no more */
	all |= (late->v.naccesses > 1 || late->executed) && mz_class_has_outcomes(late->waiting.class);
	all |= late->v.op == MZ_OP_ATOMIC;
	/* before the latest event it may have to wait for something that the host does not tell, but not before
	 * another */
	all |= d->untold && !d->backtrack.sleeps;
	for (size_t n = 0; n < count && !d->x->failed; n++) {
		mz_waiting_prepare(d->x, &late->waiting, races[n]);
		bool missing = mz_backtrack_slept_on_arrival(&d->backtrack, races[n], late->thread);
		if ((n == 0 || all) && !missing) add_point(d, races[n], late);
		if (d->backtrack.sleeps) add_initial(d, races[n], late);
	}
}

/* Adds what lines 7 to 11 of Figure 2, and 11 to 15 of Figure 3, add before event i: the thread, if its operation was
 * enabled there, and else all that was. */
static void add_printed(struct dpor *d, uint32_t i, uint32_t thread)
{
	uint32_t last = thread < d->x->nthreads ? d->x->threads[thread].last : MZ_NONE;
	bool moved = last != MZ_NONE && last > i;
	if (!moved && mz_backtrack_enabled(&d->backtrack, i, thread))
		mz_backtrack_add(&d->backtrack, i, thread);
	else
		mz_backtrack_add_all(&d->backtrack, i);
}

/* Adds points before the latest event that the operation depends on and that does not happen before it: L in Figure 2,
 * the latest of LR and LW in Figure 3. An operation of the paper uses one object; one that uses several, or awaits a
 * write, depends on events that are not ordered with each other, and gets points before all of them. */
static void look_at_printed(struct dpor *d, const struct late *late)
{
	bool one = late->v.naccesses == 1 && late->v.op != MZ_OP_ATOMIC;
	bool all = !one || mz_accesses_await(late->v.accesses, late->v.naccesses);
	for (uint32_t i = late->end; i-- > 0 && !d->x->failed;) {
		const struct mz_event *event = mz_execution_event(d->x, i);
		if (event->thread == late->thread || mz_dependence(event, &late->v) == MZ_INDEPENDENT) continue;
		if (known(d->x, i, late)) continue;
		add_printed(d, i, late->thread);
		if (!all) return;
	}
}

static void look_at(struct dpor *d, uint32_t thread, const struct mz_pending *pending)
{
	uint32_t last = d->x->depth - 1;
	struct late late = {.thread = thread, .v = *pending, .end = d->x->depth};
	if (thread < d->x->nthreads) late.known = d->x->threads[thread].clock;
	late.waiting = mz_waiting_pending(d->x, thread, pending);
	late.v.accesses = seen_as(d, pending->accesses, pending->naccesses);
	if (!late.v.accesses && late.v.naccesses) return;
	bool new = d->x->records[last].event.thread == thread || !mz_backtrack_present(&d->backtrack, last, thread);
	bool awaits = mz_accesses_await(late.v.accesses, late.v.naccesses);
	if (d->printed) {
		bool met = mz_dependence(mz_execution_event(d->x, last), &late.v) != MZ_INDEPENDENT;
		if (new || awaits || met) look_at_printed(d, &late);
		return;
	}
	if (!new && !awaits && (!depends(mz_execution_event(d->x, last), &late.v) || known(d->x, last, &late))) return;
	size_t count;
	const uint32_t *races = mz_execution_pending_races(d->x, thread, &late.v, &count);
	reverse(d, &late, races, count);
}

/* Adds points for the last event, which was not looked at while it was pending. */
static void look_back(struct dpor *d)
{
	uint32_t j = d->x->depth - 1;
	const struct mz_event *event = mz_execution_event(d->x, j);
	const struct late late = {event->thread,
	                          {.status = MZ_THREAD_ENABLED,
	                           .op = event->op,
	                           .naccesses = event->naccesses,
	                           .alternatives = event->alternatives,
	                           .accesses = event->accesses},
	                          d->x->records[j].known,
	                          j,
	                          mz_waiting_executed(d->x, j),
	                          true};
	size_t count;
	if (d->printed) {
		look_at_printed(d, &late);
		return;
	}
	const uint32_t *races = mz_execution_races(d->x, j, &count);
	reverse(d, &late, races, count);
}

/* Adds points for all pending operations in the current state, which is new. */
static void look_around(struct dpor *d, const struct mz_view *view)
{
	if (d->x->depth == 0) return;
	for (uint32_t t = 0; t < view->nthreads && !d->x->failed; t++) {
		const struct mz_pending *pending = &view->pending[t];
		bool present = pending->status == MZ_THREAD_BLOCKED || pending->status == MZ_THREAD_ENABLED;
		if (present && pending->naccesses) look_at(d, t, pending);
	}
}

/* Adds points for a thread that waits at the end without a known reason: it may have been able to go on before any
 * event. */
static void look_at_waiting(struct dpor *d, uint32_t thread, const struct mz_pending *pending)
{
	size_t count;
	struct late late = {.thread = thread, .v = *pending};
	mz_backtrack_check_stop(&d->backtrack);
	const uint32_t *races = mz_execution_possible_blockers(d->x, thread, pending, &count, &late.end);
	if (thread < d->x->nthreads) late.known = d->x->threads[thread].clock;
	late.waiting = mz_waiting_pending(d->x, thread, pending);
	for (size_t n = 0; n < count && !d->x->failed; n++) {
		if (!mz_backtrack_slept_on_arrival(&d->backtrack, races[n], thread)) add_point(d, races[n], &late);
		if (d->backtrack.sleeps) add_initial(d, races[n], &late);
	}
}

static void pass_failure(struct dpor *d)
{
	if (d->x->failed) d->real->failed = true;
}

/* --- the strategy ------------------------------------------------------------------------------------------------- */

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct dpor *d = self;
	if (mz_backtrack_is_new(&d->backtrack)) look_around(d, view);
	struct mz_step step = {MZ_NO_THREAD, 0};
	if (!d->x->failed) step = mz_backtrack_choose(&d->backtrack, view);
	const struct mz_pending *pending = step.thread != MZ_NO_THREAD ? &view->pending[step.thread] : NULL;
	d->unforeseen = pending && (pending->naccesses == 0 || pending->partial);
	pass_failure(d);
	return step;
}

static void observe(void *self)
{
	struct dpor *d = self;
	if (d->x != d->real) {
		struct mz_event event = *mz_execution_event(d->real, d->real->depth - 1);
		event.accesses = seen_as(d, event.accesses, event.naccesses);
		if (!d->x->failed) mz_execution_observe(d->x, &event);
	}
	if (d->unforeseen && !d->x->failed) look_back(d);
	pass_failure(d);
}

static void order(void *self, uint32_t before, uint32_t after)
{
	struct dpor *d = self;
	if (d->x != d->real) mz_execution_order(d->x, before, after);
	pass_failure(d);
}

static void note_waker(void *self, uint32_t event, uint32_t since, const struct mz_event *second)
{
	struct dpor *d = self;
	if (d->x == d->real) return;
	struct mz_event coarse = *second;
	coarse.reads = coarse.writes = 0;
	coarse.accesses = seen_as(d, second->accesses, second->naccesses);
	if (!d->x->failed) mz_execution_note_waker(d->x, event, since, &coarse);
	pass_failure(d);
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct dpor *d = self;
	if (mz_backtrack_is_new(&d->backtrack)) look_around(d, view);
	for (uint32_t t = 0; t < view->nthreads && !d->x->failed && !d->printed; t++)
		if (view->pending[t].status == MZ_THREAD_WAITING) look_at_waiting(d, t, &view->pending[t]);
	mz_backtrack_end(&d->backtrack, cut);
	pass_failure(d);
}

static bool next(void *self, uint32_t *depth)
{
	struct dpor *d = self;
	bool more = mz_backtrack_next(&d->backtrack, depth);
	if (more && d->x != d->real) mz_execution_rewind(d->x, *depth);
	pass_failure(d);
	return more;
}

static void leave(void *self)
{
	mz_backtrack_leave(&((struct dpor *)self)->backtrack);
}

static bool may_miss(unsigned bounds, bool sleeps)
{
	(void)bounds;
	return sleeps;
}

static const struct mz_strategy dpor_published = {
    .name = "dpor",
    .foresees = true,
    .size = sizeof(struct dpor),
    .may_miss = may_miss,
    .init = init_printed_coarse,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .order = order,
    .note_waker = note_waker,
};

static const struct mz_strategy dpor_cr_published = {
    .name = "dpor-cr",
    .foresees = true,
    .size = sizeof(struct dpor),
    .ordered = true,
    .may_miss = may_miss,
    .init = init_printed_fine,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
};

const struct mz_strategy mz_strategy_dpor = {
    .name = "dpor",
    .published = &dpor_published,
    .shares = true,
    .size = sizeof(struct dpor),
    .init = init_coarse,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
    .order = order,
    .note_waker = note_waker,
};

const struct mz_strategy mz_strategy_dpor_cr = {
    .name = "dpor-cr",
    .published = &dpor_cr_published,
    .shares = true,
    .size = sizeof(struct dpor),
    .ordered = true,
    .init = init_fine,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
};
