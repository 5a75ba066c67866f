/* SPDX-License-Identifier: MIT
 *
 * Fatal signals. The handler runs on a stack of its own, large enough for the engine: a thread that crashed is left
 * there for good and the execution goes on with the others from inside the handler.
 */
#include "base/alloc.h"
#include "runtime/exit.h"
#include "runtime/image.h"
#include "runtime/layout.h"
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK_SIZE (512 * 1024)

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* Below the stack, in its slot: the guard, or what a large frame reached beyond it. */
static bool is_below_stack(const struct mz_fiber *self, uintptr_t address)
{
	return address < (uintptr_t)self->stack_low && address >= (uintptr_t)self->stack_high - MZ_LAYOUT_STACK_SLOT;
}

static void die(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void report_overflow(struct mz_fiber *self, uintptr_t code)
{
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .place = {self, code, NULL}};
	mz_report(&report, "stack overflow");
}

/* Found on the way into an operation: the place is where the program called us. */
_Noreturn void mz_stack_overflow(struct mz_fiber *self)
{
	void *frames[16];
	int n = backtrace(frames, 16), i = 0;
	while (i < n && !mz_image_owns_code((uintptr_t)frames[i])) i++;
	report_overflow(self, i < n ? (uintptr_t)frames[i] : 0);
	mz_exit_failed(self);
}

static void report_crash(struct mz_fiber *self, int number, const siginfo_t *info, uintptr_t code)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .place = {self, code + 1, NULL}};
	if (number == SIGSEGV && is_below_stack(self, address))
		report_overflow(self, code + 1);
	else if (number == SIGSEGV || number == SIGBUS)
		mz_report(&report, "SIG%s at address %#lx", sigabbrev_np(number), address);
	else
		mz_report(&report, "SIG%s", sigabbrev_np(number));
}

static void handle(int number, siginfo_t *info, void *context)
{
	if (number == SIGSEGV && info->si_code == SEGV_ACCERR && mz_image_page_fault((uintptr_t)info->si_addr)) return;
	struct mz_fiber *self = mz_current;
	if (!self) {
		die(number);
		return;
	}
	const ucontext_t *state = context;
	mz_commit_failed(self);
	report_crash(self, number, info, (uintptr_t)state->uc_mcontext.gregs[REG_RIP]);
	mz_exit_failed(self);
}

void mz_crash_init(void)
{
	void *stack =
	    mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED) mz_unsupported("out of memory");
	stack_t alternative = {.ss_sp = stack, .ss_size = STACK_SIZE};
	sigaltstack(&alternative, NULL);
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
}
