/* SPDX-License-Identifier: MIT */
#include "runtime/objects/ignored.h"
#include "runtime/objects/disposition.h"
#include "runtime/objects/model.h"
#include "runtime/objects/request.h"

static bool means_ignoring(int number, const struct sigaction *action)
{
	if (action->sa_flags & SA_SIGINFO) return false;
	bool by_default = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
	return action->sa_handler == SIG_IGN || (by_default && action->sa_handler == SIG_DFL);
}

static bool is_ignored(int number)
{
	const struct sigaction action = mz_signals_action_of(number);
	return means_ignoring(number, &action);
}

/* ---- sections ---- */

uint64_t mz_ignored_begin_section(struct mz_fiber *self, uintptr_t caller)
{
	mz_section_begin(self, caller);
	uint64_t blocked = self->requests.blocked;
	self->requests.blocked = UINT64_MAX;
	return blocked;
}

void mz_ignored_end_section(struct mz_fiber *self, uint64_t blocked, uintptr_t caller)
{
	self->requests.blocked = blocked;
	mz_section_end(self, caller);
}

/* ---- sending ---- */

static struct mz_object *mask_of(const struct mz_fiber *fiber)
{
	struct mz_object *object = mz_object_find(mz_object_inside(fiber, MZ_INSIDE_THREAD_MASK));
	object->type = MZ_OBJECT_THREAD;
	return object;
}

bool mz_ignored_discards(struct mz_fiber *self, struct mz_fiber *target, int number, uintptr_t caller)
{
	const struct mz_fiber *blocker = target ? target : &mz_rt.fibers[0];
	if (!mz_rt.mode.discards_ignored) {
		if (is_ignored(number)) mz_request_expect(MZ_REQUESTS_IGNORED);
		return false;
	}
	mz_signals_touch_action(self, number, false, caller);
	mz_object_do(self, mask_of(blocker), MZ_OP_LOAD, MZ_READ, 0, caller);
	if (!is_ignored(number) || mz_signals_blocks(blocker, number)) return false;
	mz_request_touch(self, target, caller);
	return true;
}

/* ---- dispositions and masks ---- */

/* Reports whether this new disposition decides what is kept of a signal: other threads may send it meanwhile, or some of it
 * is pending. The only thread knows what is. */
static bool decides(const struct mz_fiber *self, int number, bool ignores)
{
	if (!mz_rt.mode.checks_signals || ignores == is_ignored(number)) return false;
	return !mz_request_is_alone(self) || (ignores && mz_request_any(self, mz_signals_bit(number)));
}

void mz_ignored_set_action(struct mz_fiber *self, int number, const struct sigaction *action, struct sigaction *before,
                           uintptr_t caller)
{
	bool ignores = means_ignoring(number, action);
	if (decides(self, number, ignores)) mz_request_expect(MZ_REQUESTS_IGNORED);
	if (!mz_rt.mode.discards_ignored || !ignores) {
		mz_signals_touch_action(self, number, true, caller);
		*before = mz_signals_action_of(number);
		mz_signals_set_action(number, action);
		return;
	}
	uint64_t blocked = mz_ignored_begin_section(self, caller);
	mz_signals_touch_action(self, number, true, caller);
	*before = mz_signals_action_of(number);
	mz_signals_set_action(number, action);
	mz_request_discard(self, number, caller);
	mz_ignored_end_section(self, blocked, caller);
}

void mz_ignored_set_blocked(struct mz_fiber *self, uint64_t blocked, uintptr_t caller)
{
	if (mz_rt.mode.discards_ignored && blocked != self->requests.blocked && !mz_rt.invariants.evaluating) {
		self->has_checked_requests = true;
		mz_object_do(self, mask_of(self), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
	}
	self->requests.blocked = blocked;
}
