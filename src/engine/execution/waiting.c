/* SPDX-License-Identifier: MIT */
#include "engine/execution/waiting.h"

/* ---- states ---- */

struct mz_waiting mz_waiting_new(struct mz_execution *x, const struct mz_event *event)
{
	return (struct mz_waiting){.class = mz_op_class((enum mz_op)event->op),
	                           .latest = mz_objects_latest(&x->objects, event->accesses[0].object),
	                           .state = event->accesses[0].before,
	                           .expected = event->accesses[0].expected,
	                           .enabled = true,
	                           .thread = event->thread,
	                           .known = x->threads[event->thread].clock};
}

struct mz_waiting mz_waiting_executed(const struct mz_execution *x, uint32_t j)
{
	const struct mz_event_record *r = &x->records[j];
	if (!r->event.naccesses) return (struct mz_waiting){.class = MZ_CLASS_LOCAL, .latest = MZ_NONE};
	return (struct mz_waiting){.class = mz_op_class((enum mz_op)r->event.op),
	                           .latest = x->objects.links[r->first_access].previous,
	                           .state = r->event.accesses[0].before,
	                           .expected = r->event.accesses[0].expected,
	                           .enabled = true,
	                           .thread = r->event.thread,
	                           .known = r->known};
}

struct mz_waiting mz_waiting_pending(struct mz_execution *x, uint32_t thread, const struct mz_pending *pending)
{
	struct mz_waiting waiting = {.class = mz_op_class((enum mz_op)pending->op),
	                             .latest = MZ_NONE,
	                             .enabled = pending->status == MZ_THREAD_ENABLED,
	                             .thread = thread};
	if (thread < x->nthreads) waiting.known = x->threads[thread].clock;
	if (!pending->naccesses) return waiting;
	waiting.expected = pending->accesses[0].expected;
	waiting.latest = mz_objects_latest(&x->objects, pending->accesses[0].object);
	if (waiting.latest == MZ_NONE) return waiting;
	const struct mz_access *last = &x->objects.accesses[waiting.latest];
	waiting.state = last->before + (uint64_t)(int64_t)last->effect;
	return waiting;
}

uint64_t mz_waiting_state(const struct mz_execution *x, const struct mz_waiting *waiting, uint32_t i)
{
	const struct mz_objects *objects = &x->objects;
	uint64_t state = waiting->state;
	for (uint32_t a = waiting->latest; a != MZ_NONE && objects->links[a].event >= i; a = objects->links[a].previous)
		if (!mz_execution_in_reversal(x, i, objects->links[a].event))
			state -= (uint64_t)(int64_t)objects->accesses[a].effect;
	return state;
}

/* Returns whether an event happens before the operation in any case. */
static bool is_known(const struct mz_execution *x, const struct mz_waiting *waiting, uint32_t event)
{
	const struct mz_event_record *r = &x->records[event];
	return r->event.thread == waiting->thread || mz_event_clock_knows(x, waiting->known, r);
}

/* ---- locks that are shared ---- */

/* Returns whether the thread that got the lock with access `got` gives it back in what is left without event i. */
static bool is_given_back(const struct mz_execution *x, uint32_t latest, uint32_t i, uint32_t got)
{
	const struct mz_objects *objects = &x->objects;
	uint32_t thread = x->records[objects->links[got].event].event.thread, returns = 0;
	for (uint32_t a = latest; a != got; a = objects->links[a].previous) {
		uint32_t event = objects->links[a].event;
		int effect = objects->accesses[a].effect;
		if (x->records[event].event.thread != thread || !mz_execution_in_reversal(x, i, event)) continue;
		if (effect < 0)
			returns++;
		else if (effect > 0 && returns)
			returns--;
	}
	return returns;
}

/* Returns the latest event, in what is left without event i, that gets the lock after i and whose thread does not give
 * it back there; or MZ_NONE. */
static uint32_t latest_holder(const struct mz_execution *x, uint32_t latest, uint32_t i)
{
	const struct mz_objects *objects = &x->objects;
	for (uint32_t a = latest; a != MZ_NONE && objects->links[a].event > i; a = objects->links[a].previous) {
		uint32_t event = objects->links[a].event;
		bool gets = objects->accesses[a].effect > 0 && objects->accesses[a].kind == MZ_WEAK_WRITE;
		if (gets && mz_execution_in_reversal(x, i, event) && !is_given_back(x, latest, i, a)) return event;
	}
	return MZ_NONE;
}

/* Returns whether the operation could come before event i, and sets x->dropped to what else has to be left out for
 * that. */
