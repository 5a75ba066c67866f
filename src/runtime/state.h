/* SPDX-License-Identifier: MIT
 *
 * A state of the program in the middle of an execution, as bytes: every part of the runtime that has something of the
 * execution puts it in, and gets it out again in the same order. Only taken while all threads are suspended at a
 * choice.
 */
#ifndef MZ_RUNTIME_STATE_H
#define MZ_RUNTIME_STATE_H

#include "runtime/real.h"
#include <stdint.h>
#include <string.h>

/* All zero is empty. */
struct mz_state {
	uint8_t *bytes;
	size_t size, capacity;
	size_t at; /* how far it has been read */
};

/* Room for `size` bytes more, at the end. */
void *mz_state_room_slow(struct mz_state *state, size_t size);

static inline void *mz_state_room(struct mz_state *state, size_t size)
{
	if (__builtin_expect(state->capacity - state->size < size, 0)) return mz_state_room_slow(state, size);
	void *room = state->bytes + state->size;
	state->size += size;
	return room;
}

static inline void mz_state_put(struct mz_state *state, const void *from, size_t size)
{
	MZ_REAL(memcpy)(mz_state_room(state, size), from, size);
}

/* The next `size` bytes. */
static inline const void *mz_state_next(struct mz_state *state, size_t size)
{
	const void *next = state->bytes + state->at;
	state->at += size;
	return next;
}

static inline void mz_state_get(struct mz_state *state, void *to, size_t size)
{
	MZ_REAL(memcpy)(to, mz_state_next(state, size), size);
}

/* All of the execution that is under way; and back to it. */
void mz_state_store(struct mz_state *state);
void mz_state_load(struct mz_state *state);

#endif
