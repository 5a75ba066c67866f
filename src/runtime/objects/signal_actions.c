/* SPDX-License-Identifier: MIT */
#include "runtime/objects/signal_actions.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/fatal.h"
#include "runtime/objects/ignored.h"
#include "runtime/objects/model.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct mz_state at_first; /* the dispositions that every execution begins with: set by constructors */
static uint64_t first_blocked;   /* likewise, the signals that the first thread blocks */
static uint64_t inherited;       /* the signals that were blocked when the process began, not by the program */

int mz_signals_first(uint64_t signals)
{
	uint64_t faults = mz_signals_bit(SIGSEGV) | mz_signals_bit(SIGBUS) | mz_signals_bit(SIGILL) |
	                  mz_signals_bit(SIGTRAP) | mz_signals_bit(SIGFPE) | mz_signals_bit(SIGSYS);
	if (signals & faults) signals &= faults;
	return mz_signals_of_bit(signals & ~1UL ? signals & ~1UL : signals);
}

/* ---- dispositions ---- */

/* No other signal is handled meanwhile, because the mask of the handler is not set yet. */
struct sigaction mz_signals_take_action(struct mz_fiber *self, int number, uintptr_t caller)
{
	self->has_checked_requests = true;
	mz_signals_touch_action(self, number, false, caller);
	if (!(mz_signals_action_of(number).sa_flags & (int)SA_RESETHAND)) return mz_signals_action_of(number);
	self->has_checked_requests = true;
	mz_signals_touch_action(self, number, true, caller);
	const struct sigaction action = mz_signals_action_of(number);
	if (action.sa_flags & (int)SA_RESETHAND)
		mz_signals_set_action(number, &(struct sigaction){.sa_handler = SIG_DFL});
	return action;
}

/* The kernel's dispositions before the program changed them: the kernel sends some signals itself, and what the program
 * sets for those ends with the execution. */
static struct sigaction kernels[MZ_SIGNALS_MAX + 1]; /* by signal number */
static uint64_t passed_on;

static void pass_on(int number, const struct sigaction *new)
{
	if (!(passed_on & mz_signals_bit(number))) MZ_REAL(sigaction)(number, NULL, &kernels[number]);
	passed_on |= mz_signals_bit(number);
	MZ_REAL(sigaction)(number, new, NULL);
}

static void take_back(void)
{
	for (; passed_on; passed_on &= passed_on - 1) {
		int number = mz_signals_of_bit(passed_on);
		MZ_REAL(sigaction)(number, &kernels[number], NULL);
	}
}

int mz_signals_action(struct mz_fiber *self, int number, const struct sigaction *new, struct sigaction *old,
                      uintptr_t caller)
{
	if (!mz_signals_is_valid(number) || mz_signals_is_internal(number)) return EINVAL;
	if (new && (number == SIGKILL || number == SIGSTOP)) return EINVAL;
	struct sigaction before;
	if (new) {
		mz_ignored_set_action(self, number, new, &before, caller);
	} else {
		mz_signals_touch_action(self, number, false, caller);
		before = mz_signals_action_of(number);
	}
	mz_spin_forget(self);
	if (new && !mz_crash_is_ours(number)) pass_on(number, new);
	if (old) *old = before;
	return 0;
}

/* ---- handling ---- */

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
	if (self->trap.signal == number) { /* sent again by the handler of a fault */
		mz_crash_report(self, number, self->trap.address, self->trap.at);
		mz_thread_failed(self);
	}
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .key = (uint64_t)number, .place = {self, caller, NULL}};
	mz_report(&report, "SIG%s, and no handler for it", sigabbrev_np(number) ? sigabbrev_np(number) : "RT");
	mz_thread_failed(self);
}

siginfo_t mz_signals_info(const struct mz_signal_info *info)
{
	siginfo_t told;
	memset(&told, 0, sizeof told);
	told.si_signo = info->number;
	told.si_code = info->code;
	if (info->code == SI_TIMER) {
		told.si_timerid = info->timer;
		told.si_overrun = info->overrun;
	} else if (info->code != SI_KERNEL) {
		told.si_pid = getpid();
		told.si_uid = getuid();
	}
	if (info->code < 0 && info->code != SI_TKILL) told.si_value.sival_ptr = (void *)(uintptr_t)info->value;
	return told;
}

/* Calls a handler with a siginfo_t. This is a function of its own so that other handlers do not find the process number
 * on the stack, which differs between the processes of a search of states. */
static __attribute__((noinline)) void call_with_info(const struct sigaction *action, const struct mz_signal_info *taken)
{
	static ucontext_t context; /* handlers get an empty context */
	siginfo_t info = mz_signals_info(taken);
	action->sa_sigaction(info.si_signo, &info, &context);
}

