/* SPDX-License-Identifier: MIT
 *
 * States that share what is equal in them (base/chunks.h). The mirror has a copy of every part of the program's memory
 * as it was when a state was last stored or loaded, with the numbers of its chunks: storing the next one looks for
 * chunks that differ and hashes those alone; loading one fetches chunks whose numbers differ.
 *
 * It stands behind a struct mz_state: what is put there byte by byte is a part like any other, the last of all. Parts
 * are known by their order, so that there has to be the same number of them each time; empty ones count.
 */
#ifndef MZ_RUNTIME_CORE_MIRROR_H
#define MZ_RUNTIME_CORE_MIRROR_H

#include "trace/stateful.h"

struct mz_mirror;

/* Returns the mirror of the process: there is one. */
struct mz_mirror *mz_mirror(void);

/* Begins to store a state. */
void mz_mirror_begin(struct mz_mirror *mirror);
/* Stores the next part: `size` bytes, of which the first `dead` count as zero. If `shared`, the part's address counts
 * in mz_mirror_sum(). */
void mz_mirror_put(struct mz_mirror *mirror, const void *address, size_t size, size_t dead, bool shared);
/* Returns a hash of all shared parts stored so far: a sum over the chunks and their addresses. Chunks of zeros do not
 * count. */
struct mz_key mz_mirror_sum(const struct mz_mirror *mirror);
/* Ends storing: all parts have been put, and `bytes` are the last one. Returns a handle of the state, or MZ_NO_HANDLE
 * if there is no memory or all states would take more than `most` bytes. */
uint32_t mz_mirror_keep(struct mz_mirror *mirror, const void *bytes, size_t size, size_t most);

/* Begins to load a state. Returns the bytes of its last part, valid until another state is loaded or stored. */
const uint8_t *mz_mirror_open(struct mz_mirror *mirror, uint32_t handle);
/* Loads the next part, in the order in which parts were put; its first `dead` bytes stay as they are. */
void mz_mirror_get(struct mz_mirror *mirror, void *address, size_t size, size_t dead, bool shared);

/* Forgets a kept state; its handle may be given out again. */
void mz_mirror_drop(struct mz_mirror *mirror, uint32_t handle);

/* Returns the memory, in bytes, that all kept states take. */
size_t mz_mirror_memory(const struct mz_mirror *mirror);

/* Returns what a shared part with these bytes at `address` adds to mz_mirror_sum(). */
struct mz_key mz_mirror_sum_of(const void *bytes, size_t size, const void *address);

#endif
