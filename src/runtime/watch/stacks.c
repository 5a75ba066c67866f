/* SPDX-License-Identifier: MIT */
#include "runtime/memory/memory.h"
#include "runtime/watch/heap_wrong.h"
#include "runtime/watch/race.h"
#include <stdio.h>

#define RED_ZONE 128

static struct mz_fiber *owner_of(uintptr_t address)
{
	uintptr_t number = (address - MZ_LAYOUT_STACKS) / MZ_LAYOUT_STACK_SLOT;
	return number < mz_rt.nfibers ? &mz_rt.fibers[number] : NULL;
}

static bool has_ended(const struct mz_fiber *fiber)
{
	return fiber->state == MZ_FIBER_FINISHED || (fiber->state == MZ_FIBER_EXITING && fiber->function_returned);
}

/* Returns the low end of what the program has on the stack of a suspended thread. If the thread's call is not the noted
 * one, frames of ours count as well. */
static uintptr_t live_from(const struct mz_fiber *owner)
{
	bool noted = owner->noted.place && owner->noted.place == owner->caller;
	return noted ? owner->noted.sp : (uintptr_t)owner->sp - RED_ZONE;
}

static bool has_returned(const struct mz_fiber *owner, uintptr_t address)
{
	switch (owner->state) {
	case MZ_FIBER_PENDING:
	case MZ_FIBER_WAITING:
	case MZ_FIBER_JOINING: break;
	default: return false;
	}
	uintptr_t live = live_from(owner);
	return !mz_rt.seen.leaves_stacks && mz_fiber_is_home(owner, (const void *)live) && address < live;
}

/* Returns the thread whose stack, or whose frame at `address`, is gone; NULL if the memory is there, or the access will
 * fault anyway. */
static struct mz_fiber *gone(const struct mz_fiber *self, uintptr_t address)
{
	struct mz_fiber *owner = owner_of(address);
	if (!owner || owner == self || mz_rt.invariants.evaluating) return NULL;
	if (address < (uintptr_t)owner->stack_low || address >= (uintptr_t)owner->stack_high) return NULL;
	return has_ended(owner) || has_returned(owner, address) ? owner : NULL;
}

/* Reports whether SELF may do what it does now before the frame of `owner` ends: nothing orders the two. Without the clocks only a
 * join tells. */
static bool is_unordered(const struct mz_fiber *self, const struct mz_fiber *owner)
{
	if (!mz_rt.mode.finds_races) return !(owner->joined && owner->joiner == self);
	return mz_clock_get(&self->clocks.own, owner->index) < mz_clock_get(&owner->clocks.own, owner->index);
}

static void report(struct mz_fiber *self, struct mz_fiber *owner, const char *what, uintptr_t address, uintptr_t caller)
{
	char name[MZ_THREAD_NAME];
	struct mz_report report = {
	    .kind = MZ_FINDING_USE_AFTER_FREE, .place = {self, caller, NULL}, .address = address};
	if (is_unordered(self, owner)) report.unordered = MZ_UNORDERED_FRAME;
	mz_thread_name(owner, name);
	if (has_ended(owner)) {
		report.other = (struct mz_place_raw){owner, owner->ended_at, "end of the thread"};
		mz_report(&report, "%s on the stack of thread %s, which has ended", what, name);
	} else {
		report.other = (struct mz_place_raw){owner, owner->caller, "where that thread is now"};
		mz_report(&report, "%s on the stack of thread %s, in a function that has returned", what, name);
	}
}

/* Notes that another thread accesses a stack, which it may while the frame exists. Whether the access might as well
 * have come later is checked when the frame is gone. */
static void lend(uintptr_t address, size_t size)
{
	struct mz_fiber *owner = owner_of(address);
	if (!owner || mz_rt.invariants.evaluating || mz_rt.seen.leaves_stacks) return;
	if (!owner->lent.high || address < owner->lent.low) owner->lent.low = address;
	if (address + size > owner->lent.high) owner->lent.high = address + size;
}

void mz_stacks_returned(struct mz_fiber *self, uintptr_t sp, uintptr_t place)
{
	uintptr_t low = self->lent.low, high = self->lent.high < sp ? self->lent.high : sp, access;
	uint32_t thread;
	char name[MZ_THREAD_NAME];
	self->lent.low = high;
	if (high == self->lent.high) self->lent.low = self->lent.high = 0;
	if (!mz_race_is_unordered(self, low, high, &thread, &access)) return;
	struct mz_report report = {.kind = MZ_FINDING_USE_AFTER_FREE,
	                           .place = {&mz_rt.fibers[thread], access, NULL},
	                           .other = {self, place, "where that thread is now"},
	                           .address = low,
	                           .unordered = MZ_UNORDERED_FRAME};
	mz_report(&report, "access on the stack of thread %s, in a function that does not wait for it to return",
	          mz_thread_name(self, name));
}

void mz_memory_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (mz_heap_holds(address)) {
		mz_heap_check_slow(self, address, size, write, caller);
		return;
	}
	struct mz_fiber *owner = address < MZ_LAYOUT_STACKS ? NULL : gone(self, address);
	if (!owner && address >= MZ_LAYOUT_STACKS) lend(address, size);
	if (!owner) return;
	char what[64];
	snprintf(what, sizeof what, "%s of %zu byte%s", write ? "write" : "read", size, size == 1 ? "" : "s");
	report(self, owner, what, address, caller);
	mz_thread_failed(self);
}

bool mz_stacks_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_fiber *owner = gone(self, address);
	if (!owner) return true;
	report(self, owner, "use of a synchronization object", address, caller);
	return false;
}
