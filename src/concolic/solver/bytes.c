/* SPDX-License-Identifier: MIT */
#include "concolic/solver/bytes.h"
#include <string.h>

const struct mz_bytes mz_bytes_none = {0};

static struct mz_bytes *new_set(struct mz_arena *arena, const struct mz_byte_range *ranges, unsigned n)
{
	struct mz_bytes *set = mz_arena_take(arena, sizeof *set + n * sizeof *ranges);
	if (!set) return NULL;
	set->nranges = (uint16_t)n;
	memcpy(set->ranges, ranges, n * sizeof *ranges);
	return set;
}

const struct mz_bytes *mz_bytes_one(struct mz_arena *arena, uint16_t byte)
{
	struct mz_byte_range range = {byte, byte};
	return new_set(arena, &range, 1);
}

bool mz_bytes_adds(const struct mz_bytes *a, const struct mz_bytes *b)
{
	unsigned i = 0;
	for (unsigned k = 0; k < b->nranges; k++) {
		while (i < a->nranges && a->ranges[i].last < b->ranges[k].last) i++;
		if (i == a->nranges || a->ranges[i].first > b->ranges[k].first) return true;
	}
	return false;
}

/* Adds a range that begins no earlier than the ranges that are there; it may overlap the last of them. */
static unsigned append(struct mz_byte_range *ranges, unsigned n, struct mz_byte_range range)
{
	if (n > 0 && range.first <= ranges[n - 1].last + 1) {
		if (range.last > ranges[n - 1].last) ranges[n - 1].last = range.last;
		return n;
	}
	ranges[n] = range;
	return n + 1;
}

static unsigned close_narrowest_gap(struct mz_byte_range *ranges, unsigned n)
{
	unsigned narrowest = 0;
	for (unsigned i = 1; i + 1 < n; i++) {
		if (ranges[i + 1].first - ranges[i].last < ranges[narrowest + 1].first - ranges[narrowest].last)
			narrowest = i;
	}
	ranges[narrowest].last = ranges[narrowest + 1].last;
	memmove(&ranges[narrowest + 1], &ranges[narrowest + 2], (n - narrowest - 2) * sizeof *ranges);
	return n - 1;
}

const struct mz_bytes *mz_bytes_union(struct mz_arena *arena, const struct mz_bytes *a, const struct mz_bytes *b)
{
	if (a == b || !mz_bytes_adds(a, b)) return a;
	if (!mz_bytes_adds(b, a)) return b;
	struct mz_byte_range ranges[2 * MZ_BYTES_RANGES];
	unsigned i = 0, k = 0, n = 0;
	while (i < a->nranges || k < b->nranges) {
		bool left = k == b->nranges || (i < a->nranges && a->ranges[i].first < b->ranges[k].first);
		n = append(ranges, n, left ? a->ranges[i++] : b->ranges[k++]);
	}
	while (n > MZ_BYTES_RANGES) n = close_narrowest_gap(ranges, n);
	return new_set(arena, ranges, n);
}
