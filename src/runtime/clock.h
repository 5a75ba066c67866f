/* SPDX-License-Identifier: MIT
 *
 * Vector clocks that grow as threads appear.
 */
#ifndef MZ_RUNTIME_CLOCK_H
#define MZ_RUNTIME_CLOCK_H

#include "runtime/runtime.h"

void mz_clock_reserve(struct mz_clock *clock, uint32_t length);
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

static inline void mz_clock_tick(struct mz_clock *clock, uint32_t thread)
{
	mz_clock_reserve(clock, thread + 1);
	clock->counts[thread]++;
}

#endif
