/* SPDX-License-Identifier: MIT
 *
 * What is done differently where executions are explored and where states are searched: two tables (core/way.h).
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"

MZ_COLD void mz_fiber_notice_stack(void)
{
	mz_rt.way->not_in_states("it switches stacks by code of its own, which a search of states cannot follow");
	mz_uncontrolled(MZ_UNCONTROLLED_STACKS);
	mz_rt.seen.leaves_stacks = mz_rt.seen.unseen_stacks = true;
}

/* ---- executions ---- */

/* Where executions are explored, a waiting thread is enabled by the first change and stays so, as the engine
 * expects. */
static bool go_on_after_change(const struct mz_fiber *fiber, bool passes)
{
	(void)fiber, (void)passes;
	return true;
}

static bool was_asked_since(const struct mz_fiber *self, const struct mz_object *requests)
{
	if (self->requests.op_awaited == MZ_OP_PASS && requests->wakes == self->requests.count_seen)
		return mz_request_process_is_news(self);
	return mz_request_changes(requests) != self->requests.changes_seen || mz_request_process_is_news(self);
}

static uintptr_t no_place(const struct mz_fiber *self)
{
	(void)self;
	return 0;
}

static void touch_nothing(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind)
{
	(void)self, (void)address, (void)size, (void)kind;
}

static void note_who_freed(const struct mz_fiber *self, struct mz_block *block, uint8_t *start, bool recycled,
                           uintptr_t caller)
{
	(void)start, (void)recycled;
	block->freed_at = caller;
	block->freed_by = (uint16_t)self->index;
}

static void allow_use(enum mz_uncontrolled what)
{
	(void)what;
}

static void allow(const char *why)
{
	(void)why;
}

const struct mz_way mz_way_of_executions = {
    .may_go_on = go_on_after_change,
    .is_asked = was_asked_since,
    .place_of_signals = no_place,
    .begin_operation = mz_invariant_extend,
    .touch = touch_nothing,
    .freed = note_who_freed,
    .outside_of_states = allow_use,
    .not_in_states = allow,
    .shows_findings = true,
    .evaluates_at_first = true,
};

/* ---- states ---- */

static bool is_asked_now(const struct mz_fiber *self, const struct mz_object *requests)
{
	uint64_t awaited = self->requests.awaited, shared = awaited & mz_rt.mode.process_signals;
	return (requests->state & awaited) || (shared && (mz_requests_of_process()->state & shared));
}

/* Where states are searched, whether a thread can go on depends on the state alone: it can while a request is pending
 * or its object lets it pass. */
static bool go_on_by_state(const struct mz_fiber *fiber, bool passes)
{
	return passes || is_asked_now(fiber, mz_requests_of(fiber));
}

/* Returns the place of the call of which the thread's last operation was a part, if it has not returned: then its
 * return address is where it was. */
static uintptr_t call_under_way(const struct mz_fiber *self)
{
	const uintptr_t *sp = (const uintptr_t *)self->call.from.sp;
	return sp && sp[-1] == self->call.from.place ? sp[-1] : 0;
}

static uintptr_t place_of_call(const struct mz_fiber *self)
{
	return mz_caller.place ? mz_caller.place : call_under_way(self);
}

/* Where states are told apart, the thread keeps how it was called. One call may be several operations, one after
 * another; one that was not noted is known by its place alone. */
static void keep_call_of(struct mz_fiber *self)
{
	if (!mz_fiber_is_home(self, __builtin_frame_address(0)) && !mz_rt.seen.leaves_stacks) mz_fiber_notice_stack();
	bool noted = mz_caller.place && mz_caller.place == self->caller;
	if (noted && mz_caller.sp >= self->stack_low && mz_caller.sp < self->spin.base) {
		self->call = (struct mz_call){mz_caller, 0};
		mz_caller.place = 0;
	} else if (self->call.from.place == self->caller && self->call.from.sp) {
		self->call.phase++;
	} else {
		self->call = (struct mz_call){.from = {.place = self->caller}};
	}
}

static uint16_t keep_call(struct mz_fiber *self, enum mz_op op, uint16_t naccesses)
{
	(void)op;
	keep_call_of(self);
	return naccesses;
}

/* Nobody can tell any more what the block held, and states are equal sooner. */
static void clear_freed(const struct mz_fiber *self, struct mz_block *block, uint8_t *start, bool recycled,
                        uintptr_t caller)
{
	(void)self, (void)block, (void)caller;
	if (!recycled) mz_block_clear(start);
}

static void store_thread(const struct mz_fiber *fiber, struct mz_state *state)
{
	mz_state_put(state, &fiber->start, sizeof fiber->start);
	mz_state_put(state, &fiber->call, sizeof fiber->call);
	mz_touched_store(fiber, state);
}

static void load_thread(struct mz_fiber *fiber, struct mz_state *state)
{
	mz_state_get(state, &fiber->start, sizeof fiber->start);
	mz_state_get(state, &fiber->call, sizeof fiber->call);
	mz_touched_load(fiber, state);
}

static void list_use(enum mz_uncontrolled what)
{
	mz_uncontrolled(what);
}

static void refuse(const char *why)
{
	mz_unsupported(why);
}

const struct mz_way mz_way_of_states = {
    .may_go_on = go_on_by_state,
    .is_asked = is_asked_now,
    .place_of_signals = place_of_call,
    .begin_operation = keep_call,
    .begin_waiting = keep_call_of,
    .touch = mz_touched_add,
    .freed = clear_freed,
    .store_thread = store_thread,
    .load_thread = load_thread,
    .outside_of_states = list_use,
    .not_in_states = refuse,
    .orders_arrivals = true,
};
