/* SPDX-License-Identifier: MIT */
#include "runtime/objects/thread.h"
#include "runtime/core/core.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/leaving.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/objects/settings.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>

MZ_COLD static void misuse(struct mz_fiber *self, uintptr_t caller, const char *what)
{
	struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}};
	mz_report(&report, "%s", what);
}

/* Sets the shadow of the thread's result, as instrumented code does. */
MZ_COLD static void carry_result(struct mz_fiber *self)
{
	uint64_t value = (uintptr_t)self->result;
	uint32_t size = self->start.c11 ? sizeof(int) : sizeof(void *);
	uint32_t shadow = __mz_sym_result((const void *)self->start.function, 0, value, 8 * size);
	__mz_sym_store(&self->result, size, shadow, value);
}

static void run_thread(void *argument)
{
	struct mz_fiber *self = argument;
	void *result;
	/* of a thread that is on another stack, its own has no frames of the program */
	self->spin.base = self->start.stack_high ? self->stack_high : (uint8_t *)__builtin_frame_address(0);
	if (self->start.c11)
		result = (void *)(intptr_t)((int (*)(void *))self->start.function)(self->start.parameter);
	else
		result = ((void *(*)(void *))self->start.function)(self->start.parameter);
	self->result = result;
	if (MZ_UNLIKELY(__mz_sym_active)) carry_result(self);
	self->ended_at = (uintptr_t)self->start.function + 1;
	mz_leaving_end(self);
}

void mz_thread_handle_written(struct mz_fiber *self, const void *place, size_t size, uintptr_t caller)
{
	bool local = (uintptr_t)place - (uintptr_t)self->stack_low < (size_t)(self->stack_high - self->stack_low);
	if (!local) mz_plain_end(self, (uintptr_t)place, size, caller);
}

/* Sets what the thread has of attributes, or of its creator. */
static void set_attributes(struct mz_fiber *self, struct mz_fiber *fiber, const struct mz_attributes *asked)
{
	fiber->detached = asked->detached;
	fiber->requests.blocked = asked->masks ? asked->mask : self->requests.blocked;
	__builtin_memcpy(fiber->name, self->name, sizeof fiber->name);
	mz_settings_inherit(self, fiber);
	if (asked->schedules) mz_settings_schedule(fiber, asked->policy, asked->priority);
	if (!asked->places) return;
	struct mz_settings settings = mz_settings_of(fiber);
	settings.processors = asked->processors;
	mz_settings_set(fiber, &settings);
}

/* Makes the fiber ready to run, on its own stack or the one that it was given. */
static void start_fiber(struct mz_fiber *fiber, const struct mz_attributes *asked)
{
	size_t size = asked->stack_size ? asked->stack_size : MZ_LAYOUT_STACK_DEFAULT;
	fiber->start.stack_high = asked->stack_high;
	fiber->start.stack_size = size;
	fiber->start.guard_size = asked->guard_size;
	fiber->start.schedules = asked->schedules;
	mz_fiber_start(fiber, (void *)run_thread, fiber, asked->stack_high ? 0 : size);
}

struct mz_fiber *mz_thread_create(struct mz_fiber *self, const struct mz_thread_start *start, uintptr_t caller)
{
	if (mz_rt.invariants.evaluating) mz_invariant_refuse("creates a thread");
	if (start->attributes->stack_high) mz_attributes_claim(self, start->attributes, caller);
	if (++mz_rt.execution.nthreads > mz_rt.session->configuration.max_threads) mz_give_up(MZ_PATH_LIMIT_THREADS);
	struct mz_fiber *fiber = mz_fiber_child(self);
	if (self->index == 0 && self->counts.children == 1) {
		self->carried.count = 0; /* no other thread could have conflicted with these accesses */
		mz_unobserved_begin();
	}
	mz_spin_forget(self);
	mz_chance_inherit(self, fiber);
	fiber->start.c11 = start->c11;
	fiber->start.function = start->function;
	fiber->start.parameter = start->argument;
	fiber->start.created_at = caller;
	start_fiber(fiber, start->attributes);
	set_attributes(self, fiber, start->attributes);
	if (mz_rt.mode.replaying) mz_record_thread(fiber, self, (uintptr_t)start->function, caller);
	mz_order(self, fiber);
	mz_race_order(self, fiber);
	mz_stacks_share(self);
	mz_make_ready(fiber);
	return fiber;
}

