/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/open_races.h"
#include "base/alloc.h"
#include "base/array.h"

void mz_open_races_release(struct mz_open_races *open)
{
	mz_free(open->at);
	mz_free(open->suspects.at);
	*open = (struct mz_open_races){0};
}

static bool suspect(struct mz_open_races *open, size_t race)
{
	struct mz_events *s = &open->suspects;
	if (!mz_array_reserve(&s->at, &s->capacity, s->count + 1)) return false;
	s->at[s->count++] = (uint32_t)race;
	return true;
}

bool mz_open_races_push(struct mz_open_races *open, uint32_t first, uint32_t second, uint32_t end,
                        const struct mz_footprint *guesses)
{
	if (!mz_array_reserve(&open->at, &open->capacity, open->count + 1)) return false;
	open->at[open->count++] = (struct mz_open_race){first, second, end, MZ_NONE, false, *guesses};
	return suspect(open, open->count - 1);
}

bool mz_open_races_insert(struct mz_open_races *open, uint32_t first, uint32_t second, uint32_t end)
{
	const struct mz_footprint anything = {UINT64_MAX, UINT64_MAX};
	if (!mz_array_reserve(&open->at, &open->capacity, open->count + 1)) return false;
	size_t n = open->count++;
	for (; n && open->at[n - 1].end > end; n--) open->at[n] = open->at[n - 1];
	open->at[n] = (struct mz_open_race){first, second, end, MZ_NONE, true, anything};
	return true;
}

bool mz_open_races_find_suspects(struct mz_open_races *open, const struct mz_execution *x, uint32_t fresh)
{
	open->suspects.count = 0;
	if (open->count == 0) return true;
	struct mz_footprint footprint = {0};
	for (uint32_t k = fresh; k < x->depth; k++) mz_footprint_add(&footprint, mz_execution_event(x, k));
	for (size_t n = 0; n < open->count; n++) {
		struct mz_open_race *race = &open->at[n];
		if (race->refuted != MZ_NONE && race->refuted >= fresh) race->refuted = MZ_NONE;
		if (race->refuted != MZ_NONE || !mz_footprints_meet(&race->guesses, &footprint)) continue;
		if (!suspect(open, n)) return false;
	}
	return true;
}

bool mz_open_race_is_met(const struct mz_open_race *open, const struct mz_execution *x, uint32_t k,
                         const struct mz_footprint *footprint)
{
	if (open->refuted != MZ_NONE || open->end > k) return false;
	return mz_footprints_meet(&open->guesses, footprint) && !mz_execution_before(x, open->first, k);
}

void mz_open_races_forget(struct mz_open_races *open, uint32_t depth)
{
	while (open->count && open->at[open->count - 1].end > depth) open->count--;
}
