/* SPDX-License-Identifier: MIT
 *
 * Stacks of other threads: those of threads that have ended, and frames that have.
 *
 * A frame ends where its function says so (__tsan_func_exit). Two uses by other threads are wrong: one before the end that
 * nothing orders before it, which is looked for at the end; and one after the end, by a thread that does not know what
 * the owner has done since, so that it cannot mean a frame that is there now. For the latter the ends are noted, with
 * the owner's clock, of frames that were there when the owner created a thread or performed an operation: nobody knows of
 * others. Functions that were called since and have returned cost a comparison.
 */
#include "runtime/memory/memory.h"
#include "runtime/watch/heap_wrong.h"
#include "runtime/watch/race.h"
#include <stdio.h>
#include <unwind.h>

#define RED_ZONE 128

void __tsan_func_exit(void); /* hooks/tsan.c */

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

/* Reports whether the frame that SELF can know of at the address has ended. Another one may be there. */
static bool has_been_left(const struct mz_fiber *self, const struct mz_fiber *owner, uintptr_t address)
{
	for (uint32_t n = owner->nended; mz_rt.mode.finds_races && n-- > 0;)
		if (address < owner->ended[n].below)
			return mz_clock_get(&self->clocks.own, owner->index) < owner->ended[n].clock;
	return false;
}

/* Returns the thread whose stack, or whose frame at `address`, is gone; NULL if the memory is there, or the access will
 * fault anyway. */
static struct mz_fiber *gone(const struct mz_fiber *self, uintptr_t address)
{
	struct mz_fiber *owner = owner_of(address);
	if (!owner || owner == self || mz_rt.invariants.evaluating) return NULL;
	if (address < (uintptr_t)owner->stack_low || address >= (uintptr_t)owner->stack_high) return NULL;
	return has_ended(owner) || has_returned(owner, address) || has_been_left(self, owner, address) ? owner : NULL;
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

/* Handles a use of a frame that may have come after its end, as far as can be told without clocks: executions are explored
 * with clocks from now on. States have none. */
static void ask_for_clocks(void)
{
	if (mz_rt.mode.finds_races) return;
	if (mz_rt.mode.searches_states || mz_rt.mode.follows_schedule) {
		mz_rt.session->frames = 1;
		return;
	}
	mz_rt.session->learned.requests.kinds |= MZ_REQUESTS_RACES;
	mz_restart_search();
}

/* Notes that another thread accesses a stack, which it may while the frame exists. Whether the access might as well
 * have come later is checked when the frame is gone. */
static void lend(const struct mz_fiber *self, struct mz_fiber *owner, uintptr_t address, size_t size)
{
	if (mz_rt.invariants.evaluating || mz_rt.seen.leaves_stacks) return;
	if (!owner->lent.high) owner->borrower = self->index + 1;
	if (owner->borrower != self->index + 1) owner->borrower = MZ_BORROWERS;
	if (!owner->lent.high || address < owner->lent.low) owner->lent.low = address;
	if (address + size > owner->lent.high) owner->lent.high = address + size;
	if (address < owner->frames_from) owner->frames_from = live_from(owner);
	if (owner->nended && address < owner->ended[0].below) ask_for_clocks();
}

/* Reports whether all other threads have ended and were joined. */
static bool are_all_joined(const struct mz_fiber *self)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *other = &mz_rt.fibers[t];
		if (other != self && other->state != MZ_FIBER_UNUSED && !other->joined) return false;
	}
	return true;
}

/* The same of those that have accessed the stack of SELF. */
static bool are_borrowers_joined(const struct mz_fiber *self)
{
	bool one = self->borrower != MZ_BORROWERS;
	return one ? mz_rt.fibers[self->borrower - 1].joined : are_all_joined(self);
}

