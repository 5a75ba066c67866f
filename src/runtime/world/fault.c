/* SPDX-License-Identifier: MIT */
#include "runtime/world/fault.h"
#include "runtime/watch/watch.h"

bool mz_fault_choose(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller)
{
	uint32_t most = mz_rt.session->configuration.max_faults;
	if (most && self->counts.faults >= most) return false;
	mz_accesses(self);
	const struct mz_operation operation = mz_choice(2);
	mz_visible(self, operation, caller);
	bool fails = mz_rt.execution.choice == 1;
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_value(mz_fault_object(fault, fails), 0, false, 0);
	mz_commit(self, operation);
	self->counts.faults += fails;
	return fails;
}

bool mz_fails_once(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller)
{
	if (!(mz_rt.mode.faults >> fault & 1) || !self) return false;
	bool repeated = self->requests.interrupted_at == caller;
	bool fails = !repeated && mz_fault_choose(self, fault, caller);
	self->requests.interrupted_at = fails ? caller : 0;
	return fails;
}
