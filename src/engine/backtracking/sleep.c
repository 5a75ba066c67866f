/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/sleep.h"
#include "base/alloc.h"
#include "base/array.h"
#include <string.h>

void mz_sleep_release(struct mz_sleep *sleep)
{
	mz_free(sleep->sleepers);
	mz_arena_release(&sleep->accesses);
	*sleep = (struct mz_sleep){0};
}

struct mz_sleep_set mz_sleep_bottom(struct mz_sleep *sleep)
{
	sleep->count = 0;
	mz_arena_rewind(&sleep->accesses, (struct mz_arena_mark){0});
	return (struct mz_sleep_set){.accesses = mz_arena_mark(&sleep->accesses)};
}

static bool push(struct mz_sleep *sleep, const struct mz_event *sleeper)
{
	struct mz_event copy = *sleeper; /* a copy, because the sleeper may lie in the stack, which may move */
	if (!mz_array_reserve(&sleep->sleepers, &sleep->capacity, sleep->count + 1)) return false;
	sleep->sleepers[sleep->count++] = copy;
	return true;
}

static bool wakes(const struct mz_event *sleeper, const struct mz_event *event)
{
	return sleeper->thread == event->thread || mz_events_conflict(sleeper, event);
}

static bool any_wakes(const struct mz_sleep *sleep, const struct mz_sleep_set *set, const struct mz_event *event)
{
	for (size_t n = 0; n < set->count; n++) {
		if (wakes(mz_sleep_at(sleep, set, n), event)) return true;
	}
	return false;
}

bool mz_sleep_pass(struct mz_sleep *sleep, const struct mz_sleep_set *above, const struct mz_event *event,
                   struct mz_sleep_set *below)
{
	*below = (struct mz_sleep_set){above->first, above->count, sleep->count, mz_arena_mark(&sleep->accesses)};
	if (!any_wakes(sleep, above, event)) return true;
	below->first = sleep->count;
	below->count = 0;
	for (size_t n = 0; n < above->count; n++) {
		const struct mz_event *sleeper = mz_sleep_at(sleep, above, n);
		if (wakes(sleeper, event)) continue;
		if (!push(sleep, sleeper)) return false;
		below->count++;
	}
	return true;
}

void mz_sleep_cut(struct mz_sleep *sleep, const struct mz_sleep_set *deepest)
{
	bool shared = deepest->first < deepest->top || deepest->count == 0;
	sleep->count = shared ? deepest->top : deepest->first + deepest->count;
	mz_arena_rewind(&sleep->accesses, deepest->accesses);
}

/* Cuts the stack back to what the set has. A range that the set shares with the depth above is copied to the top first.
 * Returns false when there is no memory. */
static bool own(struct mz_sleep *sleep, struct mz_sleep_set *set)
{
	if (set->first >= set->top || set->count == 0) {
		if (set->count == 0) set->first = set->top;
		sleep->count = set->first + set->count;
		return true;
	}
	sleep->count = set->top;
	for (size_t n = 0; n < set->count; n++) {
		if (!push(sleep, mz_sleep_at(sleep, set, n))) return false;
	}
	set->first = set->top;
	return true;
}

bool mz_sleep_add(struct mz_sleep *sleep, struct mz_sleep_set *set, const struct mz_event *event)
{
	if (!own(sleep, set)) return false;
	size_t size = event->naccesses * sizeof *event->accesses;
	struct mz_event sleeper = *event;
	mz_arena_rewind(&sleep->accesses, set->accesses);
	struct mz_access *accesses = mz_arena_take(&sleep->accesses, size);
	if (!accesses) return false;
	if (size) memcpy(accesses, event->accesses, size);
	set->accesses = mz_arena_mark(&sleep->accesses);
	sleeper.accesses = accesses;
	if (!push(sleep, &sleeper)) return false;
	set->count++;
	return true;
}

bool mz_sleep_has(const struct mz_sleep *sleep, const struct mz_sleep_set *set, uint32_t thread, uint32_t choice)
{
	for (size_t n = 0; n < set->count; n++) {
		const struct mz_event *sleeper = mz_sleep_at(sleep, set, n);
		if (sleeper->thread == thread && sleeper->choice == choice) return true;
	}
	return false;
}

uint32_t mz_sleep_awake_of(const struct mz_sleep *sleep, const struct mz_sleep_set *set, const struct mz_view *view,
                           uint32_t thread)
{
	const struct mz_alternatives all = mz_alternatives_all(view, thread);
	for (uint32_t n = 0; n < all.count; n++) {
		uint32_t choice = mz_alternative(&all, n);
		if (mz_sleep_has(sleep, set, thread, choice)) continue;
		if (mz_alternative_is_possible(view, thread, choice)) return choice;
	}
	return MZ_NO_THREAD;
}
