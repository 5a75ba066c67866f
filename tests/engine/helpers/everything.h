/* SPDX-License-Identifier: MIT
 *
 * All states of a script, one after the other, by brute force; and what there is to be found in them. Shares no code
 * with the engine. Also what it takes to compare: sets of numbers, and races by their definition.
 */
#ifndef MZ_TESTS_EVERYTHING_H
#define MZ_TESTS_EVERYTHING_H

#include "stateful.h"

/* All zero is an empty set. Sorted, each once, after words_sort(). */
struct words {
	uint64_t *at;
	size_t count, capacity;
};
void words_add(struct words *words, uint64_t word);
void words_sort(struct words *words);
bool words_equal(const struct words *a, const struct words *b);
void words_release(struct words *words);

/* What a step touches. */
struct footprint {
	struct mz_access accesses[MACHINE_ACCESSES + 1 + MACHINE_PLAIN];
	size_t visible, count; /* the plain ones come last */
	bool races;
};
struct footprint footprint_of(const struct mz_stride *stride);
bool footprints_conflict(const struct footprint *a, const struct footprint *b);
/* The objects on which two steps that are possible at the same time race. */
void footprints_race(const struct footprint *a, const struct footprint *b, struct words *objects);

struct everything {
	size_t states;
	uint64_t transitions;
	struct words locals;   /* of all threads in all states */
	struct words failures; /* thread << 32 | pc */
	struct words races;    /* objects */
	uint64_t deadlocks;    /* states */
	uint64_t violations;   /* states */
	size_t choices, waits; /* what was met, to know that it is tested */
};

/* False if there are more than `most` states. */
bool everything_find(const struct script *script, size_t most, struct everything *found);
void everything_release(struct everything *found);

#endif
