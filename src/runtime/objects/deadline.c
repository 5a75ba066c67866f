/* SPDX-License-Identifier: MIT */
#include "runtime/objects/deadline.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <stdio.h>
#include <string.h>

/* How many expirations SELF waits for one by one in a call that lets time pass: after these, timers that have a channel
 * expire as often as they have to at once. */
#define ONE_BY_ONE 32

struct mz_timers mz_timers;

/* ---- objects ---- */

static struct mz_object *object_at(uintptr_t address)
{
	struct mz_object *object = mz_object_find(address);
	object->type = MZ_OBJECT_THREAD;
	return object;
}

struct mz_object *mz_timers_table(void)
{
	return object_at((uintptr_t)&mz_timers);
}

struct mz_object *mz_timers_object(uint32_t arming)
{
	return object_at((uintptr_t)&mz_timers.armings[arming]);
}

struct mz_object *mz_timers_asked(uint32_t arming)
{
	return object_at((uintptr_t)&mz_timers.armings[arming] + 1);
}

struct mz_fiber *mz_timers_wake(uint32_t number)
{
	struct mz_fiber *fiber = &mz_rt.fibers[mz_timers.armings[number].thread - 1];
	mz_timers.armings[number].thread = 0;
	return fiber;
}

/* ---- time that passes ---- */

static bool sets_timers(const char *module, const char *symbol)
{
	static const char names[] = " alarm ualarm setitimer timer_settime timerfd_settime ";
	char word[32];
	(void)module;
	return snprintf(word, sizeof word, " %s ", symbol) < (int)sizeof word && strstr(names, word);
}

bool mz_timers_may_be_set(void)
{
	static int seen = -1;
	if (MZ_LIKELY(!mz_rt.mode.checks_signals)) return false;
	if (seen < 0) seen = mz_imports_any_instrumented(sets_timers);
	return seen;
}

/* Returns the first timer's arming, by deadline, that is to expire by then, and comes after the arming `last`. */
static uint32_t first_by(uint64_t until, uint32_t last)
{
	uint32_t first = 0;
	for (uint32_t n = 0; n < mz_timers.ntimers; n++) {
		uint32_t arming = mz_timers.timers[n].arming;
		if (!arming || mz_timers.armings[arming].deadline > until) continue;
		uint64_t deadline = mz_timers.armings[arming].deadline, after = mz_timers.armings[last].deadline;
		if (last && (deadline < after || (deadline == after && arming <= last))) continue;
		if (!first || deadline < mz_timers.armings[first].deadline) first = arming;
	}
	return first;
}

/* SELF lets time pass beyond the deadline: from now on the timer may expire. */
static void ask(struct mz_fiber *self, uint32_t number, uint64_t until, uintptr_t caller)
{
	struct mz_object *asked = mz_timers_asked(number);
	mz_accesses(self)[0] =
	    (struct mz_access){.object = asked->address, .mask = 0xff, .kind = MZ_WRITE, .expected = 1};
	const struct mz_operation operation = mz_operation(MZ_OP_KILL, 1);
	mz_visible(self, operation, caller);
	bool first = !asked->state;
	self->accesses[0].before = asked->state;
	self->accesses[0].kind = first ? MZ_WRITE : MZ_READ;
	mz_commit(self, operation);
	asked->state = 1;
	if (first) mz_timers.armings[number].until = until;
	if (!first || !mz_timers.armings[number].thread) return;
	struct mz_fiber *fiber = mz_timers_wake(number);
	mz_order(self, fiber);
	mz_make_ready(fiber);
}

static enum mz_interrupted await_arming(struct mz_fiber *self, uint32_t arming, uint64_t until, uintptr_t caller)
{
	enum mz_interrupted interrupted = MZ_INTERRUPTED_NOT;
	ask(self, arming, until, caller);
	while (interrupted == MZ_INTERRUPTED_NOT && !mz_request_await_end(self, mz_timers_object(arming), caller))
		interrupted = mz_request_point(self, caller);
	return interrupted == MZ_INTERRUPTED_NOT ? mz_request_point(self, caller) : interrupted;
}

enum mz_interrupted mz_timers_reach(struct mz_fiber *self, uint64_t until, uintptr_t caller)
{
	bool waits = mz_timers_may_be_set() && !mz_rt.execution.section.thread && !mz_rt.invariants.evaluating;
	uint32_t arming = 0;
	for (uint32_t n = 0; waits; n++) {
		mz_object_do(self, mz_timers_table(), MZ_OP_LOOK_UP, MZ_READ, 0, caller);
		arming = first_by(until, arming);
		if (!arming) break;
		enum mz_interrupted interrupted = await_arming(self, arming, n < ONE_BY_ONE ? 0 : until, caller);
		if (interrupted != MZ_INTERRUPTED_NOT) return interrupted;
	}
	mz_time_reach(self, until);
	return MZ_INTERRUPTED_NOT;
}

uint64_t mz_timers_next(struct mz_fiber *self, uint64_t until, uintptr_t caller)
{
	if (!mz_timers_may_be_set()) return until;
	mz_object_do(self, mz_timers_table(), MZ_OP_LOOK_UP, MZ_READ, 0, caller);
	for (uint32_t n = 0; n < mz_timers.ntimers; n++) {
		const struct mz_timer *timer = &mz_timers.timers[n];
		uint64_t deadline = timer->arming ? mz_timers.armings[timer->arming].deadline : 0;
		if (timer->notify == MZ_NOTIFY_CHANNEL && deadline > self->time && deadline < until) until = deadline;
	}
	return until;
}

uint64_t mz_timers_look(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t now = mz_time_read(self, caller);
	mz_timers_reach(self, now, caller);
	return now;
}
