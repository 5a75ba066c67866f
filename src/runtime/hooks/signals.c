/* SPDX-License-Identifier: MIT
 *
 * Signals. Dispositions are also passed on to the kernel, for signals that it sends.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

MZ_HOOKS_DECLARE(SIGNALS)

static int status(int error)
{
	if (!error) return 0;
	errno = error;
	return -1;
}

/* ---- sending ---- */

static void refuse_unseen(void)
{
	if (!mz_signals_are_seen())
		mz_unsupported("a library sends signals that was not built with mazurka cc: build it so");
}

static int send(struct mz_fiber *self, pthread_t thread, int number, uintptr_t caller)
{
	const struct mz_signal_info info = {.number = number, .code = SI_TKILL};
	return mz_signals_send(self, thread, &info, caller);
}

int mz_entry_pthread_kill(pthread_t thread, int number)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_kill)(mz_early_real_handle(thread), number);
	refuse_unseen();
	return send(mz_current, thread, number, MZ_CALLER());
}

int mz_entry_raise(int number)
{
	if (!MZ_SELF()) return MZ_REAL(raise)(number);
	return status(send(mz_current, mz_thread_handle(mz_current), number, MZ_CALLER()));
}

static struct mz_signal_info queued(int number, union sigval value)
{
	return (struct mz_signal_info){.number = number, .code = SI_QUEUE, .value = (uintptr_t)value.sival_ptr};
}

int mz_entry_pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_sigqueue)(mz_early_real_handle(thread), number, value);
	refuse_unseen();
	const struct mz_signal_info info = queued(number, value);
	return mz_signals_send(mz_current, thread, &info, MZ_CALLER());
}

/* Reports whether signals to that number, as kill() takes it, reach the program's process. Of its group, which it shares
 * with whoever started it, only the program is meant. */
static bool is_own(pid_t process)
{
	return process == getpid() || process == 0 || (process < -1 && -process == getpgrp());
}

static int send_to_process(struct mz_fiber *self, const struct mz_signal_info *info, uintptr_t caller)
{
	refuse_unseen();
	return status(mz_signals_send_to_process(self, info, caller));
}

/* Signals to other processes are left to the kernel. */
int mz_entry_kill(pid_t process, int number)
{
	if (!MZ_SELF()) return MZ_REAL(kill)(process, number);
	const struct mz_signal_info info = {.number = number, .code = SI_USER};
	if (is_own(process)) return send_to_process(mz_current, &info, MZ_CALLER());
	mz_uncontrolled(MZ_UNCONTROLLED_KILL);
	return MZ_REAL(kill)(process, number);
}

int mz_entry_killpg(pid_t group, int number)
{
	if (!MZ_SELF()) return MZ_REAL(killpg)(group, number);
	const struct mz_signal_info info = {.number = number, .code = SI_USER};
	if (group == 0 || group == getpgrp()) return send_to_process(mz_current, &info, MZ_CALLER());
	mz_uncontrolled(MZ_UNCONTROLLED_KILL);
	return MZ_REAL(killpg)(group, number);
}

int mz_entry_sigqueue(pid_t process, int number, const union sigval value)
{
	if (!MZ_SELF()) return MZ_REAL(sigqueue)(process, number, value);
	const struct mz_signal_info info = queued(number, value);
	if (process == getpid()) return send_to_process(mz_current, &info, MZ_CALLER());
	mz_uncontrolled(MZ_UNCONTROLLED_KILL);
	return MZ_REAL(sigqueue)(process, number, value);
}

/* ---- dispositions ---- */

int mz_entry_sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	if (!MZ_SELF()) {
		int result = MZ_REAL(sigaction)(number, new, old);
		if (MZ_IS_EARLY() && new &&result == 0) mz_signals_early(number, new);
		return result;
	}
	struct sigaction before;
	int error = mz_signals_action(mz_current, number, new, &before, MZ_CALLER());
	if (error) return status(error);
	mz_plain_result(mz_current, old, &before, sizeof before, MZ_CALLER());
	return 0;
}

