/* SPDX-License-Identifier: MIT
 *
 * The invariants of an execution, against definitions instead of shortcuts. For test builds.
 */
#include "base/bug.h"
#include "engine/execution/conflict.h"
#include "engine/execution/execution.h"

/* Returns whether i, and all that happens before i, happens before j. */
static bool clock_contains(const struct mz_execution *x, uint32_t j, uint32_t i)
{
	const struct mz_event_clock clock = x->records[i].clock;
	for (uint32_t t = 0; t < clock.length; t++) {
		if (t == x->records[j].event.thread || t == x->records[i].event.thread) continue;
		if (mz_event_clock_at(x, x->records[j].clock, t) < x->counts[clock.offset + t]) return false;
	}
	return mz_execution_before(x, i, j);
}

/* Returns whether some event since the awaited read has written the awaited bytes, so that event j may have been
 * enabled. */
static bool may_wake(const struct mz_execution *x, uint32_t j, const struct mz_access *awaited)
{
	uint32_t read = j;
	for (unsigned age = awaited->age; age > 0; age--) read = x->records[read].previous;
	for (uint32_t k = read + 1; k < j; k++) {
		const struct mz_event *event = mz_execution_event(x, k);
		for (unsigned n = 0; n < event->naccesses; n++) {
			const struct mz_access *access = &event->accesses[n];
			uint8_t kind = mz_access_really(access);
			bool writes = kind == MZ_WRITE || kind == MZ_WEAK_WRITE;
			if (writes && access->object == awaited->object && (access->mask & awaited->mask)) return true;
		}
	}
	return false;
}

static void check_await(const struct mz_execution *x, uint32_t j)
{
	const struct mz_event *event = mz_execution_event(x, j);
	bool woken = !mz_accesses_await(event->accesses, event->naccesses);
	for (unsigned n = 0; n < event->naccesses && !woken; n++) {
		woken = event->accesses[n].age && may_wake(x, j, &event->accesses[n]);
	}
	MZ_REQUIRE(woken);
}

static void check_event(const struct mz_execution *x, uint32_t j)
{
	const struct mz_event_record *r = &x->records[j];
	const struct mz_event *event = mz_execution_event(x, j);
	MZ_REQUIRE(event->thread < x->nthreads);
	MZ_REQUIRE(!event->naccesses || event->accesses == x->objects.accesses + r->first_access);
	MZ_REQUIRE(r->position == (r->previous == MZ_NONE ? 1 : x->records[r->previous].position + 1));
	for (uint32_t i = 0; i < j; i++) {
		const struct mz_event *other = mz_execution_event(x, i);
		bool related = other->thread == event->thread || mz_events_conflict(other, event);
		MZ_REQUIRE(!related || clock_contains(x, j, i));
	}
	check_await(x, j);
	size_t count;
	const uint32_t *races = mz_execution_races(x, j, &count);
	for (size_t n = 0; n < count; n++) {
		const struct mz_event *other = mz_execution_event(x, races[n]);
		MZ_REQUIRE(races[n] < j && other->thread != event->thread && mz_events_conflict(other, event));
	}
}

void mz_execution_check(const struct mz_execution *x)
{
	if (!x->ordered) return;
	mz_objects_check(&x->objects, x->depth);
	for (size_t t = 0; t < x->nthreads; t++) {
		const struct mz_thread_state *thread = &x->threads[t];
		if (thread->last == MZ_NONE) {
			MZ_REQUIRE(thread->position == 0);
			continue;
		}
		MZ_REQUIRE(thread->last < x->depth && x->records[thread->last].event.thread == t);
		MZ_REQUIRE(x->records[thread->last].position == thread->position);
	}
	for (uint32_t j = 0; j < x->depth; j++) check_event(x, j);
}
