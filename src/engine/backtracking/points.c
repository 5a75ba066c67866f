/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/points.h"
#include "base/alloc.h"
#include "base/array.h"

enum mz_dependence mz_dependence(const struct mz_event *event, const struct mz_pending *pending)
{
	enum mz_op_class class = mz_op_class((enum mz_op)pending->op);
	enum mz_dependence found = MZ_INDEPENDENT;
	for (unsigned m = 0; m < event->naccesses; m++) {
		const struct mz_access *access = &event->accesses[m];
		for (unsigned n = 0; n < pending->naccesses; n++) {
			if (!mz_accesses_conflict(access, &pending->accesses[n])) continue;
			if (n > 0 || !mz_access_excludes(access, class, &pending->accesses[0])) return MZ_DEPENDENT;
			found = MZ_RELEASED;
		}
	}
	return found;
}

/* --- lists of events ---------------------------------------------------------------------------------------------- */

void mz_points_release(struct mz_points *points)
{
	mz_free(points->at);
}

/* Adds an event to the list. Returns false when there is no memory: then the execution has failed. */
static bool add(struct mz_points *points, struct mz_execution *x, uint32_t event)
{
	if (!mz_array_reserve(&points->at, &points->capacity, points->count + 1)) {
		x->failed = true;
		return false;
	}
	points->at[points->count++] = event;
	return true;
}

void mz_points_set(struct mz_points *points, struct mz_execution *x, const uint32_t *events, size_t count)
{
	points->count = 0;
	for (size_t n = 0; n < count; n++)
		if (!add(points, x, events[n])) return;
}

void mz_points_find_latest(struct mz_points *points, struct mz_execution *x, uint32_t thread,
                           const struct mz_pending *pending)
{
	points->count = 0;
	for (uint32_t i = x->depth; i-- > 0 && !x->failed;) {
		const struct mz_event *event = mz_execution_event(x, i);
		bool seen = event->thread == thread;
		for (size_t n = 0; n < points->count && !seen; n++)
			seen = x->records[points->at[n]].event.thread == event->thread;
		if (!seen && mz_dependence(event, pending) != MZ_INDEPENDENT) add(points, x, i);
	}
}

uint32_t mz_last_step(const struct mz_execution *x, uint32_t i)
{
	while (i > 0 && x->records[i - 1].event.condition) i--;
	return i > 0 ? i - 1 : MZ_NONE;
}

uint32_t mz_block_before(const struct mz_execution *x, uint32_t i)
{
	uint32_t first = i, j = i;
	while ((j = mz_last_step(x, j)) != MZ_NONE) {
		if (first < i && x->records[j].event.thread != x->records[first].event.thread) break;
		first = j;
	}
	return first;
}

uint32_t mz_not_awaited(const struct mz_execution *x, uint32_t before, uint32_t after)
{
	if (x->depth == 0) return MZ_NONE;
	const struct mz_event *last = mz_execution_event(x, x->depth - 1);
	uint32_t other = before == last->thread ? after : before;
	uint32_t i = other < x->nthreads ? x->threads[other].last : MZ_NONE;
	if (i != MZ_NONE && mz_execution_event(x, i)->condition) i = mz_last_step(x, i);
	if (i == MZ_NONE) return MZ_NONE;
	bool meets = last->op == MZ_OP_ARRIVE && mz_execution_event(x, i)->op == MZ_OP_ARRIVE;
	return after == last->thread || meets ? i : MZ_NONE;
}

/* --- releases ----------------------------------------------------------------------------------------------------- */

static bool writes(const struct mz_event *event)
{
	for (unsigned n = 0; n < event->naccesses; n++) {
		if (event->accesses[n].kind == MZ_WRITE || event->accesses[n].kind == MZ_WEAK_WRITE) return true;
	}
	return false;
}

/* Returns whether the event changed the state of a synchronization object, or, with `more`, made it larger. */
static bool has_effect(const struct mz_event *event, bool more)
{
	for (unsigned n = 0; n < event->naccesses; n++) {
		if (more ? event->accesses[n].effect > 0 : event->accesses[n].effect != 0) return true;
	}
	return false;
}

/* Returns whether the event may have let a thread pass that waits for an object. An operation that takes from one
 * object lets nobody pass there, but it may add to another object. */
static bool lets_pass(const struct mz_event *event)
{
	switch (mz_op_class((enum mz_op)event->op)) {
	case MZ_CLASS_WAKE: return true;
	case MZ_CLASS_FIXED: return has_effect(event, false);
	case MZ_CLASS_TAKE:
	case MZ_CLASS_TRY_TAKE: return has_effect(event, true);
	default: return false;
	}
}

bool mz_releases(const struct mz_backtrack *b, const struct mz_view *view, bool spins)
{
	uint32_t last = b->x->depth - 1;
	const struct mz_event *event = mz_execution_event(b->x, last);
	if (lets_pass(event)) return true;
	if (spins && writes(event)) return true;
	if (event->thread >= view->nthreads || view->pending[event->thread].status == MZ_THREAD_ABSENT) return true;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		bool present = view->pending[t].status != MZ_THREAD_ABSENT;
		if (present && !mz_backtrack_present(b, last, t)) return true;
	}
	return false;
}
