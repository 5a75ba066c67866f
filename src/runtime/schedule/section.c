/* SPDX-License-Identifier: MIT
 *
 * Atomic sections (mz_atomic_begin() and mz_atomic_end() of <mazurka.h>).
 *
 * To begin a section is a visible operation, of which nobody knows yet what it touches. Once its thread is chosen, it
 * goes on until the section ends: operations inside are performed at once (mz_section_visible()), and what they touch
 * is gathered (watch/section.c). Then the section is committed as one event.
 *
 * Invariants: while there is a section no thread is switched to, and no driver is asked; at a choice there is no
 * section; every step that was counted for a section is observed before the next choice, also if the thread ends
 * inside. Whether a thread can go through a section without waiting depends on what the section touches: what it would
 * have waited for counts as read.
 */
#include "runtime/core/core.h"
#include "runtime/watch/watch.h"

static bool plain_was_more; /* the value of mz_plain_is_more outside of the section */

/* The threads that have to come after the section, because it created or woke them. */
static uint32_t *later;
static size_t nlater, later_capacity;

static void open_section(struct mz_fiber *self, uintptr_t caller)
{
	mz_section_start(self);
	nlater = 0;
	mz_rt.execution.section =
	    (struct mz_section){.thread = self, .place = caller, .depth = 1, .step = mz_rt.execution.nsteps++};
	mz_rt.session->nsteps = mz_rt.execution.nsteps;
	mz_rt.execution.in_step = false;
	plain_was_more = mz_plain_is_more;
	mz_plain_is_more = true;
	if (mz_rt.mode.replaying) mz_record_step(self, mz_operation(MZ_OP_ATOMIC, 0));
}

void mz_section_reset(void)
{
	if (!mz_rt.execution.section.thread) return;
	mz_rt.execution.section = (struct mz_section){0};
	mz_plain_is_more = plain_was_more;
}

static void close_section(struct mz_fiber *self)
{
	uintptr_t caller = self->caller;
	self->caller = mz_rt.execution.section.place;
	mz_commit_section(self, mz_section_collect(self));
	self->caller = caller;
	mz_section_reset();
	if (mz_rt.mode.replaying) mz_record_value(0, 0, false, 0); /* what the last operation inside found */
	for (size_t n = 0; n < nlater; n++) mz_order(self, &mz_rt.fibers[later[n]]);
}

void mz_section_begin(struct mz_fiber *self, uintptr_t caller)
{
	if (mz_rt.execution.section.thread) {
		mz_rt.execution.section.depth++;
		return;
	}
	mz_accesses(self);
	mz_spin_visible(self, mz_operation(MZ_OP_ATOMIC, 0), 0, caller);
	open_section(self, caller);
}

void mz_section_end(struct mz_fiber *self, uintptr_t caller)
{
	struct mz_section *section = &mz_rt.execution.section;
	if (!section->thread) {
		struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}};
		mz_report(&report, "end of an atomic section that did not begin");
		return;
	}
	if (--section->depth == 0) close_section(self);
}

/* ---- inside ---- */

bool mz_section_order(const struct mz_fiber *before, const struct mz_fiber *after)
{
	if (before != mz_rt.execution.section.thread) return false;
	mz_array_require(&later, &later_capacity, nlater + 1);
	later[nlater++] = after->index;
	return true;
}

/* Adds what an operation looks at that is not enabled. */
static void add_attempt(struct mz_fiber *self, struct mz_operation operation)
{
	bool shares = mz_op_class((enum mz_op)operation.op) == MZ_CLASS_SHARE;
	for (uint16_t n = 0; n < operation.naccesses; n++) {
		struct mz_access *access = &self->accesses[n];
		access->kind = shares ? MZ_WEAK_READ : MZ_READ;
		access->before = mz_objects_state(access->object);
		access->effect = 0;
	}
	mz_section_add(self, self->accesses, operation.naccesses);
}

void mz_section_visible(struct mz_fiber *self, struct mz_operation operation, bool enabled, uintptr_t caller)
{
	self->caller = caller;
	mz_caller.place = 0;
	if (!enabled) {
		add_attempt(self, operation);
		mz_section_waits(self, caller);
	}
	if (operation.alternatives > 1) mz_section_refuse_choice();
	mz_rt.execution.choice = 0;
}

void mz_section_commit(struct mz_fiber *self, struct mz_operation operation)
{
	mz_section_add(self, self->accesses, operation.naccesses);
	if (++mz_rt.execution.section.operations >= mz_rt.execution.max_steps) mz_section_endless(self, self->caller);
}

/* ---- what must not be ---- */

static void report_inside(struct mz_fiber *self, enum mz_finding_kind kind, uintptr_t place, const char *what)
{
	struct mz_report report = {.kind = kind, .key = mz_mix(place), .place = {self, place, NULL}};
	mz_report(&report, "%s", what);
	mz_report_detail(self, mz_rt.execution.section.place, 0, 0, "the section began");
}

/* Takes SELF out of the queue that it has joined to wait: nobody is to wake it. */
static void leave_queue(struct mz_fiber *self)
{
	struct mz_object *object = self->waits.object;
	for (const struct mz_fiber *fiber = object ? object->queue : NULL; fiber; fiber = fiber->next) {
		if (fiber != self) continue;
		mz_object_dequeue(object, self);
		return;
	}
}

void mz_section_waits(struct mz_fiber *self, uintptr_t caller)
{
	leave_queue(self);
	report_inside(self, MZ_FINDING_MISUSE, caller, "a thread waits inside an atomic section");
	mz_thread_failed(self);
}

void mz_section_endless(struct mz_fiber *self, uintptr_t caller)
{
	report_inside(self, MZ_FINDING_LIVELOCK, caller, "1 thread goes on without end inside an atomic section");
	mz_thread_failed(self);
}

void mz_section_refuse_choice(void)
{
	mz_unsupported(
	    "it makes a choice inside an atomic section (mz_choose(), a branch on an input, a signal to one of "
	    "several threads, a call that may fail), which cannot be explored: choose before mz_atomic_begin()");
}

void mz_section_leave(struct mz_fiber *self, enum mz_fiber_state state)
{
	if (state == MZ_FIBER_FINISHED)
		report_inside(self, MZ_FINDING_MISUSE, mz_rt.execution.section.place,
		              "a thread ended inside an atomic section");
	close_section(self);
}
