/* SPDX-License-Identifier: MIT */
#include "runtime/objects/explain.h"
#include "runtime/core/core.h"
#include "runtime/watch/watch.h"

static void explain_holdings(const struct mz_fiber *fiber)
{
	size_t nused;
	struct mz_object *const *used = mz_objects_used(&nused);
	for (size_t i = 0; i < nused; i++) {
		if (used[i]->owner != fiber) continue;
		mz_report_detail(NULL, used[i]->acquired_at, used[i]->address, 0, "  and holds, since here,");
	}
	for (size_t type = 0; type < MZ_OBJECT_TYPES; type++)
		if (mz_object_kinds[type].explain_holdings) mz_object_kinds[type].explain_holdings(fiber);
}

static void explain(struct mz_fiber *fiber)
{
	const struct mz_object *object = fiber->waits.object;
	char holder[MZ_THREAD_NAME];
	const struct mz_object_kind *kind = object ? &mz_object_kinds[object->type] : NULL;
	const struct mz_pending *pending = &mz_rt.execution.pending[fiber->index];
	bool hears = fiber->state == MZ_FIBER_PENDING && fiber->requests.awaited;
	if (fiber->state == MZ_FIBER_JOINING || (hears && pending->op == MZ_OP_JOIN))
		mz_report_detail(fiber, fiber->caller, 0, 0, "waits for another thread to end");
	else if (fiber->state == MZ_FIBER_WAITING || (hears && pending->op == MZ_OP_END_WAIT))
		mz_report_detail(fiber, fiber->caller, object->address & ~3UL, 0, "%s", kind->waits);
	else if (mz_spin_waits(fiber))
		mz_spin_explain(fiber);
	else if (fiber->state == MZ_FIBER_PENDING && kind && kind->explain)
		kind->explain(fiber, object);
	else if (fiber->state == MZ_FIBER_PENDING && object && object->owner)
		mz_report_detail(fiber, fiber->caller, object->address, 0,
		                 "waits for the mutex that %s holds:", mz_thread_name(object->owner, holder));
	else if (fiber->state == MZ_FIBER_PENDING && object && object->type != MZ_OBJECT_PLAIN)
		mz_report_detail(fiber, fiber->caller, object->address & ~3UL, 0, "%s", kind->waits);
	else
		return;
	explain_holdings(fiber);
}

void mz_explain_waits(void)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) explain(&mz_rt.fibers[t]);
}
