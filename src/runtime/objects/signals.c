/* SPDX-License-Identifier: MIT */
#include "runtime/objects/signals.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/fatal.h"
#include "runtime/objects/ignored.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool calls_kill(const char *module, const char *symbol)
{
	(void)module;
	static const char names[] = " kill killpg pthread_kill pthread_sigqueue sigqueue tgkill ";
	char word[24];
	return snprintf(word, sizeof word, " %s ", symbol) < (int)sizeof word && strstr(names, word);
}

bool mz_signals_are_seen(void)
{
	static int seen = -1;
	if (seen < 0) seen = mz_imports_any_instrumented(calls_kill);
	return seen;
}

/* Signals that the handler sent to its own thread are handled when it has returned. abort() never returns. */
void mz_signals_trap(struct mz_fiber *self, siginfo_t *info, ucontext_t *context, uintptr_t caller)
{
	int number = info->si_signo, trapped = self->trap.signal;
	uintptr_t address = (uintptr_t)info->si_addr;
	const struct sigaction action = mz_signals_take_action(self, number, caller);
	if (!mz_signals_is_handler(&action)) {
		mz_crash_report(self, number, address, caller);
		mz_thread_failed(self);
	}
	self->trap.signal = number;
	self->trap.at = caller;
	self->trap.address = address;
	mz_signals_run_handler(self, &action, number, info, context);
	if (mz_request_any(self, mz_signals_unblocked(self)))
		mz_request_signals(self, mz_signals_unblocked(self), caller);
	if (number == SIGABRT) {
		mz_crash_report(self, number, address, caller);
		mz_thread_failed(self);
	}
	self->trap.signal = trapped;
}

int mz_signals_mask(struct mz_fiber *self, int how, const sigset_t *set, sigset_t *old, uintptr_t caller)
{
	uint64_t before = self->requests.blocked, named = set ? mz_signals_of(set) : 0;
	if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
	uint64_t blocked = before;
	if (set && how == SIG_BLOCK) blocked |= named;
	if (set && how == SIG_UNBLOCK) blocked &= ~named;
	if (set && how == SIG_SETMASK) blocked = named;
	mz_ignored_set_blocked(self, blocked & ~(mz_signals_bit(SIGKILL) | mz_signals_bit(SIGSTOP)), caller);
	sigset_t was;
	mz_signals_to(before, &was);
	mz_plain_result(self, old, &was, sizeof was, caller);
	if (before != self->requests.blocked) mz_spin_forget(self);
	if (before & ~self->requests.blocked) mz_request_signals(self, mz_signals_unblocked(self), caller);
	return 0;
}

/* Sends the signal to the thread with that handle (0: to the process), unless it is ignored. Returns 0 or an error
 * number. */
static int send(struct mz_fiber *self, unsigned long handle, const struct mz_signal_info *info, uintptr_t caller)
{
	struct mz_fiber *target = handle ? mz_thread_from(handle) : NULL;
	int error = 0;
	bool looks = info->number && (!handle || target), section = looks && mz_rt.mode.discards_ignored;
	bool own = target == self && !mz_signals_blocks(self, info->number); /* it is discarded at once */
	uint64_t blocked = section ? mz_ignored_begin_section(self, caller) : 0;
	if (looks && !own && mz_ignored_discards(self, target, info->number, caller)) goto end;
	if (handle)
		error = mz_request_signal(self, handle, info, caller);
	else
		mz_request_signal_process(self, info, caller);
end:
	if (section) mz_ignored_end_section(self, blocked, caller);
	return error;
}

int mz_signals_send(struct mz_fiber *self, unsigned long handle, const struct mz_signal_info *info, uintptr_t caller)
{
	int number = info->number;
	if (number && !mz_signals_is_valid(number)) return EINVAL;
	bool own = handle == (unsigned long)self;
	if (!own || mz_signals_blocks(self, number)) mz_request_expect(MZ_REQUESTS_SIGNAL);
	int error = send(self, handle, info, caller);
	if (!error && own) mz_request_signals(self, mz_signals_unblocked(self), caller);
	return error;
}

/* While there is no other thread that could take it, a signal that is not blocked is one to the thread itself. */
int mz_signals_send_to_process(struct mz_fiber *self, const struct mz_signal_info *info, uintptr_t caller)
{
	int number = info->number;
	if (number && !mz_signals_is_valid(number)) return EINVAL;
	if (!number) return 0;
	bool is_expected = mz_rt.mode.process_signals & mz_signals_bit(number);
	if (!is_expected && !mz_signals_blocks(self, number) && mz_request_is_alone(self))
		return mz_signals_send(self, (unsigned long)self, info, caller);
	mz_request_expect_of_process(mz_signals_bit(number));
	send(self, 0, info, caller);
	if (!mz_signals_blocks(self, number)) mz_request_signals(self, mz_signals_unblocked(self), caller);
	return 0;
}

int mz_signals_wait(struct mz_fiber *self, uint64_t set, uint64_t until, struct mz_signal_info *info, uintptr_t caller)
{
	uint64_t others = mz_signals_deliverable(self) & ~set;
	int number = 0;
	bool late = false;
	if (until == MZ_TIME_INVALID) return EINVAL;
	for (bool awaits = false;; awaits = !number && !until) {
		number = mz_request_take(self, set | others, awaits, caller);
		if (number && (set & mz_signals_bit(number))) {
			*info = mz_signals_forget_taken(self, number);
			return 0;
		}
		if (number && mz_signals_deliver(self, number, caller) != MZ_INTERRUPTED_NOT) return EINTR;
		if (number || !until) continue;
		if (late) return EAGAIN;
		if (mz_timers_reach(self, until, caller) != MZ_INTERRUPTED_NOT) return EINTR;
		if (!mz_timers_may_be_set()) return EAGAIN;
		late = true; /* a timer may have sent one meanwhile */
	}
}

/* Signals that were pending before are handled first, and do not end the pause. */
void mz_signals_pause(struct mz_fiber *self, uint64_t blocked, uintptr_t caller)
{
	uint64_t before = self->requests.blocked;
	struct mz_signal_info info;
	mz_request_before(self);
	mz_ignored_set_blocked(self, blocked, caller);
	while (mz_signals_wait(self, 0, 0, &info, caller) != EINTR) {}
	mz_ignored_set_blocked(self, before, caller);
}
