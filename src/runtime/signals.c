/* SPDX-License-Identifier: MIT */
#include "runtime/signals.h"
#include "runtime/access.h"
#include "runtime/arch.h"
#include "runtime/exit.h"
#include "runtime/image.h"
#include "runtime/imports.h"
#include "runtime/model.h"
#include "runtime/real.h"
#include "runtime/request.h"
#include "runtime/spin.h"
#include "runtime/state.h"
#include "runtime/time.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct sigaction actions[MZ_SIGNALS_MAX + 1];
static uint64_t set_actions; /* that are not the default: all others are */

static struct mz_state at_first; /* the first execution: handlers that constructors set */
static uint64_t first_blocked;   /* likewise, the signals that the first thread blocks */
static uint64_t inherited;       /* those that were blocked when the process began, which is not the program's doing */

static uint64_t bit(int number)
{
	return (uint64_t)1 << number;
}

static bool is_valid(int number)
{
	if (number == MZ_SIGNALS_MAX + 1) mz_unsupported("it uses the signal SIGRTMAX, which is not modelled");
	return number > 0 && number <= MZ_SIGNALS_MAX;
}

uint64_t mz_signals_of(const sigset_t *set)
{
	uint64_t signals = 0;
	for (int number = 1; number <= MZ_SIGNALS_MAX; number++)
		if (sigismember(set, number) == 1) signals |= bit(number);
	return signals;
}

void mz_signals_to(uint64_t signals, sigset_t *set)
{
	sigemptyset(set);
	for (int number = 1; number <= MZ_SIGNALS_MAX; number++)
		if (signals & bit(number)) sigaddset(set, number);
}

/* ---- dispositions ---- */

/* Who changes one and who acts by it are told apart by their order. */
static void touch_action(struct mz_fiber *self, int number, bool changes, uintptr_t caller)
{
	struct mz_object *object = mz_object_find((uintptr_t)&actions[number]);
	mz_object_do(self, object, changes ? MZ_OP_ACCESS : MZ_OP_LOAD, changes ? MZ_WRITE : MZ_READ, 0, caller);
}

static struct sigaction action_of(int number)
{
	return set_actions & bit(number) ? actions[number] : (struct sigaction){.sa_handler = SIG_DFL};
}

static void set_action(int number, const struct sigaction *new)
{
	bool is_default = !(new->sa_flags &SA_SIGINFO) && new->sa_handler == SIG_DFL;
	set_actions = is_default ? set_actions & ~bit(number) : set_actions | bit(number);
	memset(&actions[number], 0, sizeof actions[number]); /* all bytes tell states apart */
	actions[number].sa_sigaction = new->sa_sigaction;
	actions[number].sa_flags = new->sa_flags;
	mz_signals_to(mz_signals_of(&new->sa_mask), &actions[number].sa_mask);
}

/* The kernel sends some signals itself. What the program makes of them ends with the execution. */
static struct sigaction kernels[MZ_SIGNALS_MAX + 1]; /* before */
static uint64_t passed_on;

static void pass_on(int number, const struct sigaction *new)
{
	if (!(passed_on & bit(number))) MZ_REAL(sigaction)(number, NULL, &kernels[number]);
	passed_on |= bit(number);
	MZ_REAL(sigaction)(number, new, NULL);
}

static void take_back(void)
{
	for (; passed_on; passed_on &= passed_on - 1) {
		int number = __builtin_ctzll(passed_on);
		MZ_REAL(sigaction)(number, &kernels[number], NULL);
	}
}

int mz_signals_action(struct mz_fiber *self, int number, const struct sigaction *new, struct sigaction *old,
                      uintptr_t caller)
{
	if (!is_valid(number) || (new && (number == SIGKILL || number == SIGSTOP))) return EINVAL;
	touch_action(self, number, new != NULL, caller);
	mz_spin_forget(self);
	const struct sigaction before = action_of(number);
	if (new) set_action(number, new);
	if (new && !mz_crash_is_ours(number)) pass_on(number, new);
	if (old) *old = before;
	return 0;
}

/* ---- handling ---- */

static uint64_t unblocked(const struct mz_fiber *fiber)
{
	return ~(fiber->blocked | 1);
}

static enum mz_interrupted act_by_default(struct mz_fiber *self, int number, uintptr_t caller)
{
	switch (number) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH: return MZ_INTERRUPTED_NOT;
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU: mz_unsupported("it stops itself with a signal");
	default: break;
	}
	if (self->trapped == number) { /* sent again by the handler of a fault */
		mz_crash_report(self, number, self->trapped_address, self->trapped_at);
		mz_thread_failed(self);
	}
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .key = (uint64_t)number, .place = {self, caller, NULL}};
	mz_report(&report, "SIG%s, and no handler for it", sigabbrev_np(number) ? sigabbrev_np(number) : "RT");
	mz_thread_failed(self);
}