void mz_stacks_returned(struct mz_fiber *self, uintptr_t sp, uintptr_t place)
{
	uintptr_t low = self->lent.low, high = self->lent.high < sp ? self->lent.high : sp, access;
	uint32_t thread;
	char name[MZ_THREAD_NAME];
	if (!are_borrowers_joined(self)) ask_for_clocks();
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

/* ---- ends of frames ---- */

#define ROOM_TO_UNWIND (16 * 1024)

struct frame_search {
	uintptr_t sp;  /* the stack pointer of the function */
	uintptr_t end; /* what its caller's is */
};

static _Unwind_Reason_Code look_for_caller(struct _Unwind_Context *context, void *argument)
{
	struct frame_search *search = argument;
	uintptr_t sp = _Unwind_GetCFA(context);
	if (sp <= search->sp) return _URC_NO_REASON;
	search->end = sp;
	return _URC_NORMAL_STOP;
}

/* Nothing of the unwinder is to be seen where stacks are compared. */
static MZ_NOINLINE void wipe(void)
{
	volatile uint8_t room[ROOM_TO_UNWIND / 2];
	for (size_t i = 0; i < sizeof room; i++) room[i] = 0;
}

/* Where frames end that were looked at before: executions come to the same frames again and again. */
struct known_frame {
	uintptr_t place;      /* where the function says that it ends */
	uintptr_t below;      /* how far below the high end of the stack its stack pointer is */
	uintptr_t size;       /* from there to its caller's stack pointer; 0 if no function of the program called it */
	uintptr_t returns_to; /* the return address at the end of the frame */
};
#define KNOWN_FRAMES 4096 /* two in one place would be looked at in every execution */
static struct known_frame known_frames[KNOWN_FRAMES];

static uintptr_t return_address(uintptr_t end)
{
	return *(const uintptr_t *)(end - sizeof(uintptr_t)); // NOLINT(performance-no-int-to-ptr)
}

/* A function may say that it ends by a jump, when it has given back its frame. */
MZ_COLD static void unwind(const struct mz_fiber *self, uintptr_t sp, uintptr_t place, struct known_frame *known)
{
	struct frame_search search = {.sp = sp, .end = sp};
	*known = (struct known_frame){.place = place, .below = (uintptr_t)self->stack_high - sp};
	if (mz_arch_is_call((const uint8_t *)place,
	                    (const void *)__tsan_func_exit)) // NOLINT(performance-no-int-to-ptr)
		_Unwind_Backtrace(look_for_caller, &search);
	if (mz_caller_wipes()) wipe();
	known->size = search.end - sp;
	known->returns_to = return_address(search.end);
}

/* Returns where the frame of the function ends that has this stack pointer. */
static uintptr_t end_of_frame(const struct mz_fiber *self, uintptr_t sp, uintptr_t place)
{
	uintptr_t below = (uintptr_t)self->stack_high - sp;
	struct known_frame *known = &known_frames[mz_mix(place ^ below) % KNOWN_FRAMES];
	bool is_it = known->place == place && known->below == below;
	if (!is_it || known->returns_to != return_address(sp + known->size)) unwind(self, sp, place, known);
	return sp + known->size;
}

/* Of several ends the later one counts where it was higher, or as high. */
static void add_end(struct mz_fiber *self, uintptr_t below)
{
	while (self->nended && self->ended[self->nended - 1].below <= below) self->nended--;
	if (self->nended == MZ_ENDED_FRAMES) self->nended--;
	self->ended[self->nended++] =
	    (struct mz_ended_frame){.below = below, .clock = mz_clock_get(&self->clocks.own, self->index)};
}

void mz_stacks_share(struct mz_fiber *self)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (!mz_rt.seen.leaves_stacks && mz_fiber_is_home(self, (const void *)here) && here < self->frames_from)
		self->frames_from = here;
}

/* Reports whether there is no other thread that could know of frames. */
static bool is_alone(struct mz_fiber *self)
{
	if (mz_rt.nfibers > 1 && (mz_rt.mode.finds_races || !are_all_joined(self))) return false;
	self->nended = 0;
	return true;
}

void mz_stacks_exit(struct mz_fiber *self, uintptr_t sp, uintptr_t place)
{
	bool room = sp - (uintptr_t)self->stack_low >= ROOM_TO_UNWIND;
	if (!mz_fiber_is_home(self, (const void *)sp) || !room || mz_rt.invariants.evaluating) return;
	self->frames_from = UINTPTR_MAX;
	if (mz_rt.seen.leaves_stacks || is_alone(self)) return;
	uintptr_t end = end_of_frame(self, sp, place);
	self->frames_from = end;
	if (self->lent.high && self->lent.low < end) mz_stacks_returned(self, end, place);
	add_end(self, end);
}

void mz_memory_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (mz_heap_holds(address)) {
		mz_heap_check_slow(self, address, size, write, caller);
		return;
	}
	struct mz_fiber *owner = address < MZ_LAYOUT_STACKS ? NULL : gone(self, address), *lender = owner_of(address);
	if (!owner && address >= MZ_LAYOUT_STACKS && lender) lend(self, lender, address, size);
	if (!owner) return;
	char what[64];
	snprintf(what, sizeof what, "%s of %zu byte%s", write ? "write" : "read", size, size == 1 ? "" : "s");
	report(self, owner, what, address, caller);
	mz_thread_failed(self);
}

/* The same for an object: the access is marked, as one that is ordered with those of other threads to the object. */
static void lend_object(struct mz_fiber *self, struct mz_fiber *owner, uintptr_t address, uintptr_t caller)
{
	lend(self, owner, address, 1);
	if (mz_rt.mode.finds_races) mz_race_access(self, address, 1, MZ_RACE_ATOMIC, caller);
}

bool mz_stacks_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_fiber *owner = gone(self, address), *lender = owner_of(address);
	if (!owner && lender && lender != self) lend_object(self, lender, address, caller);
	if (!owner) return true;
	report(self, owner, "use of a synchronization object", address, caller);
	return false;
}
