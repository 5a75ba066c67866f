/* SPDX-License-Identifier: MIT
 *
 * Vector clocks. They grow as threads appear, by MZ_CLOCK_STEP counts at a time, so that loops over them have no
 * remainder.
 */
#ifndef MZ_RUNTIME_CORE_CLOCK_H
#define MZ_RUNTIME_CORE_CLOCK_H

#include "runtime/core/runtime.h"
#include "runtime/core/state.h"

#define MZ_CLOCK_STEP 4U

/* Returns `length`, which is always a multiple of MZ_CLOCK_STEP: the mask tells the compiler so. */
static inline uint32_t mz_clock_whole(uint32_t length)
{
	return length & ~(MZ_CLOCK_STEP - 1);
}

/* Copies `length` counts. */
static inline void mz_clock_copy(uint32_t *restrict to, const uint32_t *restrict from, uint32_t length)
{
	length = mz_clock_whole(length);
	for (uint32_t t = 0; t < length; t++) to[t] = from[t];
}

/* Makes the clock at least `length` entries long. */
void mz_clock_extend(struct mz_clock *clock, uint32_t length);

/* The same, without a call if the clock is long enough. */
static inline void mz_clock_reserve(struct mz_clock *clock, uint32_t length)
{
	if (MZ_UNLIKELY(length > clock->length)) mz_clock_extend(clock, length);
}

/* Raises each entry of `clock` to that of `other`, if it is lower; makes `clock` equal to `other`. */
void mz_clock_join(struct mz_clock *clock, const struct mz_clock *other);
void mz_clock_assign(struct mz_clock *clock, const struct mz_clock *other);

/* Sets all entries to 0. */
static inline void mz_clock_clear(struct mz_clock *clock)
{
	clock->length = 0;
}

/* Returns the entry of a thread. */
static inline uint32_t mz_clock_get(const struct mz_clock *clock, uint32_t thread)
{
	return thread < clock->length ? clock->counts[thread] : 0;
}

/* Store and load the counts alone: the caller keeps the length. */
static inline void mz_clock_store(const struct mz_clock *clock, struct mz_state *state)
{
	mz_clock_copy(mz_state_room(state, clock->length * sizeof *clock->counts), clock->counts, clock->length);
}

static inline void mz_clock_load(struct mz_clock *clock, uint32_t length, struct mz_state *state)
{
	const uint32_t *from = mz_state_next(state, length * sizeof *from);
	if (MZ_UNLIKELY(length > clock->capacity)) mz_clock_extend(clock, length);
	mz_clock_copy(clock->counts, from, length);
	clock->length = length;
}

/* Adds 1 to the entry of a thread. */
static inline void mz_clock_tick(struct mz_clock *clock, uint32_t thread)
{
	mz_clock_reserve(clock, thread + 1);
	clock->counts[thread]++;
}

#endif
