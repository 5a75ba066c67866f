/* SPDX-License-Identifier: MIT
 *
 * Vector clocks that grow as threads appear.
 */
#ifndef MZ_RUNTIME_CLOCK_H
#define MZ_RUNTIME_CLOCK_H

#include "runtime/runtime.h"
#include "runtime/state.h"

/* Makes it at least so long. */
void mz_clock_extend(struct mz_clock *clock, uint32_t length);

static inline void mz_clock_reserve(struct mz_clock *clock, uint32_t length)
{
	if (MZ_UNLIKELY(length > clock->length)) mz_clock_extend(clock, length);
}

void mz_clock_join(struct mz_clock *clock, const struct mz_clock *other);
void mz_clock_assign(struct mz_clock *clock, const struct mz_clock *other);

static inline void mz_clock_clear(struct mz_clock *clock)
{
	clock->length = 0;
}

static inline uint32_t mz_clock_get(const struct mz_clock *clock, uint32_t thread)
{
	return thread < clock->length ? clock->counts[thread] : 0;
}

/* The counts alone: whoever stores them keeps the length. */
static inline void mz_clock_store(const struct mz_clock *clock, struct mz_state *state)
{
	uint32_t *to = mz_state_room(state, clock->length * sizeof *to);
	for (uint32_t t = 0; t < clock->length; t++) to[t] = clock->counts[t];
}

static inline void mz_clock_load(struct mz_clock *clock, uint32_t length, struct mz_state *state)
{
	const uint32_t *from = mz_state_next(state, length * sizeof *from);
	if (MZ_UNLIKELY(length > clock->capacity)) mz_clock_extend(clock, length);
	for (uint32_t t = 0; t < length; t++) clock->counts[t] = from[t];
	clock->length = length;
}

static inline void mz_clock_tick(struct mz_clock *clock, uint32_t thread)
{
	mz_clock_reserve(clock, thread + 1);
	clock->counts[thread]++;
}

#endif
