/* SPDX-License-Identifier: MIT
 *
 * Sets of input bytes, as ranges in ascending order with gaps between them. A set that would need more than
 * MZ_BYTES_RANGES ranges is made larger: its narrowest gaps become part of it. All uses allow for sets that are too
 * large.
 */
#ifndef MZ_CONCOLIC_SOLVER_BYTES_H
#define MZ_CONCOLIC_SOLVER_BYTES_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

#define MZ_BYTES_RANGES 32

struct mz_bytes {
	uint16_t nranges;
	struct mz_byte_range {
		uint16_t first, last;
	} ranges[];
};

/* The set without bytes. */
extern const struct mz_bytes mz_bytes_none;

/* Return a set that stays as it is for as long as the arena does: of one byte, and of all bytes of two sets. NULL when
 * there is no memory. */
const struct mz_bytes *mz_bytes_one(struct mz_arena *arena, uint16_t byte);
const struct mz_bytes *mz_bytes_union(struct mz_arena *arena, const struct mz_bytes *a, const struct mz_bytes *b);

/* Reports whether `b` has bytes that `a` has not. */
bool mz_bytes_adds(const struct mz_bytes *a, const struct mz_bytes *b);

static inline bool mz_bytes_is_one(const struct mz_bytes *set)
{
	return set->nranges == 1 && set->ranges[0].first == set->ranges[0].last;
}

#endif
