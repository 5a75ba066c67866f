/* SPDX-License-Identifier: MIT
 *
 * Rows and their notes lie in chunks, which do not move: only the slots are copied when the table grows.
 */
#include "engine/graphs/prefixes.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include <string.h>

#ifndef MZ_HASH_BITS /* tests set fewer, to make hashes collide */
#define MZ_HASH_BITS 32
#endif
#define CHUNK 128 /* graphs in a chunk */

static size_t stride_of(uint32_t width)
{
	size_t size = sizeof(uint32_t) * width + 1 + width;
	return (size + sizeof(uint32_t) - 1) / sizeof(uint32_t) * sizeof(uint32_t);
}

static unsigned char *place_of(const struct mz_prefixes *p, uint32_t number)
{
	return p->chunks[number / CHUNK] + number % CHUNK * stride_of(p->width);
}

uint8_t *mz_prefixes_notes(const struct mz_prefixes *p, uint32_t number)
{
	return place_of(p, number) + sizeof(uint32_t) * p->width;
}

uint64_t mz_prefix_hash(uint32_t past)
{
	return past ? mz_mix(past * 0x9e3779b97f4a7c15ULL) : 0;
}

/* ---- memory ---- */

static void *take(struct mz_prefixes *p, size_t size)
{
	if (p->max_bytes && (size > p->max_bytes || p->bytes > p->max_bytes - size)) {
		p->full = true;
		return NULL;
	}
	void *block = mz_alloc(size);
	if (block) p->bytes += size;
	return block;
}

static void give(struct mz_prefixes *p, void *block, size_t size)
{
	if (block) p->bytes -= size;
	mz_free(block);
}

static void release_chunks(struct mz_prefixes *p)
{
	for (size_t n = 0; n < p->nchunks; n++) give(p, p->chunks[n], CHUNK * stride_of(p->width));
	mz_free(p->chunks);
}

void mz_prefixes_release(struct mz_prefixes *p)
{
	release_chunks(p);
	mz_free(p->slots);
	*p = (struct mz_prefixes){0};
}

static bool add_chunk(struct mz_prefixes *p)
{
	if (!mz_array_reserve(&p->chunks, &p->chunks_capacity, p->nchunks + 1)) return false;
	unsigned char *chunk = take(p, CHUNK * stride_of(p->width));
	if (!chunk) return false;
	p->chunks[p->nchunks++] = chunk;
	return true;
}

static bool grow_slots(struct mz_prefixes *p)
{
	if (4 * (p->count + 1) <= 3 * p->nslots) return true;
	size_t grown = p->nslots ? 2 * p->nslots : 128, size = grown * sizeof *p->slots;
	uint64_t *slots = take(p, size);
	if (!slots) return false;
	memset(slots, 0, size);
	for (size_t n = 0; n < p->nslots; n++) {
		if (!p->slots[n]) continue;
		size_t at = (p->slots[n] >> 32) & (grown - 1);
		while (slots[at]) at = (at + 1) & (grown - 1);
		slots[at] = p->slots[n];
	}
	give(p, p->slots, p->nslots * sizeof *p->slots);
	p->slots = slots;
	p->nslots = grown;
	return true;
}

/* ---- rows ---- */

static uint32_t short_hash(uint64_t hash)
{
	return (uint32_t)(hash & (((uint64_t)1 << MZ_HASH_BITS) - 1));
}

/* Returns the slot of the row, or the free slot where it would go. */
static size_t slot_of(const struct mz_prefixes *p, const uint32_t *row, uint32_t hash)
{
	size_t mask = p->nslots - 1, at = hash & mask;
	for (; p->slots[at]; at = (at + 1) & mask) {
		if (p->slots[at] >> 32 != hash) continue;
		uint32_t number = (uint32_t)p->slots[at] - 1;
		if (memcmp(place_of(p, number), row, p->width * sizeof *row) == 0) break;
	}
	return at;
}

uint32_t mz_prefixes_find(const struct mz_prefixes *p, const uint32_t *row, uint64_t hash)
{
	if (!p->nslots) return MZ_NO_PREFIX;
	return (uint32_t)p->slots[slot_of(p, row, short_hash(hash))] - 1;
}

bool mz_prefixes_add(struct mz_prefixes *p, const uint32_t *row, uint64_t hash, uint32_t *number)
{
	uint32_t tag = short_hash(hash);
	if (p->nslots) {
		*number = (uint32_t)p->slots[slot_of(p, row, tag)] - 1;
		if (*number != MZ_NO_PREFIX) return true;
	}
	if (p->count >= MZ_NO_PREFIX - 1 || !grow_slots(p)) return false;
	if (p->count == p->nchunks * CHUNK && !add_chunk(p)) return false;
	*number = (uint32_t)p->count;
	unsigned char *place = place_of(p, *number);
	memset(place, 0, stride_of(p->width));
	memcpy(place, row, p->width * sizeof *row);
	p->slots[slot_of(p, row, tag)] = (uint64_t)tag << 32 | (*number + 1);
	p->count++;
	return true;
}

static void copy_wider(struct mz_prefixes *to, const struct mz_prefixes *from)
{
	for (uint32_t n = 0; n < from->count; n++) {
		unsigned char *place = place_of(to, n);
		memset(place, 0, stride_of(to->width));
		memcpy(place, place_of(from, n), sizeof(uint32_t) * from->width);
		memcpy(mz_prefixes_notes(to, n), mz_prefixes_notes(from, n), 1 + from->width);
	}
}

bool mz_prefixes_widen(struct mz_prefixes *p, uint32_t width)
{
	if (width <= p->width) return true;
	struct mz_prefixes wide = *p;
	wide.width = width;
	wide.chunks = NULL;
	wide.nchunks = wide.chunks_capacity = 0;
	while (wide.nchunks < p->nchunks && add_chunk(&wide)) continue;
	bool done = wide.nchunks == p->nchunks;
	if (done) copy_wider(&wide, p);
	struct mz_prefixes *gone = done ? p : &wide, *kept = done ? &wide : p;
	size_t bytes = wide.bytes;
	bool full = wide.full;
	gone->bytes = bytes;
	release_chunks(gone);
	bytes = gone->bytes;
	*p = *kept;
	p->bytes = bytes;
	p->full = full;
	return done;
}
