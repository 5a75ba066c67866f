/* SPDX-License-Identifier: MIT */
#include "base/chunks.h"
#include "base/alloc.h"
#include "base/array.h"

#define BLOCK 256 /* chunks that are allocated together */

struct mz_chunk_entry {
	struct mz_key hash;
	uint32_t references; /* 0 if the number is free */
	uint32_t next;       /* the next entry in the bucket, or in the list of free numbers */
	uint8_t kind;
};

static uint8_t *place_of(const struct mz_chunks *chunks, uint32_t number)
{
	return chunks->blocks[number / BLOCK] + (size_t)(number % BLOCK) * MZ_CHUNK_SIZE;
}

/* Returns whether two chunks are equal. Compares word by word without a call, which the compiler turns into vectors. */
static bool is_equal(const void *a, const void *b)
{
	uint64_t difference = 0;
	for (size_t i = 0; i < MZ_CHUNK_SIZE; i += 8) {
		uint64_t x, y;
		__builtin_memcpy(&x, (const uint8_t *)a + i, 8);
		__builtin_memcpy(&y, (const uint8_t *)b + i, 8);
		difference |= x ^ y;
	}
	return difference == 0;
}

static bool is_zero(const void *bytes)
{
	uint64_t any = 0;
	for (size_t i = 0; i < MZ_CHUNK_SIZE; i += 8) {
		uint64_t x;
		__builtin_memcpy(&x, (const uint8_t *)bytes + i, 8);
		any |= x;
	}
	return any == 0;
}

/* ---- room ---- */

static bool rehash(struct mz_chunks *chunks)
{
	size_t nbuckets = chunks->nbuckets ? chunks->nbuckets * 2 : 1024;
	uint32_t *buckets = mz_alloc(nbuckets * sizeof *buckets);
	if (!buckets) return false;
	for (size_t i = 0; i < nbuckets; i++) buckets[i] = 0;
	for (uint32_t n = 1; n < chunks->nentries; n++) {
		struct mz_chunk_entry *entry = &chunks->entries[n];
		if (!entry->references) continue;
		uint32_t *bucket = &buckets[entry->hash.low & (nbuckets - 1)];
		entry->next = *bucket;
		*bucket = n;
	}
	mz_free(chunks->buckets);
	chunks->buckets = buckets;
	chunks->nbuckets = nbuckets;
	return true;
}

/* Returns a number that was never used, or MZ_CHUNK_NONE when there is no memory. */
static uint32_t new_number(struct mz_chunks *chunks)
{
	/* number 0 stands for the chunk of zeros, and has no entry */
	size_t n = chunks->nentries ? chunks->nentries : 1;
	if (n >= MZ_CHUNK_NONE) return MZ_CHUNK_NONE;
	if (!mz_array_reserve(&chunks->entries, &chunks->entries_capacity, n + 1)) return MZ_CHUNK_NONE;
	if (n / BLOCK >= chunks->nblocks) {
		if (!mz_array_reserve(&chunks->blocks, &chunks->blocks_capacity, chunks->nblocks + 1))
			return MZ_CHUNK_NONE;
		uint8_t *block = mz_alloc((size_t)BLOCK * MZ_CHUNK_SIZE);
		if (!block) return MZ_CHUNK_NONE;
		chunks->blocks[chunks->nblocks++] = block;
	}
	chunks->nentries = n + 1;
	return (uint32_t)n;
}

static uint32_t take_number(struct mz_chunks *chunks)
{
	if (chunks->count >= chunks->nbuckets && !rehash(chunks)) return MZ_CHUNK_NONE;
	uint32_t number = chunks->free;
	if (!number) return new_number(chunks);
	chunks->free = chunks->entries[number].next;
	return number;
}

/* ---- putting and dropping ---- */

