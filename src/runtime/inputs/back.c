/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/back.h"
#include "concolic/abi.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"

#define MOST_BYTES 1024 /* the C library takes back that many at least */
/* The bytes, the next one last: where in the file each is, and its expression, or 0. */
static struct {
	uint32_t count;
	struct {
		off_t at;
		uint32_t expression;
	} bytes[MOST_BYTES];
} back;

void mz_back_put(off_t at)
{
	if (back.count == MOST_BYTES) { /* the one that is read last is lost sight of */
		mz_inputs_lose(MZ_SYM_LOST_CALL, "ungetc", mz_lost_place(0));
		MZ_REAL(memmove)(back.bytes, back.bytes + 1, (--back.count) * sizeof *back.bytes);
	}
	back.bytes[back.count].at = at;
	back.bytes[back.count++].expression = 0;
}

void mz_back_set(uintptr_t byte)
{
	if (back.count) back.bytes[back.count - 1].expression = mz_shadow_load(byte, 1, *(const uint8_t *)byte);
}

size_t mz_back_take(uintptr_t to, size_t read, off_t start)
{
	size_t n = 0;
	if (back.count && back.bytes[back.count - 1].at != start) back.count = 0;
	for (mz_follow_stored(to); n < read && back.count; n++)
		mz_shadow_set(to + n, back.bytes[--back.count].expression);
	return n;
}

uint32_t mz_back_count(void)
{
	return back.count;
}

void mz_back_store(struct mz_state *state)
{
	mz_state_put(state, &back.count, sizeof back.count);
	mz_state_put(state, back.bytes, back.count * sizeof *back.bytes);
}

void mz_back_load(struct mz_state *state)
{
	mz_state_get(state, &back.count, sizeof back.count);
	mz_state_get(state, back.bytes, back.count * sizeof *back.bytes);
}

void mz_back_reset(void)
{
	back.count = 0;
}
