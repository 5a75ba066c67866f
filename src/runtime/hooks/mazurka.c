/* SPDX-License-Identifier: MIT
 *
 * What a program says to us: include/mazurka.h.
 */
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include <mazurka.h>

MZ_HOOKS_DECLARE(MAZURKA)

int mz_entry_mz_choose(int n)
{
	struct mz_fiber *self = mz_current;
	if (!self) mz_early_note_call("mz_choose");
	if (!self || n <= 1) return 0;
	mz_accesses(self);
	const struct mz_operation operation = mz_choice((uint32_t)n);
	mz_visible(self, operation, MZ_CALLER());
	int value = (int)mz_rt.execution.choice;
	mz_commit(self, operation);
	return value;
}

void mz_entry_mz_yield(void)
{
	if (mz_current) mz_yield_now(mz_current, MZ_CALLER());
}

void mz_entry_mz_atomic_begin(void)
{
	struct mz_fiber *self = mz_current;
	if (self && !mz_rt.invariants.evaluating) mz_section_begin(self, MZ_NOTED_CALLER(self));
}

void mz_entry_mz_atomic_end(void)
{
	struct mz_fiber *self = mz_current;
	if (self && !mz_rt.invariants.evaluating) mz_section_end(self, MZ_CALLER());
}

void mz_entry_mz_access(const void *object, mz_access_kind kind)
{
	struct mz_fiber *self = mz_current;
	if (!self || (unsigned)kind > MZ_WEAK_WRITE) return;
	mz_accesses(self)[0] = (struct mz_access){
	    .object = mz_object_in(MZ_SPACE_TOLD, (uintptr_t)object), .mask = 0xff, .kind = (uint8_t)kind};
	const struct mz_operation operation = mz_operation(MZ_OP_ACCESS, 1);
	mz_visible(self, operation, MZ_CALLER());
	mz_commit(self, operation);
}

void mz_entry_mz_invariant(int (*holds)(void *), void *arg)
{
	if (!mz_current || mz_rt.invariants.evaluating) return;
	mz_invariant_add(mz_current, holds, arg, MZ_CALLER());
}

MZ_EXPORT void mz_symbolic(void *object, size_t size, const char *name)
{
	struct mz_fiber *self = mz_current;
	if (!self) mz_early_note_call("mz_symbolic");
	if (!self || mz_rt.invariants.evaluating) return;
	uintptr_t caller = MZ_CALLER();
	uint32_t nth = mz_input_mark(self, object, size, name, caller);
	if (mz_rt.mode.replaying) mz_record_input(self, nth, object, size, name ? name : "", caller);
}

/* The thread stops here, and others go on: what they do may come before. */
MZ_EXPORT void mz_assume(int condition)
{
	if (condition || !mz_current || mz_rt.invariants.evaluating) return;
	mz_rt.execution.assumed = true;
	mz_finish(mz_current, MZ_FIBER_STOPPED);
}

MZ_EXPORT int mz_exploring(void)
{
	return mz_current != NULL;
}