static sighandler_t set_handler(struct mz_fiber *self, int number, sighandler_t handler, int flags, uintptr_t caller)
{
	struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
	sigemptyset(&new.sa_mask);
	return status(mz_signals_action(self, number, &new, &old, caller)) ? SIG_ERR : old.sa_handler;
}

/* Notes a disposition that was set before the first execution. Returns OLD, what the real function returned. */
static sighandler_t early_handler(int number, sighandler_t handler, int flags, sighandler_t old, uintptr_t caller)
{
	struct sigaction new = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&new.sa_mask);
	if (mz_early_is(caller) && old != SIG_ERR) mz_signals_early(number, &new);
	return old;
}

sighandler_t mz_entry_signal(int number, sighandler_t handler)
{
	if (!MZ_SELF())
		return early_handler(number, handler, SA_RESTART, MZ_REAL(signal)(number, handler), MZ_CALLER());
	return set_handler(mz_current, number, handler, SA_RESTART, MZ_CALLER());
}

/* signal() as programs get it that ask for the standard alone. */
#define SYSTEM_V(name)                                                                                                 \
	MZ_EXPORT sighandler_t name(int number, sighandler_t handler);                                                 \
	MZ_EXPORT sighandler_t name(int number, sighandler_t handler)                                                  \
	{                                                                                                              \
		const int flags = (int)SA_RESETHAND | SA_NODEFER;                                                      \
		if (!MZ_SELF())                                                                                        \
			return early_handler(number, handler, flags, MZ_REAL(name)(number, handler), MZ_CALLER());     \
		return set_handler(mz_current, number, handler, flags, MZ_CALLER());                                   \
	}
SYSTEM_V(sysv_signal)
SYSTEM_V(__sysv_signal)

/* The kernel only knows an alternate stack of ours (crash.c). */
MZ_EXPORT int sigaltstack(const stack_t *new, stack_t *old)
{
	if (!MZ_SELF()) return MZ_REAL(sigaltstack)(new, old);
	stack_t before;
	int error = mz_trap_alternate(mz_current, new, &before, (uintptr_t)__builtin_dwarf_cfa());
	if (!error) mz_plain_result(mz_current, old, &before, sizeof before, MZ_CALLER());
	return status(error);
}

/* ---- masks: not passed on, for the kernel knows of one thread only ---- */

int mz_entry_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_sigmask)(how, set, old);
	return mz_signals_mask(mz_current, how, set, old, MZ_CALLER());
}

int mz_entry_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	if (!MZ_SELF()) return MZ_REAL(sigprocmask)(how, set, old);
	return status(mz_signals_mask(mz_current, how, set, old, MZ_CALLER()));
}

int mz_entry_sigpending(sigset_t *set)
{
	if (!MZ_SELF()) return MZ_REAL(sigpending)(set);
	sigset_t pending;
	mz_signals_to(mz_request_pending(mz_current, MZ_CALLER()) & mz_current->requests.blocked, &pending);
	mz_plain_result(mz_current, set, &pending, sizeof pending, MZ_CALLER());
	return 0;
}

/* ---- places to come back to: the mask belongs to them ---- */

/* Called by x86_64/before.S, each before the function of its name. They return the real one. */
void *mz_before_sigsetjmp(struct __jmp_buf_tag *buffer, long keeps, uintptr_t caller);
void *mz_before_sigsetjmp(struct __jmp_buf_tag *buffer, long keeps, uintptr_t caller)
{
	bool ours = mz_current && mz_image_owns_code(caller);
	if (ours && (int)keeps) mz_signals_keep_mask(mz_current, &buffer->__saved_mask);
	return (void *)MZ_REAL(__sigsetjmp);
}

void *mz_before_getcontext(ucontext_t *context, long unused, uintptr_t caller);
void *mz_before_getcontext(ucontext_t *context, long unused, uintptr_t caller)
{
	(void)unused;
	if (mz_current && mz_image_owns_code(caller)) mz_signals_keep_mask(mz_current, &context->uc_sigmask);
	return (void *)MZ_REAL(getcontext);
}

