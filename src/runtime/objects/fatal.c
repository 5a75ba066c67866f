/* SPDX-License-Identifier: MIT */
#include "runtime/objects/fatal.h"
#include "runtime/core/core.h"
#include <signal.h>
#include <string.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* Reports whether the address is below the stack, in its slot: in the guard, or beyond it, where a large frame
 * reached. */
static bool is_below_stack(const struct mz_fiber *self, uintptr_t address)
{
	return address < (uintptr_t)self->stack_low && address >= (uintptr_t)self->stack_high - MZ_LAYOUT_STACK_SLOT;
}

void mz_crash_report_overflow(struct mz_fiber *self, uintptr_t place)
{
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .place = {self, place, NULL}};
	mz_report(&report, "stack overflow");
}

void mz_crash_report(struct mz_fiber *self, int number, uintptr_t address, uintptr_t place)
{
	struct mz_report report = {.kind = MZ_FINDING_CRASH, .place = {self, place, NULL}};
	if (number == SIGSEGV && is_below_stack(self, address))
		mz_crash_report_overflow(self, place);
	else if (number == SIGSEGV || number == SIGBUS)
		mz_report(&report, "SIG%s at address %#lx", sigabbrev_np(number), address);
	else
		mz_report(&report, "SIG%s", sigabbrev_np(number));
}

bool mz_crash_is_ours(int number)
{
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (fatal[i] == number) return true;
	return false;
}