/* Calls the handler. `info` is NULL unless the kernel has sent the signal; else `taken` says what is known of it. */
static void call_handler(const struct sigaction *action, int number, siginfo_t *info, ucontext_t *context,
                         const struct mz_signal_info *taken)
{
	if (!(action->sa_flags & SA_SIGINFO))
		action->sa_handler(number);
	else if (info)
		action->sa_sigaction(number, info, context);
	else
		call_with_info(action, taken);
}

/* Signals that were not sent come from the kernel on behalf of the thread itself. */
struct mz_signal_info mz_signals_forget_taken(struct mz_fiber *self, int number)
{
	struct mz_signal_info taken = self->requests.taken;
	if (taken.number != number) taken = (struct mz_signal_info){.number = number, .code = SI_USER};
	self->requests.taken = (struct mz_signal_info){0};
	return taken;
}

/* Handles the signals that SELF has found together with the one that it is about to handle. */
static void handle_others_first(struct mz_fiber *self)
{
	uint64_t others = self->requests.found_too & mz_signals_unblocked(self);
	self->requests.found_too = 0;
	if (others) mz_request_before(self);
}

/* Calls the handler with the signals blocked that it is to block. The mask is then what it was before, unless the
 * handler has changed that in its context; and so is the floating-point environment. */
void mz_signals_run_handler(struct mz_fiber *self, const struct sigaction *action, int number, siginfo_t *info,
                            ucontext_t *context)
{
	const struct mz_signal_info taken = mz_signals_forget_taken(self, number);
	uint64_t blocked = self->requests.blocked, environment = mz_arch_float();
	uint64_t added = mz_signals_of(&action->sa_mask) | (action->sa_flags & SA_NODEFER ? 0 : mz_signals_bit(number));
	mz_ignored_set_blocked(self, blocked | added, self->caller);
	mz_spin_forget(self);
	mz_arch_set_float(MZ_ARCH_FLOAT_INITIAL);
	mz_caller_wipe();
	bool handles = self->in_handler;
	self->in_handler = true;
	handle_others_first(self);
	call_handler(action, number, info, context, &taken);
	self->in_handler = handles;
	mz_arch_set_float(environment);
	mz_spin_forget(self);
	mz_ignored_set_blocked(self, context ? mz_signals_of(&context->uc_sigmask) : blocked, self->caller);
}

enum mz_interrupted mz_signals_deliver(struct mz_fiber *self, int number, uintptr_t caller)
{
	const struct sigaction action = mz_signals_take_action(self, number, caller);
	if (!mz_signals_is_handler(&action)) mz_signals_forget_taken(self, number);
	if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN) return MZ_INTERRUPTED_NOT;
	if (!mz_signals_is_handler(&action)) return act_by_default(self, number, caller);
	mz_signals_run_handler(self, &action, number, NULL, NULL);
	return action.sa_flags & SA_RESTART ? MZ_INTERRUPTED_RESTARTS : MZ_INTERRUPTED;
}

/* ---- faults ---- */

bool mz_signals_catches(const struct mz_fiber *fiber, int number)
{
	const struct sigaction action = mz_signals_action_of(number);
	return mz_signals_is_handler(&action) && !mz_signals_blocks(fiber, number);
}

bool mz_signals_wants_alternate(int number)
{
	return mz_signals_action_of(number).sa_flags & SA_ONSTACK;
}

/* ---- masks ---- */

/* The kernel writes the first word of a set only: the mask is in the last two, in one of them so that it can be told
 * from anything else. */
#define WORDS (sizeof(sigset_t) / sizeof(unsigned long))
#define MARK 0x6d617a75726b6121UL

void mz_signals_keep_mask(const struct mz_fiber *self, sigset_t *set)
{
	set->__val[WORDS - 2] = self->requests.blocked;
	set->__val[WORDS - 1] = self->requests.blocked ^ MARK;
}

void mz_signals_take_mask(struct mz_fiber *self, const sigset_t *set)
{
	uint64_t kept = set->__val[WORDS - 2];
	if (set->__val[WORDS - 1] != (kept ^ MARK)) return;
	if (self->requests.blocked != kept) mz_spin_forget(self);
	self->requests.blocked = kept;
}

/* ---- executions ---- */

static bool leaves(const char *module, const char *symbol)
{
	(void)module;
	static const char *const names[] = {"setcontext", "sigaltstack", "swapcontext", "pthread_attr_setstack",
	                                    "pthread_attr_setstackaddr"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(symbol, names[i]) == 0) return true;
	return false;
}

void mz_signals_reset(void)
{
	take_back();
	at_first.at = 0;
	mz_signals_load(&at_first);
	mz_rt.fibers[0].requests.blocked = first_blocked;
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
	if (number > 0 && number <= MZ_SIGNALS_MAX) mz_signals_set_action(number, new);
}

void mz_signals_save(void)
{
	mz_rt.seen.leaves_stacks = mz_imports_any_instrumented(leaves);
	first_blocked = kernel_mask() & ~inherited;
	mz_signals_store(&at_first);
}
