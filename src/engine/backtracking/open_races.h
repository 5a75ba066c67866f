/* SPDX-License-Identifier: MIT
 *
 * Open races: those whose reversals are covered by a guess (sequence.h), which later events may prove wrong. They are kept
 * as long as the execution has both events, and reversed again when an event meets the footprint of the guess.
 *
 * Invariants: open races are in ascending order of `end`, so that those which an execution loses are the last ones; an event that
 * refuted a guess is in the execution, or the guess stands again.
 */
#ifndef MZ_ENGINE_BACKTRACKING_OPEN_RACES_H
#define MZ_ENGINE_BACKTRACKING_OPEN_RACES_H

#include "engine/execution/conflict.h"
#include "engine/execution/execution.h"

struct mz_open_race {
	uint32_t first, second;
	uint32_t end;     /* how many events the sequence was made from */
	uint32_t refuted; /* the event that proved the guess wrong, or MZ_NONE; with it, the race was reversed again */
	bool late;        /* it became known late what covers it (trunk_posts.h): any event may prove that wrong */
	struct mz_footprint guesses;
};

/* All zero is empty and ready. */
struct mz_open_races {
	struct mz_open_race *at;
	size_t count, capacity;
	struct mz_events suspects; /* indices of those that something new in the execution may refute */
};

void mz_open_races_release(struct mz_open_races *open);

/* Adds a race, and makes it a suspect. Its `end` is at least that of all others. Returns false when there is no memory. */
bool mz_open_races_push(struct mz_open_races *open, uint32_t first, uint32_t second, uint32_t end,
                        const struct mz_footprint *guesses);

/* Adds a late race, with any `end`. Returns false when there is no memory. */
bool mz_open_races_insert(struct mz_open_races *open, uint32_t first, uint32_t second, uint32_t end);

/* Finds the suspects, where the execution is new from event `fresh` on. Returns false when there is no memory. */
bool mz_open_races_find_suspects(struct mz_open_races *open, const struct mz_execution *x, uint32_t fresh);

/* Returns whether event k, which has that footprint, may refute the guess of an open race that nothing has refuted yet. */
bool mz_open_race_is_met(const struct mz_open_race *open, const struct mz_execution *x, uint32_t k,
                         const struct mz_footprint *footprint);

/* Forgets the races that an execution does not have which keeps its first `depth` events. */
void mz_open_races_forget(struct mz_open_races *open, uint32_t depth);

#endif
