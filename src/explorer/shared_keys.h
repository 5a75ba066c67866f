/* SPDX-License-Identifier: MIT
 *
 * A set of 128-bit keys, such as hashes of graphs, in memory that several processes share. Places in that memory are told
 * by their distance from its start, so that it can be mapped anywhere, copied, and looked at by somebody who does not
 * trust it.
 *
 * A process that adds a key holds a lock, which all have in common. If it is killed meanwhile, the set is still in order:
 * the key is in it, or not.
 */
#ifndef MZ_EXPLORER_SHARED_KEYS_H
#define MZ_EXPLORER_SHARED_KEYS_H

#include "base/arena.h"
#include "base/hash.h"
#include <stdbool.h>

#define MZ_SHARED_KEYS_HEAD 16 /* bytes at the beginning of a table that are written when it is made */

/* All zero is an empty set. */
struct mz_shared_keys {
	uint64_t table; /* where the latest table is; 0: there is none */
	uint64_t
	    count; /* of keys in that table; may be more than there are, by as many as processes were killed while they added one */
};

/* Adds a key to a set in the memory that starts at `start`; more memory, all zero, comes from `source`. Returns where the
 * key is, which has just been written unless it was there; NULL when there is no memory. */
const void *mz_shared_keys_add(struct mz_shared_keys *set, void *start, struct mz_arena_source *source,
                               struct mz_key key);

/* Returns whether a key is in a set in the memory that starts at `start`. Others may add keys meanwhile. */
bool mz_shared_keys_has(const struct mz_shared_keys *set, void *start, struct mz_key key);

/* Returns the number of keys in a set, in a memory of that size, which anybody may have written to; 0 if what is there makes
 * no sense. */
uint64_t mz_shared_keys_count(const struct mz_shared_keys *set, const void *start, size_t size);

#endif
