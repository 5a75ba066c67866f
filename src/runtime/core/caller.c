/* SPDX-License-Identifier: MIT */
#include "runtime/core/caller.h"
#include "runtime/core/layout.h"
#include <stddef.h>

struct mz_caller mz_caller;
struct mz_stack mz_stack;
uint8_t mz_notes_reads, mz_notes_writes, mz_notes_plain_reads, mz_notes_plain_writes, mz_notes_others;
bool mz_plain_is_more;
static bool all_visible, followed; /* see mz_caller_reset(), mz_caller_follow() */

void mz_caller_reset(bool tells, bool wipes, bool spins, bool all)
{
	mz_caller.place = 0;
	mz_notes_writes = tells ? MZ_NOTES_ALL : wipes ? MZ_NOTES_WIPES : 0;
	mz_notes_reads = mz_notes_writes | (spins ? MZ_NOTES_PLACE : 0);
	uint8_t plain = all ? MZ_NOTES_ALL : MZ_NOTES_WIPES;
	mz_notes_plain_writes = mz_notes_writes & plain;
	mz_notes_plain_reads = mz_notes_reads & plain;
	mz_notes_others = mz_notes_writes & MZ_NOTES_WIPES;
	all_visible = all;
	mz_plain_is_more = all_visible || followed || mz_notes_others;
}

void mz_caller_follow(bool follows)
{
	followed = follows;
	mz_plain_is_more = all_visible || followed || mz_notes_others;
}

/* Reports whether states are told apart in this execution. */
static bool tells(void)
{
	return mz_notes_writes & MZ_NOTES_PLACE;
}

struct mz_caller mz_caller_keep(void)
{
	return tells() ? (struct mz_caller){0} : mz_caller;
}

void mz_caller_again(const struct mz_caller *noted)
{
	if (!tells()) mz_caller = *noted;
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

/* Wipes what is below the frame of its caller, and therefore must not be inlined. */
__attribute__((noinline)) void mz_caller_wipe(void)
{
	volatile uint64_t dead[MZ_NOTES_WIPED / sizeof(uint64_t)];
	if (!mz_caller_wipes()) return;
	for (size_t n = 0; n < sizeof dead / sizeof *dead; n++) dead[n] = 0;
}
