/* SPDX-License-Identifier: MIT */
#include "runtime/caller.h"
#include "runtime/layout.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include <stddef.h>
#include <string.h>

struct mz_caller mz_caller;
struct mz_stack mz_stack;
uint8_t mz_notes_reads, mz_notes_writes, mz_notes_plain_reads, mz_notes_plain_writes, mz_notes_others;

void mz_caller_reset(void)
{
	mz_caller.place = 0;
	bool wipes = mz_rt.spins && (mz_rt.session->learned.loops || mz_rt.given);
	mz_notes_writes = mz_rt.pauses ? MZ_NOTES_ALL : wipes ? MZ_NOTES_WIPES : 0;
	mz_notes_reads = mz_notes_writes | (mz_rt.spins ? MZ_NOTES_PLACE : 0);
	uint8_t plain = mz_rt.points_all ? MZ_NOTES_ALL : MZ_NOTES_WIPES;
	mz_notes_plain_writes = mz_notes_writes & plain;
	mz_notes_plain_reads = mz_notes_reads & plain;
	mz_notes_others = mz_notes_writes & MZ_NOTES_WIPES;
}

struct mz_caller mz_caller_keep(void)
{
	return mz_rt.pauses ? (struct mz_caller){0} : mz_caller;
}

void mz_caller_again(const struct mz_caller *noted)
{
	if (!mz_rt.pauses) mz_caller = *noted;
}

#define LIBRARY_STACK                                                                                                  \
	(16UL << 10) /* what the C library uses at most, but for functions that need buffers of their own */

void mz_caller_deepens(void)
{
	uint8_t *here = __builtin_frame_address(0);
	if (!mz_caller_wipes() || !mz_stack.lowest ||
	    ((uintptr_t)here ^ (uintptr_t)mz_stack.low) >> MZ_LAYOUT_STACK_BITS)
		return;
	uint8_t *low = here - mz_stack.low > (ptrdiff_t)LIBRARY_STACK ? here - LIBRARY_STACK : mz_stack.low;
	if (low < *mz_stack.lowest) *mz_stack.lowest = low;
}

/* Not to be inlined: what is wiped is below whoever calls it. */
__attribute__((noinline)) void mz_caller_wipe(void)
{
	uint8_t dead[MZ_NOTES_WIPED];
	if (!mz_caller_wipes()) return;
	MZ_REAL(memset)(dead, 0, sizeof dead);
	__asm__ volatile("" ::"r"(dead) : "memory");
}
