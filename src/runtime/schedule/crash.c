/* SPDX-License-Identifier: MIT
 *
 * Fatal signals. The handler runs on a stack of its own, large enough for the engine: a thread that crashed is left
 * there for good and the execution goes on with the others from inside the handler.
 */
#include "runtime/schedule/crash.h"
#include "base/bug.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_SIZE (512 * 1024)

static void die(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Found on the way into an operation: the place is where the program called us. A program that handles overflows is to
 * see one, with nothing done yet. */
_Noreturn void mz_stack_overflow(struct mz_fiber *self)
{
	bool handled = mz_signals_catches(self, SIGSEGV) && mz_signals_wants_alternate(SIGSEGV) && self->alternate.size;
	if (handled && !mz_rt.invariants.evaluating) *(volatile char *)(self->stack_low - 1) = 0;
	mz_crash_report_overflow(self, mz_trap_place((uintptr_t)__builtin_return_address(0)));
	mz_thread_failed(self);
}

/* Reports whether another process sent the signal. */
static bool is_from_outside(const siginfo_t *info)
{
	return info->si_code <= 0 && info->si_pid != getpid();
}

/* Nothing of the program is running: the fault is Mazurka's own. */
static _Noreturn void fail_internally(int number, const siginfo_t *info)
{
	char text[64];
	snprintf(text, sizeof text, "SIG%s at address %p", sigabbrev_np(number), info->si_addr);
	MZ_BUG(text);
}

/* Handles a fatal signal: first faults at pages of the image that are watched for writes; then those that the program
 * handles itself; the rest are findings. */
static void handle(int number, siginfo_t *info, void *context)
{
	if (number == SIGSEGV && info->si_code == SEGV_ACCERR && mz_image_page_fault((uintptr_t)info->si_addr)) return;
	struct mz_fiber *self = mz_current;
	if (is_from_outside(info)) {
		die(number);
		return;
	}
	if (!self) fail_internally(number, info);
	if (mz_trap_divert(self, number, info, context)) return;
	const ucontext_t *state = context;
	mz_commit_failed(self);
	mz_crash_report(self, number, (uintptr_t)info->si_addr,
	                mz_trap_place((uintptr_t)state->uc_mcontext.gregs[REG_RIP]));
	mz_thread_failed(self);
}

void mz_crash_init(void)
{
	void *stack =
	    mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED) mz_unsupported("out of memory");
	stack_t early, alternative = {.ss_sp = stack, .ss_size = STACK_SIZE};
	MZ_REAL(sigaltstack)(&alternative, &early);
	if (!(early.ss_flags & SS_DISABLE)) mz_trap_early(&early);
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	sigset_t ours;
	sigemptyset(&ours);
	for (int number = 1; number <= MZ_FATAL_MAX; number++) {
		if (!mz_crash_is_ours(number)) continue;
		MZ_REAL(sigaction)(number, &action, NULL);
		sigaddset(&ours, number);
	}
	MZ_REAL(sigprocmask)(SIG_UNBLOCK, &ours, NULL);
}
