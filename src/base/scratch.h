/* SPDX-License-Identifier: MIT
 *
 * A map from 64-bit keys to small numbers that is emptied again and again, at no cost: entries carry the number of the
 * filling that they belong to. Open addressing, linear probing, at most half full.
 */
#ifndef MZ_BASE_SCRATCH_H
#define MZ_BASE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mz_scratch_entry {
	uint64_t key;
	uint32_t value;
	uint32_t filling; /* if it differs from the map's, the place is empty */
};

/* All zero is an empty map. */
struct mz_scratch {
	struct mz_scratch_entry *entries;
	size_t capacity; /* 0 or a power of two */
	size_t count;
	uint32_t filling;
};

void mz_scratch_release(struct mz_scratch *scratch);
void mz_scratch_clear(struct mz_scratch *scratch);
/* Returns where the value of a key is; a key that is not in the map is added, with `value`. The pointer is valid until
 * the next call. Returns NULL when there is no memory. */
uint32_t *mz_scratch_at(struct mz_scratch *scratch, uint64_t key, uint32_t value);

#endif