static uint32_t find(const struct mz_chunks *chunks, struct mz_key hash, const void *bytes, enum mz_chunk_kind kind)
{
	uint32_t n = chunks->nbuckets ? chunks->buckets[hash.low & (chunks->nbuckets - 1)] : 0;
	for (; n; n = chunks->entries[n].next) {
		const struct mz_chunk_entry *entry = &chunks->entries[n];
		if (entry->hash.low == hash.low && entry->hash.high == hash.high && entry->kind == kind &&
		    is_equal(place_of(chunks, n), bytes))
			return n;
	}
	return 0;
}

static uint32_t add(struct mz_chunks *chunks, struct mz_key hash, const void *bytes, enum mz_chunk_kind kind)
{
	uint32_t n = take_number(chunks);
	if (n == MZ_CHUNK_NONE) return n;
	uint32_t *bucket = &chunks->buckets[hash.low & (chunks->nbuckets - 1)];
	chunks->entries[n] = (struct mz_chunk_entry){hash, 1, *bucket, (uint8_t)kind};
	*bucket = n;
	chunks->count++;
	__builtin_memcpy(place_of(chunks, n), bytes, MZ_CHUNK_SIZE);
	if (kind == MZ_CHUNK_LIST)
		for (size_t i = 0; i < MZ_CHUNK_NUMBERS; i++) mz_chunks_hold(chunks, ((const uint32_t *)bytes)[i]);
	return n;
}

struct mz_key mz_chunk_hash(const void *bytes)
{
	if (is_zero(bytes)) return (struct mz_key){0, 0};
	struct mz_key hash = mz_hash_bytes(bytes, MZ_CHUNK_SIZE, (struct mz_key){0, 0});
	hash.low |= (hash.low | hash.high) == 0; /* hash 0 is that of the chunk of zeros */
	return hash;
}

uint32_t mz_chunks_put(struct mz_chunks *chunks, const void *bytes, struct mz_key hash, enum mz_chunk_kind kind)
{
	if ((hash.low | hash.high) == 0) return 0;
	uint32_t n = find(chunks, hash, bytes, kind);
	if (!n) return add(chunks, hash, bytes, kind);
	chunks->entries[n].references++;
	return n;
}

void mz_chunks_hold(struct mz_chunks *chunks, uint32_t number)
{
	if (number) chunks->entries[number].references++;
}

static void remove_entry(struct mz_chunks *chunks, uint32_t number)
{
	struct mz_chunk_entry *entry = &chunks->entries[number];
	uint32_t *link = &chunks->buckets[entry->hash.low & (chunks->nbuckets - 1)];
	while (*link != number) link = &chunks->entries[*link].next;
	*link = entry->next;
	entry->next = chunks->free;
	chunks->free = number;
	chunks->count--;
}

void mz_chunks_drop(struct mz_chunks *chunks, uint32_t number)
{
	if (!number || --chunks->entries[number].references) return;
	remove_entry(chunks, number);
	if (chunks->entries[number].kind != MZ_CHUNK_LIST) return;
	const uint32_t *numbers = (const uint32_t *)place_of(chunks, number);
	for (size_t i = 0; i < MZ_CHUNK_NUMBERS; i++)
		mz_chunks_drop(chunks, numbers[i]); /* a list has numbers of chunks of bytes, so this goes no deeper */
}

const void *mz_chunks_bytes(const struct mz_chunks *chunks, uint32_t number)
{
	return place_of(chunks, number);
}

struct mz_key mz_chunks_hash(const struct mz_chunks *chunks, uint32_t number)
{
	return number ? chunks->entries[number].hash : (struct mz_key){0, 0};
}

size_t mz_chunks_memory(const struct mz_chunks *chunks)
{
	return chunks->count * (MZ_CHUNK_SIZE + sizeof *chunks->entries + sizeof *chunks->buckets);
}

void mz_chunks_release(struct mz_chunks *chunks)
{
	for (size_t i = 0; i < chunks->nblocks; i++) mz_free(chunks->blocks[i]);
	mz_free(chunks->blocks);
	mz_free(chunks->entries);
	mz_free(chunks->buckets);
	*chunks = (struct mz_chunks){0};
}
