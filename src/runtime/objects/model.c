/* SPDX-License-Identifier: MIT
 *
 * What threads do to objects that all kinds of them have in common. Each kind has a file of its own.
 */
#include "runtime/objects/model.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>

/* ---- queues ---- */

static void enable(struct mz_fiber *fiber, bool passes)
{
	fiber->requests.passes = passes;
	mz_set_enabled(fiber, MZ_UNLIKELY(fiber->requests.awaited) ? mz_rt.way->may_go_on(fiber, passes) : passes);
}

void mz_object_enable(struct mz_object *object, bool enabled)
{
	for (struct mz_fiber *fiber = object->queue; fiber; fiber = fiber->next) enable(fiber, enabled);
}

/* ---- objects with a state ---- */

void mz_object_change_state(struct mz_object *object, enum mz_access_kind kind, int effect)
{
	if (!effect) return;
	object->state += (uint64_t)(int64_t)effect;
	mz_object_changed(object, kind);
}

void mz_object_changed(struct mz_object *object, enum mz_access_kind kind)
{
	for (struct mz_fiber *fiber = object->queue; fiber; fiber = fiber->next) {
		const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
		enum mz_op op =
		    fiber->requests.awaited ? (enum mz_op)fiber->requests.op_awaited : (enum mz_op)pending->op;
		if (pending->status == MZ_THREAD_ABSENT) continue;
		if (op == MZ_OP_PASS
		        ? object->state <= fiber->accesses[0].expected
		        : fiber->requests.awaited && !mz_kinds_conflict(fiber->accesses[1].kind, (uint8_t)kind))
			continue;
		enable(fiber, mz_class_passes(mz_op_class(op), object->state, 0));
	}
}

void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = (uint8_t)kind;
	const struct mz_operation operation = mz_operation(op, 1);
	mz_visible(self, operation, caller);
	access->before = object->state;
	mz_commit(self, operation);
	mz_object_change_state(object, kind, effect);
}

bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller)
{
	enum mz_op_class class = mz_op_class(op);
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = mz_class_kind(class, true);
	const struct mz_operation operation = mz_operation(op, 1);
	mz_spin_visible(self, operation, 0, caller);
	bool passes = mz_class_passes(class, object->state, 0);
	access = self->accesses;
	access->before = object->state;
	access->kind = mz_class_kind(class, passes);
	access->effect = (int16_t)(passes ? effect : 0);
	mz_commit(self, operation);
	if (passes) mz_object_change_state(object, (enum mz_access_kind)access->kind, effect);
	return passes;
}

bool mz_object_leave(struct mz_fiber *self, struct mz_object *object, uintptr_t caller)
{
	struct mz_access *access = mz_accesses_now(self);
	*access = mz_object_whole(object, -1);
	const struct mz_operation operation = mz_operation(MZ_OP_LEAVE, 1);
	mz_visible(self, operation, caller);
	access->before = object->queued;
	access->effect = self->waits.object == object ? -1 : 0;
	mz_commit(self, operation);
	if (self->waits.object != object) return false;
	mz_object_dequeue(object, self);
	return true;
}

/* ---- destruction ---- */

/* The value that the first bytes of a destroyed object get. If they hold another one later, the program has initialised
 * the object by assignment. */
#define DESTROYED 0xdedededeU

/* Returns the operation of a destruction: mz_object_before_destruction() begins it, and mz_object_destroy() commits
 * it. */
static struct mz_operation destruction(void)
{
	return mz_operation(MZ_OP_DESTROY, 1);
}

void mz_object_before_destruction(struct mz_fiber *self, struct mz_object *object, uintptr_t caller)
{
	mz_accesses(self)[0] = mz_object_whole(object, 0);
	mz_visible(self, destruction(), caller);
}

int mz_object_destroy(struct mz_fiber *self, struct mz_object *object, uint64_t state, const char *wrong)
{
	self->accesses[0].before = state;
	mz_commit(self, destruction());
	if (wrong) {
		mz_object_misuse(self, self->caller, object, wrong);
		return EBUSY;
	}
	object->destroyed = mz_rt.execution.any_destroyed = true;
	object->destroyer = self->index;
	object->acquired_at = self->caller;
	*(uint32_t *)object->address = DESTROYED;
	return 0;
}

void mz_object_used(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_object *object = mz_object_find(address);
	if (MZ_LIKELY(!object->destroyed)) return;
	/* further uses that follow from this write are no mistakes of their own */
	if (self->accesses[0].kind == MZ_WRITE) object->destroyed = false;
	if (*(const uint32_t *)address != DESTROYED) return;
	struct mz_report report = {.kind = MZ_FINDING_MISUSE,
	                           .place = {self, caller, "use"},
	                           .other = {&mz_rt.fibers[object->destroyer], object->acquired_at, "destruction"},
	                           .address = address};
	mz_report(&report, "use of a synchronization object that was destroyed");
}

void mz_model_refresh(void)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		struct mz_pending *pending = &mz_rt.execution.pending[t];
		if (pending->op != MZ_OP_SIGNAL || pending->status == MZ_THREAD_ABSENT) continue;
		uint32_t waiters = mz_object_find(pending->accesses[0].object)->queued;
		pending->alternatives = waiters ? waiters : 1;
	}
}

bool mz_object_initialise(uintptr_t address, uintptr_t caller)
{
	struct mz_object *object = mz_object_find(address);
	if (MZ_UNLIKELY(mz_object_is_busy(object))) {
		mz_object_misuse(mz_current, caller, object,
		                 "initialisation of a synchronization object that another thread uses");
		return false;
	}
	mz_object_forget(object);
	return true;
}

void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object, const char *what)
{
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = object->address};
	mz_report(&report, "%s", what);
}