static bool passes(struct mz_execution *x, const struct mz_waiting *waiting, uint32_t i)
{
	x->dropped.count = 0;
	if (waiting->latest == MZ_NONE) return waiting->enabled;
	while (!mz_class_passes(waiting->class, mz_waiting_state(x, waiting, i), waiting->expected)) {
		uint32_t holder = MZ_NONE;
		if (waiting->class == MZ_CLASS_ACQUIRE) holder = latest_holder(x, waiting->latest, i);
		if (holder == MZ_NONE || is_known(x, waiting, holder)) return false;
		if (!mz_events_add(&x->dropped, holder)) {
			x->failed = true;
			return false;
		}
	}
	return true;
}

/* Returns whether an access is not weak: then every later use of the object happens after it. */
static bool is_strong(uint8_t kind)
{
	return kind == MZ_READ || kind == MZ_WRITE;
}

void mz_waiting_prepare(struct mz_execution *x, const struct mz_waiting *waiting, uint32_t i)
{
	const struct mz_event *event = mz_execution_event(x, i);
	x->dropped.count = 0;
	if (waiting->class != MZ_CLASS_ACQUIRE || waiting->latest == MZ_NONE) return;
	uint64_t object = x->objects.accesses[waiting->latest].object;
	for (unsigned n = 0; n < event->naccesses; n++) {
		if (event->accesses[n].object == object && is_strong(event->accesses[n].kind)) return;
	}
	passes(x, waiting, i);
}

/* ---- any of several objects ---- */

/* Returns the state of an object without event i and what happens after it; if no event has used the object, the state
 * in which the operation finds it. */
static uint64_t state_without(struct mz_execution *x, const struct mz_access *access, uint32_t i)
{
	struct mz_waiting one = {.latest = mz_objects_latest(&x->objects, access->object), .state = access->before};
	if (one.latest == MZ_NONE) return one.state;
	const struct mz_access *last = &x->objects.accesses[one.latest];
	one.state = last->before + (uint64_t)(int64_t)last->effect;
	return mz_waiting_state(x, &one, i);
}

static bool gets_any(struct mz_execution *x, const struct mz_access *accesses, unsigned naccesses, uint32_t i)
{
	x->dropped.count = 0;
	for (unsigned n = 0; n < naccesses; n++) {
		uint64_t state = state_without(x, &accesses[n], i);
		if (mz_class_passes(MZ_CLASS_ANY, state, accesses[n].expected)) return true;
	}
	return false;
}

/* ---- races ---- */

/* The operation j whose races are looked for. */
struct waiter {
	const struct mz_waiting *waiting;
	const struct mz_access *accesses;
	unsigned naccesses;
};

/* Returns whether the operation could come before the event of access `a`, which its n-th access conflicts with. */
static bool could_precede(struct mz_execution *x, const struct waiter *j, unsigned n, uint32_t a)
{
	const struct mz_access *access = &x->objects.accesses[a];
	uint32_t event = x->objects.links[a].event;
	if (j->waiting->class == MZ_CLASS_ANY) return gets_any(x, j->accesses, j->naccesses, event);
	if (n == 0 && is_strong(access->kind))
		return mz_class_passes(j->waiting->class, access->before, j->waiting->expected);
	return passes(x, j->waiting, event);
}

/* Appends to x->rivals the events of a lane that the n-th access of the operation conflicts with and that the operation
 * could come before. The search ends at a write that covers the access and that the operation could come before or
 * knows of. */
static bool add_rivals(struct mz_execution *x, const struct waiter *j, unsigned n, uint32_t lane)
{
	const struct mz_objects *objects = &x->objects;
	const struct mz_waiting *waiting = j->waiting;
	const struct mz_access *access = &j->accesses[n];
	for (uint32_t a = objects->lanes[lane].head; a != MZ_NONE; a = objects->links[a].previous) {
		uint32_t event = objects->links[a].event;
		uint8_t kind = objects->accesses[a].kind;
		bool ends = kind == MZ_WRITE && !(access->mask & ~objects->lanes[lane].mask);
		if (is_known(x, waiting, event)) {
			if (ends) return true;
			continue;
		}
		if (!mz_kinds_conflict(access->kind, kind) || !could_precede(x, j, n, a)) continue;
		if (!mz_events_add(&x->rivals, event)) x->failed = true;
		if (ends || x->failed) return !x->failed;
	}
	return !x->failed;
}

bool mz_waiting_races(struct mz_execution *x, const struct mz_waiting *waiting, const struct mz_access *accesses,
                      unsigned naccesses)
{
	const struct waiter j = {waiting, accesses, naccesses};
	x->rivals.count = 0;
	for (unsigned n = 0; n < naccesses; n++) {
		uint32_t lane = mz_objects_lane(&x->objects, accesses[n].object);
		for (; lane != MZ_NONE; lane = x->objects.lanes[lane].next) {
			if (!(x->objects.lanes[lane].mask & accesses[n].mask)) continue;
			if (!add_rivals(x, &j, n, lane)) return false;
		}
	}
	mz_events_latest_first(x->rivals.at, x->rivals.count);
	return true;
}
