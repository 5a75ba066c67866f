/* SPDX-License-Identifier: MIT
 *
 * The initials of the sequence that reverses a race (i, j), and whether one of them is explored from node i or asleep
 * there: then so is everything that begins with that sequence (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM
 * 2017). The sequence v consists of the events after i that do not happen after it, and then of j. A thread is an
 * initial if its first event in v has nothing of v before it.
 *
 * Everything that an event of v other than j knew is in v too, so its clock tells whether it is an initial. The
 * strategy has to say what j does when it comes before i.
 */
#ifndef MZ_ENGINE_BACKTRACKING_INITIALS_H
#define MZ_ENGINE_BACKTRACKING_INITIALS_H

#include "engine/backtracking/backtrack.h"

/* The first event of a thread in v. */
struct mz_first {
	uint32_t thread;
	uint32_t position;
};

/* All zero is ready for use. */
struct mz_initials {
	struct mz_first *firsts;
	size_t count, capacity;
};

void mz_initials_release(struct mz_initials *initials);

/* Goes through the initials of v, which is made from the first `end` events, after mz_race_prepare(); j is left out.
 * Returns true if one of them is covered at node i, or memory ran out and the execution failed. Otherwise leaves the
 * first initial in `*initial`, if there is any; the caller has set that to MZ_NO_THREAD. */
bool mz_initials_covered(struct mz_initials *initials, const struct mz_backtrack *b, uint32_t i, uint32_t end,
                         uint32_t *initial);

/* After mz_initials_covered(): returns whether the thread of j, which knew `known` before j, may be an initial too; it
 * is one if j conflicts with nothing before it in v. */
bool mz_initials_may_have(const struct mz_initials *initials, const struct mz_backtrack *b, uint32_t i, uint32_t thread,
                          struct mz_event_clock known);

#endif
