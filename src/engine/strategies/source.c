/* SPDX-License-Identifier: MIT
 *
 * source: every happens-before graph, none completed twice; some executions are given up half-way because everything
 * that is enabled sleeps. Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets: A Foundation for Optimal Dynamic
 * Partial Order Reduction, JACM 64(4), 2017, Algorithm 1), with locks that block, operations whose outcome depends on
 * where they are, and choices.
 *
 * When event j is executed, each of its races (i, j) is looked at: v are the events between them that do not happen
 * after i, and then j. The executions that begin with v from before i are explored if some *initial* of v is: a thread
 * whose first event in v has nothing of v before it. If no initial was or will be explored at node i, and none is
 * asleep there, the first one is added.
 *
 * Each race is looked at once, when j is new. Nothing has to be tried again later, as `optimal` has to: there a
 * sequence may be covered by an event that is not in it, on the guess that nothing after it conflicts; here only
 * initials count, and an initial of v is one of everything that v may grow into. The exception is j itself, if it was a
 * read and becomes a write before i: an event after j may conflict with that, and belong before it. If j is explored
 * from node i, that will turn out. If it sleeps there, it will not: then everything is explored from there.
 *
 * What j does before i is computed (race.h), and compared with v as a sequence.
 */
#include "engine/backtracking/backtrack_check.h"
#include "engine/backtracking/initials.h"
#include "engine/reversal/race.h"
#include "engine/strategy.h"

struct source {
	struct mz_execution *x;
	struct mz_backtrack backtrack;
	struct mz_reversal reversal;
	struct mz_initials initials;
	bool untold; /* see mz_search_options */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct source *s = self;
	s->x = x;
	s->untold = options->untold;
	mz_backtrack_init(&s->backtrack, x, options, true);
	mz_backtrack_promise(&s->backtrack);
	return true;
}

static void release(void *self)
{
	struct source *s = self;
	mz_backtrack_release(&s->backtrack);
	mz_reversal_release(&s->reversal);
	mz_initials_release(&s->initials);
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct source *s = self;
	return mz_backtrack_choose(&s->backtrack, view);
}

/* --- reversing races ---------------------------------------------------------------------------------------------- */

/* Returns whether the second event of the race is an initial of the reversal too. */
static bool second_is_initial(const struct source *s, const struct mz_race *race, struct mz_event_clock known)
{
	if (!mz_initials_may_have(&s->initials, &s->backtrack, race->first, race->thread, known)) return false;
	const struct mz_sequence *v = &s->reversal.sequence;
	for (size_t n = 0; n + 1 < v->count; n++) {
		const struct mz_event *event = v->at[n].event;
		if (event->thread == race->thread || mz_events_conflict(event, &s->reversal.moved)) return false;
	}
	return true;
}

/* Reverses a race in the first `end` events. The thread of the second event knew `known` before it. */
static void reverse(struct source *s, const struct mz_race *race, uint32_t end, struct mz_event_clock known)
{
	uint32_t i = race->first, initial = MZ_NO_THREAD;
	mz_race_prepare(s->x, race);
	if (mz_initials_covered(&s->initials, &s->backtrack, i, end, &initial)) return;
	if (!mz_reversal_make(&s->reversal, s->x, race, end)) return;
	if (second_is_initial(s, race, known)) {
		if (s->reversal.grown && mz_backtrack_slept_on_arrival(&s->backtrack, i, race->thread)) {
			mz_backtrack_add_all(&s->backtrack, i);
			return;
		}
		if (mz_backtrack_covers(&s->backtrack, i, race->thread)) return;
		if (initial == MZ_NO_THREAD) initial = race->thread;
	}
	/* what the thread waits for cannot come about without event i */
	if (initial == MZ_NO_THREAD && s->untold) return;
	mz_backtrack_add(&s->backtrack, i, initial);
}

static void observe(void *self)
{
	struct source *s = self;
	uint32_t j = s->x->depth - 1;
	size_t count;
	const uint32_t *races = mz_execution_races(s->x, j, &count);
	for (size_t n = 0; n < count && !s->x->failed; n++) {
		struct mz_race race = {races[n], j, mz_execution_event(s->x, j)->thread, NULL};
		reverse(s, &race, j + 1, s->x->records[j].known);
	}
}

/* Reverses the races of operations that were left pending, which could have come before what is in their way: those
 * that are blocked, and those that a limit kept from being executed. */
static void end(void *self, const struct mz_view *view, bool cut)
{
	struct source *s = self;
	for (uint32_t t = 0; t < view->nthreads && !s->x->failed; t++) {
		const struct mz_pending *pending = &view->pending[t];
		bool counts = pending->status == MZ_THREAD_BLOCKED ||
		              (cut && !s->backtrack.gave_up && pending->status == MZ_THREAD_ENABLED);
		bool waits = pending->status == MZ_THREAD_WAITING;
		if (waits) mz_backtrack_check_stop(&s->backtrack);
		if (!counts && !waits) continue;
		size_t count;
		uint32_t end = s->x->depth;
		const uint32_t *races = waits ? mz_execution_possible_blockers(s->x, t, pending, &count, &end)
		                              : mz_execution_pending_races(s->x, t, pending, &count);
		for (size_t n = 0; n < count && !s->x->failed; n++) {
			struct mz_race race = {races[n], MZ_NONE, t, pending};
			reverse(s, &race, end,
			        t < s->x->nthreads ? s->x->threads[t].clock : (struct mz_event_clock){0});
		}
	}
	mz_backtrack_end(&s->backtrack, cut);
}

static bool next(void *self, uint32_t *depth)
{
	return mz_backtrack_next(&((struct source *)self)->backtrack, depth);
}

static void leave(void *self)
{
	mz_backtrack_leave(&((struct source *)self)->backtrack);
}

const struct mz_strategy mz_strategy_source = {
    .name = "source",
    .exact = true,
    .shares = true,
    .size = sizeof(struct source),
    .ordered = true,
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
};
