/* SPDX-License-Identifier: MIT */
#include "runtime/caller.h"
#include "runtime/runtime.h"

struct mz_caller mz_caller;
uint8_t mz_notes_reads, mz_notes_writes, mz_notes_plain_reads, mz_notes_plain_writes;

void mz_caller_reset(void)
{
	mz_caller.place = 0;
	mz_notes_writes = mz_rt.pauses ? MZ_NOTES_ALL : 0;
	mz_notes_reads = mz_notes_writes | (mz_rt.spins ? MZ_NOTES_PLACE : 0);
	mz_notes_plain_writes = mz_rt.points_all ? mz_notes_writes : 0;
	mz_notes_plain_reads = mz_rt.points_all ? mz_notes_reads : 0;
}
