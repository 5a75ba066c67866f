/* SPDX-License-Identifier: MIT
 *
 * A store of chunks: pieces of memory of one size, each kept once however often it is needed. States that differ little
 * share nearly all of their chunks. A chunk has a number, from 1 on; number 0 is the chunk whose bytes are all zero,
 * which takes no memory. Chunks are counted: whoever keeps a number holds a reference to the chunk.
 *
 * A chunk may be a list of numbers of other chunks: it then holds a reference to each of them itself.
 *
 * The store has a hash table of its own, with lists of entries, because chunks are taken out again, which table.h does
 * not allow.
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
	uint32_t *buckets; /* the number of the first entry of each bucket; 0: none */
	size_t nbuckets;   /* 0 or a power of two */
	uint32_t free;     /* the first number that can be used again; 0: none */
	uint32_t count;    /* chunks that are referred to */
};

void mz_chunks_release(struct mz_chunks *chunks);

/* Returns the hash of a chunk with these MZ_CHUNK_SIZE bytes; {0, 0} if they are all zero. */
struct mz_key mz_chunk_hash(const void *bytes);

/* Returns the number of the chunk with these bytes, whose hash is given, and adds a reference to it; the chunk is
 * stored if it is not there yet. Returns MZ_CHUNK_NONE if there is no memory. hold() adds a reference, drop() takes one
 * away. */
uint32_t mz_chunks_put(struct mz_chunks *chunks, const void *bytes, struct mz_key hash, enum mz_chunk_kind kind);
void mz_chunks_hold(struct mz_chunks *chunks, uint32_t number);
void mz_chunks_drop(struct mz_chunks *chunks, uint32_t number);

/* Return the bytes and the hash of a chunk. The number must not be 0. */
const void *mz_chunks_bytes(const struct mz_chunks *chunks, uint32_t number);
struct mz_key mz_chunks_hash(const struct mz_chunks *chunks, uint32_t number);

/* Returns how many bytes of memory the store uses. */
size_t mz_chunks_memory(const struct mz_chunks *chunks);

#endif