void *mz_before_swapcontext(ucontext_t *old, ucontext_t *new, uintptr_t caller);
void *mz_before_swapcontext(ucontext_t *old, ucontext_t *new, uintptr_t caller)
{
	if (mz_current && mz_image_owns_code(caller)) {
		mz_spin_forget(mz_current);
		mz_fiber_leaves(mz_current, __builtin_frame_address(0));
		mz_signals_keep_mask(mz_current, &old->uc_sigmask);
		mz_signals_take_mask(mz_current, &new->uc_sigmask);
	}
	return (void *)MZ_REAL(swapcontext);
}

MZ_EXPORT int setcontext(const ucontext_t *context)
{
	if (MZ_SELF()) {
		mz_spin_forget(mz_current);
		mz_fiber_leaves(mz_current, __builtin_frame_address(0));
		mz_signals_take_mask(mz_current, &context->uc_sigmask);
	}
	return MZ_REAL(setcontext)(context);
}

/* Called before a jump: leaving the handler of a fault ends the handling of that fault. */
static void jump(struct mz_fiber *self, const struct __jmp_buf_tag *buffer)
{
	self->trap.signal = 0;
	if (buffer->__mask_was_saved) mz_signals_take_mask(self, &buffer->__saved_mask);
}

#define JUMP(name, real)                                                                                               \
	MZ_EXPORT _Noreturn void name(struct __jmp_buf_tag buffer[1], int value);                                      \
	MZ_EXPORT _Noreturn void name(struct __jmp_buf_tag buffer[1], int value)                                       \
	{                                                                                                              \
		static void (*jumps)(struct __jmp_buf_tag *, int);                                                     \
		if (!jumps) *(void **)&jumps = mz_real_find(#real);                                                    \
		if (MZ_SELF()) jump(mz_current, buffer);                                                               \
		jumps(buffer, value);                                                                                  \
		__builtin_unreachable();                                                                               \
	}
JUMP(longjmp, longjmp)
JUMP(_longjmp, longjmp)
JUMP(siglongjmp, longjmp)
/* The checking variant would ask the kernel whether the thread is on its alternate stack. */
JUMP(__longjmp_chk, longjmp)

/* ---- waiting ---- */

int mz_entry_sigwait(const sigset_t *set, int *number)
{
	if (!MZ_SELF()) return MZ_REAL(sigwait)(set, number);
	struct mz_signal_info taken;
	while (mz_signals_wait(mz_current, mz_signals_of(set), 0, &taken, MZ_CALLER()) == EINTR) {}
	MZ_RESULT(mz_current, number, taken.number, MZ_CALLER());
	return 0;
}

/* Waits as sigtimedwait does. Returns the number of the signal, or -1. */
static int wait_with_info(struct mz_fiber *self, const sigset_t *set, uint64_t until, siginfo_t *place,
                          uintptr_t caller)
{
	struct mz_signal_info taken;
	if (status(mz_signals_wait(self, mz_signals_of(set), until, &taken, caller))) return -1;
	siginfo_t info = mz_signals_info(&taken);
	if (info.si_code == SI_TKILL) info.si_code = SI_USER; /* as the C library tells it, unlike to a handler */
	mz_plain_result(self, place, &info, sizeof info, caller);
	return taken.number;
}

int mz_entry_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	if (!MZ_SELF()) return MZ_REAL(sigwaitinfo)(set, info);
	return wait_with_info(mz_current, set, 0, info, MZ_CALLER());
}

int mz_entry_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	if (!MZ_SELF()) return MZ_REAL(sigtimedwait)(set, info, time);
	uint64_t length = time ? mz_time_length(time) : 0, until = time ? mz_current->time + length : 0;
	if (length == MZ_TIME_INVALID) return status(EINVAL);
	if (time && !until) until = 1; /* 0 means for ever */
	return wait_with_info(mz_current, set, until, info, MZ_CALLER());
}

int mz_entry_pause(void)
{
	if (!MZ_SELF()) return MZ_REAL(pause)();
	mz_signals_pause(mz_current, mz_current->requests.blocked, MZ_CALLER());
	return status(EINTR);
}

int mz_entry_sigsuspend(const sigset_t *set)
{
	if (!MZ_SELF()) return MZ_REAL(sigsuspend)(set);
	mz_signals_pause(mz_current, mz_signals_of(set), MZ_CALLER());
	return status(EINTR);
}
