/* SPDX-License-Identifier: MIT
 *
 * Pieces of memory of one size, each kept once however often it is needed: states that differ little share nearly all
 * of theirs. A chunk has a number, from 1 on; 0 is the one that is all zero, which takes no memory. Who holds a number
 * holds a reference.
 *
 * A chunk may be a list of numbers of others: it then holds a reference to each of those itself.
 */
#ifndef MZ_BASE_CHUNKS_H
#define MZ_BASE_CHUNKS_H

#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_CHUNK_SIZE 256
#define MZ_CHUNK_NUMBERS (MZ_CHUNK_SIZE / 4)
#define MZ_CHUNK_NONE UINT32_MAX

enum mz_chunk_kind { MZ_CHUNK_BYTES, MZ_CHUNK_LIST };

struct mz_chunk_entry;

/* All zero is an empty store. */
struct mz_chunks {
	uint8_t **blocks; /* the chunks themselves, which never move */
	size_t nblocks, blocks_capacity;
	struct mz_chunk_entry *entries; /* by number */
	size_t nentries, entries_capacity;
	uint32_t *buckets; /* numbers of the first entry of each; 0: none */
	size_t nbuckets;   /* 0 or a power of two */
	uint32_t free;     /* the first number that can be used again; 0: none */
	uint32_t count;    /* chunks that are referred to */
};

void mz_chunks_release(struct mz_chunks *chunks);

/* Of a chunk with these bytes; {0, 0} if they are all zero. */
struct mz_key mz_chunk_hash(const void *bytes);

/* The number of a chunk with these bytes, with one reference more. MZ_CHUNK_NONE if there is no memory. */
uint32_t mz_chunks_put(struct mz_chunks *chunks, const void *bytes, struct mz_key hash, enum mz_chunk_kind kind);
void mz_chunks_hold(struct mz_chunks *chunks, uint32_t number);
void mz_chunks_drop(struct mz_chunks *chunks, uint32_t number);

/* Not of 0. */
const void *mz_chunks_bytes(const struct mz_chunks *chunks, uint32_t number);
struct mz_key mz_chunks_hash(const struct mz_chunks *chunks, uint32_t number);

/* Memory that is in use. */
size_t mz_chunks_memory(const struct mz_chunks *chunks);

#endif
