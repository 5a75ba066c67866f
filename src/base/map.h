/* SPDX-License-Identifier: MIT
 *
 * A map from 64-bit keys to small numbers, and a set of 128-bit keys. Open addressing, linear probing, at most half
 * full; nothing is ever taken out.
 */
#ifndef MZ_BASE_MAP_H
#define MZ_BASE_MAP_H

#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_MAP_NONE UINT32_MAX

struct mz_map_entry {
	uint64_t key;
	uint32_t value; /* MZ_MAP_NONE: the place is empty */
};

/* All zero is an empty map. */
struct mz_map {
	struct mz_map_entry *entries;
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

void mz_map_release(struct mz_map *map);
/* Returns the value of a key, or MZ_MAP_NONE if the key is not in the map. */
uint32_t mz_map_find(const struct mz_map *map, uint64_t key);
/* Adds a key, which must not be in the map; the value must not be MZ_MAP_NONE. Returns false when there is no
 * memory. */
bool mz_map_add(struct mz_map *map, uint64_t key, uint32_t value);

/* All zero is an empty set. */
struct mz_keyset {
	struct mz_key *keys; /* both halves 0: the place is empty */
	size_t capacity;     /* 0 or a power of two */
	size_t count;        /* the key 0 included */
	bool has_zero;
};

void mz_keyset_release(struct mz_keyset *set);
/* Adds a key to the set and says in `*added` whether it is new. Returns false when there is no memory. */
bool mz_keyset_add(struct mz_keyset *set, struct mz_key key, bool *added);

#endif
