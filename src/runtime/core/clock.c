/* SPDX-License-Identifier: MIT */
#include "runtime/core/clock.h"

static void make_room(struct mz_clock *clock, uint32_t length)
{
	size_t capacity = clock->capacity;
	mz_array_require(&clock->counts, &capacity, length);
	clock->capacity = (uint32_t)capacity;
}

void mz_clock_extend(struct mz_clock *clock, uint32_t length)
{
	length = (length + MZ_CLOCK_STEP - 1) / MZ_CLOCK_STEP * MZ_CLOCK_STEP;
	if (length > clock->capacity) make_room(clock, length);
	for (uint32_t t = clock->length; t < length; t++) clock->counts[t] = 0;
	clock->length = length;
}

void mz_clock_join(struct mz_clock *clock, const struct mz_clock *other)
{
	mz_clock_reserve(clock, other->length);
	uint32_t *restrict to = clock->counts;
	const uint32_t *restrict from = other->counts;
	uint32_t length = mz_clock_whole(other->length);
	for (uint32_t t = 0; t < length; t++) to[t] = to[t] > from[t] ? to[t] : from[t];
}

void mz_clock_assign(struct mz_clock *clock, const struct mz_clock *other)
{
	if (MZ_UNLIKELY(other->length > clock->capacity)) make_room(clock, other->length);
	clock->length = other->length;
	mz_clock_copy(clock->counts, other->counts, other->length);
}