/* A function of its own: who does not ask for it has no number of the process on the stack, which differs from one to
 * another where states are searched by several. */
static __attribute__((noinline)) void call_with_info(const struct sigaction *action, int number)
{
	static ucontext_t context; /* of no use to anybody */
	siginfo_t info;
	memset(&info, 0, sizeof info);
	info.si_signo = number;
	info.si_code = SI_TKILL;
	info.si_pid = getpid();
	action->sa_sigaction(number, &info, &context);
}

/* `info` is NULL unless the kernel has sent the signal. */
static void call(const struct sigaction *action, int number, siginfo_t *info, ucontext_t *context)
{
	if (!(action->sa_flags & SA_SIGINFO))
		action->sa_handler(number);
	else if (info)
		action->sa_sigaction(number, info, context);
	else
		call_with_info(action, number);
}

static bool is_handler(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Calls the handler with the signals blocked that it is to block. The mask is then what it was before, unless the
 * handler has changed that in its context; and so is the floating-point environment. */
static void run_handler(struct mz_fiber *self, const struct sigaction *action, int number, siginfo_t *info,
                        ucontext_t *context)
{
	uint64_t blocked = self->blocked, environment = mz_arch_float();
	self->blocked |= mz_signals_of(&action->sa_mask) | (action->sa_flags & SA_NODEFER ? 0 : bit(number));
	if (action->sa_flags & (int)SA_RESETHAND) set_actions &= ~bit(number);
	mz_spin_forget(self);
	mz_arch_set_float(MZ_ARCH_FLOAT_INITIAL);
	mz_caller_wipe();
	bool handles = self->handles;
	self->handles = true;
	call(action, number, info, context);
	self->handles = handles;
	mz_arch_set_float(environment);
	mz_spin_forget(self);
	self->blocked = context ? mz_signals_of(&context->uc_sigmask) : blocked;
}

enum mz_interrupted mz_signals_deliver(struct mz_fiber *self, int number, uintptr_t caller)
{
	self->fresh = true; /* other signals wait until this one blocks what it is to block */
	touch_action(self, number, false, caller);
	const struct sigaction action = action_of(number);
	if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN) return MZ_INTERRUPTED_NOT;
	if (!(set_actions & bit(number))) return act_by_default(self, number, caller);
	run_handler(self, &action, number, NULL, NULL);
	return action.sa_flags & SA_RESTART ? MZ_INTERRUPTED_RESTARTS : MZ_INTERRUPTED;
}

/* ---- faults ---- */

bool mz_signals_catches(const struct mz_fiber *fiber, int number)
{
	const struct sigaction action = action_of(number);
	return is_handler(&action) && !mz_signals_blocks(fiber, number);
}

bool mz_signals_wants_alternate(int number)
{
	return action_of(number).sa_flags & SA_ONSTACK;
}

/* What the handler sent itself meanwhile is handled when it is over. Nobody returns from abort(). */
void mz_signals_trap(struct mz_fiber *self, siginfo_t *info, ucontext_t *context, uintptr_t caller)
{
	int number = info->si_signo, trapped = self->trapped;
	uintptr_t address = (uintptr_t)info->si_addr;
	self->fresh = true;
	touch_action(self, number, false, caller);
	const struct sigaction action = action_of(number);
	if (!is_handler(&action)) {
		mz_crash_report(self, number, address, caller);
		mz_thread_failed(self);
	}
	self->trapped = number;
	self->trapped_at = caller;
	self->trapped_address = address;
	run_handler(self, &action, number, info, context);
	if (mz_request_any(self, unblocked(self))) mz_request_signals(self, unblocked(self), caller);
	if (number == SIGABRT) {
		mz_crash_report(self, number, address, caller);
		mz_thread_failed(self);
	}
	self->trapped = trapped;
}

/* ---- masks ---- */

uint64_t mz_signals_deliverable(const struct mz_fiber *fiber)
{
	return mz_rt.interrupts && !fiber->leaving ? unblocked(fiber) : 0;
}

int mz_signals_mask(struct mz_fiber *self, int how, const sigset_t *set, sigset_t *old, uintptr_t caller)
{
	uint64_t before = self->blocked, named = set ? mz_signals_of(set) : 0;
	if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
	if (set && how == SIG_BLOCK) self->blocked |= named;
	if (set && how == SIG_UNBLOCK) self->blocked &= ~named;
	if (set && how == SIG_SETMASK) self->blocked = named;
	self->blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
	sigset_t was;
	mz_signals_to(before, &was);
	mz_plain_result(self, old, &was, sizeof was, caller);
	if (before != self->blocked) mz_spin_forget(self);
	if (before & ~self->blocked) mz_request_signals(self, unblocked(self), caller);
	return 0;
}

