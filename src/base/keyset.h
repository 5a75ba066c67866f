/* SPDX-License-Identifier: MIT
 *
 * A set of 128-bit keys, such as hashes of graphs. Keys cannot be taken out.
 */
#ifndef MZ_BASE_KEYSET_H
#define MZ_BASE_KEYSET_H

#include "base/hash.h"
#include "base/table.h"

/* All zero is an empty set. */
struct mz_keyset {
	struct mz_table keys; /* the low half is the hash, the high half the value: together, the key */
	struct mz_table lows; /* low halves of keys whose high half is 0, which is no value */
};

void mz_keyset_release(struct mz_keyset *set);
/* Adds a key to the set and says in `*added` whether it is new. Returns false when there is no memory. */
bool mz_keyset_add(struct mz_keyset *set, struct mz_key key, bool *added);
/* Returns whether a key is in the set. */
bool mz_keyset_has(const struct mz_keyset *set, struct mz_key key);
/* Returns the number of keys in the set. */
static inline size_t mz_keyset_count(const struct mz_keyset *set)
{
	return set->keys.count + set->lows.count;
}

#endif
