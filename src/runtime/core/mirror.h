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

#include "base/map.h"

struct mz_mirror;

/* There is one. */
struct mz_mirror *mz_mirror(void);

/* Begins to store. */
void mz_mirror_begin(struct mz_mirror *mirror);
/* A part: `size` bytes, of which the first `dead` count as zero. Its address has to do with what it is if `shared`. */
void mz_mirror_put(struct mz_mirror *mirror, const void *address, size_t size, size_t dead, bool shared);
/* Of all shared parts so far: a sum over chunks and where they are; chunks that are zero do not count. */
struct mz_key mz_mirror_sum(const struct mz_mirror *mirror);
/* All parts have been put, and these bytes are the last. Returns a handle, or MZ_MAP_NONE if there is no memory or they
 * would take more than `most` bytes. */
uint32_t mz_mirror_keep(struct mz_mirror *mirror, const void *bytes, size_t size, size_t most);

/* Begins to load. Returns the bytes of the last part, valid until something else is loaded or stored. */
const uint8_t *mz_mirror_open(struct mz_mirror *mirror, uint32_t handle);
/* A part, in the same order; its first `dead` bytes stay as they are. */
void mz_mirror_get(struct mz_mirror *mirror, void *address, size_t size, size_t dead, bool shared);

void mz_mirror_drop(struct mz_mirror *mirror, uint32_t handle);

/* What all kept states take. */
size_t mz_mirror_memory(const struct mz_mirror *mirror);

/* The sum of what is put at `address`, as mz_mirror_sum() has it. */
struct mz_key mz_mirror_sum_of(const void *bytes, size_t size, const void *address);

#endif