/* The kernel writes the first word of a set only: the mask is in the last two, in one of them so that it can be told
 * from anything else. */
#define WORDS (sizeof(sigset_t) / sizeof(unsigned long))
#define MARK 0x6d617a75726b6121UL

void mz_signals_keep_mask(const struct mz_fiber *self, sigset_t *set)
{
	set->__val[WORDS - 2] = self->blocked;
	set->__val[WORDS - 1] = self->blocked ^ MARK;
}

void mz_signals_take_mask(struct mz_fiber *self, const sigset_t *set)
{
	uint64_t kept = set->__val[WORDS - 2];
	if (set->__val[WORDS - 1] != (kept ^ MARK)) return;
	if (self->blocked != kept) mz_spin_forget(self);
	self->blocked = kept;
}

/* ---- sending and waiting ---- */

int mz_signals_send(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller)
{
	if (number && !is_valid(number)) return EINVAL;
	bool own = handle == (unsigned long)self;
	if (!own || mz_signals_blocks(self, number)) mz_request_expect(MZ_REQUESTS_SIGNAL);
	int error = mz_request_signal(self, handle, number, caller);
	if (!error && own) mz_request_signals(self, unblocked(self), caller);
	return error;
}

int mz_signals_wait(struct mz_fiber *self, uint64_t set, uint64_t until, int *number, uintptr_t caller)
{
	uint64_t others = mz_signals_deliverable(self) & ~set;
	if (until == MZ_TIME_INVALID) return EINVAL;
	for (bool awaits = false;; awaits = !*number) {
		*number = mz_request_take(self, set | others, awaits, caller);
		if (*number && (set & bit(*number))) return 0;
		if (*number && mz_signals_deliver(self, *number, caller) != MZ_INTERRUPTED_NOT) return EINTR;
		if (*number || !until) continue;
		mz_time_reach(self, until);
		return EAGAIN;
	}
}

/* What was pending before is handled before, and does not end it. */
void mz_signals_pause(struct mz_fiber *self, uint64_t blocked, uintptr_t caller)
{
	uint64_t before = self->blocked;
	int number;
	mz_request_before(self);
	self->blocked = blocked;
	while (mz_signals_wait(self, 0, 0, &number, caller) != EINTR) {}
	self->blocked = before;
}

/* ---- executions ---- */

static bool calls_kill(const char *module, const char *symbol)
{
	(void)module;
	return strcmp(symbol, "pthread_kill") == 0 || strcmp(symbol, "kill") == 0;
}

bool mz_signals_are_seen(void)
{
	static int seen = -1;
	if (seen < 0) seen = mz_imports_any_instrumented(calls_kill);
	return seen;
}

static bool leaves(const char *module, const char *symbol)
{
	(void)module;
	static const char *const names[] = {"setcontext", "sigaltstack", "swapcontext"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(symbol, names[i]) == 0) return true;
	return false;
}

void mz_signals_reset(void)
{
	take_back();
	at_first.at = 0;
	mz_signals_load(&at_first);
	mz_rt.fibers[0].blocked = first_blocked;
}

static uint64_t kernel_mask(void)
{
	sigset_t set;
	MZ_REAL(pthread_sigmask)(SIG_BLOCK, NULL, &set);
	return mz_signals_of(&set);
}

void mz_signals_init(void)
{
	inherited = kernel_mask();
}

void mz_signals_early(int number, const struct sigaction *new)
{
	if (number > 0 && number <= MZ_SIGNALS_MAX) set_action(number, new);
}

void mz_signals_save(void)
{
	mz_rt.leaves_stacks = mz_imports_any_instrumented(leaves);
	first_blocked = kernel_mask() & ~inherited;
	mz_signals_store(&at_first);
}

void mz_signals_store(struct mz_state *state)
{
	mz_state_put(state, &set_actions, sizeof set_actions);
	for (uint64_t left = set_actions; left; left &= left - 1)
		mz_state_put(state, &actions[__builtin_ctzll(left)], sizeof *actions);
}

void mz_signals_load(struct mz_state *state)
{
	mz_state_get(state, &set_actions, sizeof set_actions);
	for (uint64_t left = set_actions; left; left &= left - 1)
		mz_state_get(state, &actions[__builtin_ctzll(left)], sizeof *actions);
}
