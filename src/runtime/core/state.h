/* SPDX-License-Identifier: MIT
 *
 * A state of the program in the middle of an execution, as bytes: every part of the runtime that has something of the
 * execution (parts.h) puts it in, and gets it out again in the same order. Only taken while all threads are suspended
 * at a choice.
 *
 * A state is either all bytes, one after another, or a mirror keeps those that are memory of the program (mirror.h):
 * then it shares them with other states.
 */
#ifndef MZ_RUNTIME_CORE_STATE_H
#define MZ_RUNTIME_CORE_STATE_H

#include "runtime/core/mirror.h"
#include "runtime/core/real.h"
#include <stdint.h>
#include <string.h>

/* A state whose members are all 0 is empty. */
struct mz_state {
	uint8_t *bytes;
	size_t size, capacity;
	size_t at;                /* offset of the next byte to be read */
	struct mz_mirror *mirror; /* keeps the program's memory; NULL: `bytes` has everything */
};

/* Appends `size` bytes and returns where they go; the caller fills them in. */
void *mz_state_room_slow(struct mz_state *state, size_t size);

static inline void *mz_state_room(struct mz_state *state, size_t size)
{
	if (__builtin_expect(state->capacity - state->size < size, 0)) return mz_state_room_slow(state, size);
	void *room = state->bytes + state->size;
	state->size += size;
	return room;
}

/* Copies bytes; without a call if the size is small and known to the compiler. */
static inline void mz_state_copy(void *to, const void *from, size_t size)
{
	if (__builtin_constant_p(size) && size <= 64)
		__builtin_memcpy(to, from, size);
	else if (size)
		MZ_REAL(memcpy)(to, from, size);
}

/* Appends bytes. */
static inline void mz_state_put(struct mz_state *state, const void *from, size_t size)
{
	mz_state_copy(mz_state_room(state, size), from, size);
}

/* Returns the next `size` bytes and moves on behind them. */
static inline const void *mz_state_next(struct mz_state *state, size_t size)
{
	const void *next = state->bytes + state->at;
	state->at += size;
	return next;
}

/* Copies the next `size` bytes to `to` and moves on behind them. */
static inline void mz_state_get(struct mz_state *state, void *to, size_t size)
{
	mz_state_copy(to, mz_state_next(state, size), size);
}

/* Store and load memory of the program, of which the first `dead` bytes are without meaning and need not come back.
 * Where there is a mirror, parts are known by their order: a part that is empty now has to be put all the same, with
 * `size` 0. `shared` memory is what all threads see: it is part of what tells states apart. */
static inline void mz_state_put_memory(struct mz_state *state, const void *from, size_t size, size_t dead, bool shared)
{
	if (state->mirror)
		mz_mirror_put(state->mirror, from, size, dead, shared);
	else
		mz_state_put(state, from, size);
}

static inline void mz_state_get_memory(struct mz_state *state, void *to, size_t size, size_t dead, bool shared)
{
	if (state->mirror)
		mz_mirror_get(state->mirror, to, size, dead, shared);
	else
		mz_state_get(state, to, size);
}

/* Pad, or skip padding, to an aligned offset where there is a mirror: so the bytes that follow stay where they are, and
 * in equal chunks, when the bytes before get a little longer. */
void mz_state_align(struct mz_state *state);
void mz_state_skip_to_aligned(struct mz_state *state);

#endif
