/* SPDX-License-Identifier: MIT */
#include "runtime/core/state.h"
#include "base/chunks.h"
#include "runtime/core/runtime.h"

void *mz_state_room_slow(struct mz_state *state, size_t size)
{
	mz_array_require(&state->bytes, &state->capacity, state->size + size);
	state->size += size;
	return state->bytes + state->size - size;
}

static size_t misaligned(size_t size)
{
	return -size % MZ_CHUNK_SIZE;
}

void mz_state_align(struct mz_state *state)
{
	if (!state->mirror) return;
	size_t more = misaligned(state->size);
	MZ_REAL(memset)(mz_state_room(state, more), 0, more);
}

void mz_state_skip_to_aligned(struct mz_state *state)
{
	if (state->mirror) state->at += misaligned(state->at);
}