static inline int take_result(struct mz_fiber *self, struct mz_fiber *fiber, void **result, uintptr_t caller)
{
	fiber->joined = true;
	fiber->joiner = self;
	if (mz_leaving_is_seen()) mz_race_release(self, &mz_object_of_end(fiber)->clock);
	mz_order(fiber, self);
	mz_race_acquire(self, &fiber->clocks.own);
	if (!result) return 0;
	MZ_RESULT(self, result, fiber->result, caller);
	if (MZ_UNLIKELY(__mz_sym_active)) __mz_sym_copy(result, &fiber->result, sizeof *result);
	return 0;
}

/* Joins a thread where requests may arrive. If SELF is cancelled while it waits, another thread may join. Signals that
 * were sent before the thread ended are handled before SELF goes on, as they are where the kernel wakes it. */
MZ_NOINLINE static int join_interruptibly(struct mz_fiber *self, struct mz_fiber *fiber, void **result,
                                          uintptr_t caller)
{
	do mz_request_point(self, caller);
	while (!mz_request_await_end(self, mz_object_of_end(fiber), caller));
	uint64_t signals = mz_signals_deliverable(self);
	if (signals && mz_request_any(self, signals)) mz_request_signals(self, signals, caller);
	if (!fiber->joined) return take_result(self, fiber, result, caller);
	misuse(self, caller, "join of a thread that is joined already");
	return EINVAL;
}

int mz_thread_join(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller)
{
	struct mz_fiber *fiber = mz_thread_from(handle);
	mz_spin_forget(self);
	if (!fiber || fiber->detached || fiber->joined || fiber->joiner) {
		misuse(self, caller,
		       !fiber            ? "join of what is no thread"
		       : fiber->detached ? "join of a detached thread"
		                         : "join of a thread that is joined already");
		return fiber ? EINVAL : ESRCH;
	}
	if (fiber == self) return EDEADLK;
	/* whether the other thread has ended is no access: so a join inside a section waits even if it need not */
	if (MZ_UNLIKELY(mz_rt.execution.section.thread)) mz_section_waits(self, caller);
	if (MZ_UNLIKELY(mz_request_may_arrive(self))) return join_interruptibly(self, fiber, result, caller);
	if (fiber->state != MZ_FIBER_FINISHED) {
		fiber->joiner = self;
		self->waits.thread = fiber;
		self->caller = caller;
		mz_suspend(self, MZ_FIBER_JOINING);
	}
	return take_result(self, fiber, result, caller);
}

int mz_thread_detach(struct mz_fiber *self, unsigned long handle, uintptr_t caller)
{
	struct mz_fiber *fiber = mz_thread_from(handle);
	if (!fiber || fiber->detached || fiber->joined) {
		misuse(self, caller,
		       fiber ? "detach of a thread that is detached or joined already" : "detach of what is no thread");
		return fiber ? EINVAL : ESRCH;
	}
	fiber->detached = true;
	return 0;
}

_Noreturn void mz_thread_exit(struct mz_fiber *self, void *result, uintptr_t caller)
{
	self->caller = caller;
	mz_leaving_unwind(self, result);
}

/* Reports whether the thread of this end has ended. A thread that asks again and again waits for that. */
static bool look_at_end(struct mz_fiber *self, const struct mz_object *end, uintptr_t caller)
{
	mz_accesses(self)[0] = mz_object_whole(end, 0);
	self->accesses[0].kind = MZ_READ;
	const struct mz_operation operation = mz_operation(MZ_OP_LOAD, 1);
	mz_spin_visible(self, operation, 0, caller);
	self->accesses[0].before = end->state;
	mz_commit(self, operation);
	return end->state;
}

int mz_thread_tryjoin(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller)
{
	struct mz_fiber *fiber = mz_thread_from(handle);
	if (fiber == self) return EBUSY;
	if (!fiber || fiber->detached || fiber->joined || fiber->joiner)
		return mz_thread_join(self, handle, result, caller);
	struct mz_object *end = mz_object_of_end(fiber);
	if (!look_at_end(self, end, caller)) return EBUSY;
	mz_spin_forget(self);
	return take_result(self, fiber, result, caller);
}

/* SELF waits while the thread runs; being chosen before the thread has ended means that the wait times out. */
int mz_thread_timedjoin(struct mz_fiber *self, unsigned long handle, void **result, clockid_t clock,
                        const struct timespec *until, uintptr_t caller)
{
	if (!until) return mz_thread_join(self, handle, result, caller);
	if (mz_thread_from(handle) == self) return EDEADLK;
	uint64_t time = mz_time_from(clock, until);
	mz_request_point(self, caller);
	int error = mz_thread_tryjoin(self, handle, result, caller);
	if (error != EBUSY) return error;
	if (time == MZ_TIME_INVALID) return EINVAL;
	mz_request_point(self, caller);
	mz_timers_reach(self, time, caller);
	return ETIMEDOUT;
}
