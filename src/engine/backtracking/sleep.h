/* SPDX-License-Identifier: MIT
 *
 * Sleep sets: at each depth, the events that need not be executed there, because everything that starts with them has
 * been explored. An event wakes (leaves the set of the next depth) when its thread moves or something conflicts with
 * it. It counts as what it did when it was executed.
 *
 * Sets are stored as ranges of one stack. A depth at which nothing wakes shares the range of the depth above it; adding
 * to a shared range moves it to the top first.
 */
#ifndef MZ_ENGINE_BACKTRACKING_SLEEP_H
#define MZ_ENGINE_BACKTRACKING_SLEEP_H

#include "base/arena.h"
#include "engine/execution/conflict.h"
#include "engine/scheduling/alternatives.h"

/* All zero is ready for use. */
struct mz_sleep {
	struct mz_event *sleepers;
	size_t count, capacity;
	struct mz_arena accesses; /* the accesses of the sleepers */
};

/* The sleep set of one depth. All zero is empty. */
struct mz_sleep_set {
	size_t first;
	size_t count;
	size_t top; /* top of the stack when the set was made: what lies above belongs to this set alone */
	struct mz_arena_mark accesses;
};

void mz_sleep_release(struct mz_sleep *sleep);

/* Returns the empty set, at the bottom of the stack. All others are given back. */
struct mz_sleep_set mz_sleep_bottom(struct mz_sleep *sleep);

/* Gives back the sets of all depths below the one whose set is `deepest`. Whoever goes back without adding anything to that
 * set has to call this: else the stack grows. */
void mz_sleep_cut(struct mz_sleep *sleep, const struct mz_sleep_set *deepest);

/* Makes in `*below` the set of the depth after `event` from that of the depth before it, `above`. Returns false when
 * there is no memory. */
bool mz_sleep_pass(struct mz_sleep *sleep, const struct mz_sleep_set *above, const struct mz_event *event,
                   struct mz_sleep_set *below);

/* Adds an event to the set of the deepest depth; everything below it is given back first. Returns false when there is
 * no memory. */
bool mz_sleep_add(struct mz_sleep *sleep, struct mz_sleep_set *set, const struct mz_event *event);

static inline const struct mz_event *mz_sleep_at(const struct mz_sleep *sleep, const struct mz_sleep_set *set, size_t n)
{
	return &sleep->sleepers[set->first + n];
}

/* Returns whether that alternative of the thread sleeps. */
bool mz_sleep_has(const struct mz_sleep *sleep, const struct mz_sleep_set *set, uint32_t thread, uint32_t choice);

/* Returns the first alternative of a thread's pending operation that is awake and possible; MZ_NO_THREAD if there is
 * none. The first function is for operations that have several. */
uint32_t mz_sleep_awake_of(const struct mz_sleep *sleep, const struct mz_sleep_set *set, const struct mz_view *view,
                           uint32_t thread);
static inline uint32_t mz_sleep_awake(const struct mz_sleep *sleep, const struct mz_sleep_set *set,
                                      const struct mz_view *view, uint32_t thread)
{
	if (__builtin_expect(view->pending[thread].alternatives != 1, 0))
		return mz_sleep_awake_of(sleep, set, view, thread);
	return mz_sleep_has(sleep, set, thread, 0) ? MZ_NO_THREAD : 0;
}

#endif
