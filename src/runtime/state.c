/* SPDX-License-Identifier: MIT */
#include "runtime/state.h"
#include "base/alloc.h"
#include "runtime/runtime.h"

void *mz_state_room_slow(struct mz_state *state, size_t size)
{
	uint8_t *grown = mz_grow(state->bytes, &state->capacity, state->size + size, 1);
	if (!grown) mz_unsupported("out of memory");
	state->bytes = grown;
	state->size += size;
	return grown + state->size - size;
}
