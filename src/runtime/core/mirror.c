/* SPDX-License-Identifier: MIT
 *
 * The numbers of all chunks of a state, those of its last part first, are its directory. It is cut into chunks as well,
 * and so shared: a kept state is the list of those. The directory of the state that was stored or loaded last is a part
 * that nobody sees.
 */
#include "runtime/core/mirror.h"
#include "base/alloc.h"
#include "base/chunks.h"
#include "runtime/core/real.h"
#include "runtime/core/runtime.h"
#include <string.h>

/* What is known of a chunk of a part. Its number is looked up only if the state is kept, because that takes longer. */
struct mirror_piece {
	struct mz_key hash;
	uint32_t number; /* number of the chunk, or UNKNOWN */
};
#define UNKNOWN MZ_CHUNK_NONE

struct mirror_part {
	const uint8_t *address;
	uint8_t *copy; /* whole chunks, zero beyond `size` */
	struct mirror_piece *pieces;
	size_t size, nchunks;
	size_t copy_capacity, pieces_capacity;
	struct mz_key sum; /* what the part adds to the mirror's sum, if it is shared */
	bool unknown;      /* some chunk has an UNKNOWN number */
};

/* A kept state. */
struct kept_state {
	uint32_t nlists; /* number of chunks of its directory */
	uint32_t nbytes; /* size of its last part */
	uint32_t *lists; /* the chunks of its directory; NULL: the handle is free */
	uint32_t next;   /* the next free handle, or MZ_NO_HANDLE */
};

struct mz_mirror {
	struct mz_chunks chunks;
	struct mirror_part *parts; /* all parts; parts[0] is the last one, the bytes */
	size_t nparts, parts_capacity, at;
	struct mirror_part directory;
	/* where the chunk numbers of the next part are, in the directory that is being loaded */
	const uint32_t *numbers;
	struct mz_key sum; /* the sum over all shared parts */
	struct kept_state *kept;
	size_t nkept, kept_capacity;
	uint32_t free;
	size_t memory; /* bytes of all `lists` */
};

static const uint8_t zero[MZ_CHUNK_SIZE];

struct mz_mirror *mz_mirror(void)
{
	static struct mz_mirror mirror = {.free = MZ_NO_HANDLE};
	return &mirror;
}

/* ---- sums ---- */

/* Returns what a chunk with this hash adds to the sum at an address. */
static struct mz_key weigh(struct mz_key hash, const void *address)
{
	if ((hash.low | hash.high) == 0) return hash;
	return mz_hash_pair(hash, (uintptr_t)address, MZ_HASH_FACTOR);
}

static void raise_sum(struct mz_key *sum, struct mz_key by)
{
	sum->low += by.low;
	sum->high += by.high;
}

static void lower_sum(struct mz_key *sum, struct mz_key by)
{
	sum->low -= by.low;
	sum->high -= by.high;
}

struct mz_key mz_mirror_sum_of(const void *bytes, size_t size, const void *address)
{
	struct mz_key sum = {0, 0};
	for (size_t at = 0; at < size; at += MZ_CHUNK_SIZE) {
		uint8_t chunk[MZ_CHUNK_SIZE] = {0};
		MZ_REAL(memcpy)
		(chunk, (const uint8_t *)bytes + at, size - at < MZ_CHUNK_SIZE ? size - at : MZ_CHUNK_SIZE);
		raise_sum(&sum, weigh(mz_chunk_hash(chunk), (const uint8_t *)address + at));
	}
	return sum;
}

struct mz_key mz_mirror_sum(const struct mz_mirror *mirror)
{
	return mirror->sum;
}

/* ---- parts ---- */

/* Replaces a chunk of a part by another one, whose reference the part takes over. */
static void set_piece(struct mz_mirror *mirror, struct mirror_part *part, size_t chunk, struct mirror_piece piece,
                      bool shared)
{
	struct mirror_piece old = part->pieces[chunk];
	const uint8_t *address = part->address + chunk * MZ_CHUNK_SIZE;
	part->pieces[chunk] = piece;
	if (shared) {
		lower_sum(&part->sum, weigh(old.hash, address));
		raise_sum(&part->sum, weigh(piece.hash, address));
	}
	if (old.number != UNKNOWN) mz_chunks_drop(&mirror->chunks, old.number);
}

static bool is_zero(struct mirror_piece piece)
{
	return (piece.hash.low | piece.hash.high) == 0;
}

static void clear_chunk(struct mz_mirror *mirror, struct mirror_part *part, size_t chunk, bool shared)
{
	if (is_zero(part->pieces[chunk])) return;
	MZ_REAL(memset)(part->copy + chunk * MZ_CHUNK_SIZE, 0, MZ_CHUNK_SIZE);
	set_piece(mirror, part, chunk, (struct mirror_piece){.number = 0}, shared);
}

/* Sets the address and size of a part; bytes that are new are 0. */
static void lay_out(struct mz_mirror *mirror, struct mirror_part *part, const void *address, size_t size, bool shared)
{
	size_t nchunks = (size + MZ_CHUNK_SIZE - 1) / MZ_CHUNK_SIZE;
	bool moved = part->address != address; /* the part is another one now: its old contents do not count */
	for (size_t i = moved ? 0 : nchunks; i < part->nchunks; i++) clear_chunk(mirror, part, i, shared && !moved);
	if (moved) part->sum = (struct mz_key){0, 0};
	part->address = address;
	part->size = size;
	if (nchunks > part->nchunks) {
		mz_array_require(&part->copy, &part->copy_capacity, nchunks * MZ_CHUNK_SIZE);
		mz_array_require(&part->pieces, &part->pieces_capacity, nchunks);
		size_t more = nchunks - part->nchunks;
		MZ_REAL(memset)(part->copy + part->nchunks * MZ_CHUNK_SIZE, 0, more * MZ_CHUNK_SIZE);
		MZ_REAL(memset)(part->pieces + part->nchunks, 0, more * sizeof *part->pieces);
	}
	part->nchunks = nchunks;
}

static bool differ(const uint8_t *a, const uint8_t *b)
{
	uint64_t difference = 0;
	for (size_t i = 0; i < MZ_CHUNK_SIZE; i += 8) {
		uint64_t x, y;
		__builtin_memcpy(&x, a + i, 8);
		__builtin_memcpy(&y, b + i, 8);
		difference |= x ^ y;
	}
	return difference != 0;
}

static void put_chunk(struct mz_mirror *mirror, struct mirror_part *part, size_t chunk, const uint8_t *bytes,
                      bool shared)
{
	uint8_t *copy = part->copy + chunk * MZ_CHUNK_SIZE;
	if (MZ_LIKELY(!differ(copy, bytes))) return;
	__builtin_memcpy(copy, bytes, MZ_CHUNK_SIZE);
	struct mirror_piece piece = {mz_chunk_hash(copy), UNKNOWN};
	if (is_zero(piece))
		piece.number = 0;
	else
		part->unknown = true;
	set_piece(mirror, part, chunk, piece, shared);
}

/* Stores a chunk of which only the bytes [from, to) count. */
static void put_partial(struct mz_mirror *mirror, struct mirror_part *part, size_t chunk, size_t from, size_t to,
                        bool shared)
{
	uint8_t bytes[MZ_CHUNK_SIZE] = {0};
	MZ_REAL(memcpy)(bytes + from, part->address + chunk * MZ_CHUNK_SIZE + from, to - from);
	put_chunk(mirror, part, chunk, bytes, shared);
}

static void put_part(struct mz_mirror *mirror, struct mirror_part *part, const void *address, size_t size, size_t dead,
                     bool shared)
{
	if (MZ_UNLIKELY(part->address != address || part->size != size)) lay_out(mirror, part, address, size, shared);
	size_t chunk = dead / MZ_CHUNK_SIZE, whole = size / MZ_CHUNK_SIZE, from = dead % MZ_CHUNK_SIZE;
	for (size_t i = 0; i < chunk; i++) clear_chunk(mirror, part, i, shared);
	if (from && chunk < whole) put_partial(mirror, part, chunk++, from, MZ_CHUNK_SIZE, shared);
	for (; chunk < whole; chunk++)
		put_chunk(mirror, part, chunk, (const uint8_t *)address + chunk * MZ_CHUNK_SIZE, shared);
	if (size % MZ_CHUNK_SIZE)
		put_partial(mirror, part, whole, dead > whole * MZ_CHUNK_SIZE ? from : 0, size % MZ_CHUNK_SIZE, shared);
}

static struct mirror_part *next_part(struct mz_mirror *mirror)
{
	if (MZ_UNLIKELY(mirror->at == mirror->nparts)) {
		mz_array_require(&mirror->parts, &mirror->parts_capacity, mirror->nparts + 1);
		mirror->parts[mirror->nparts++] = (struct mirror_part){0};
	}
	return &mirror->parts[mirror->at++];
}

/* Reports whether the part is and was empty, as the heaps of most threads are. */
static bool is_empty(const struct mirror_part *part, const void *address, size_t size)
{
	return size == 0 && part->size == 0 && part->address == address;
}

/* ---- storing ---- */

void mz_mirror_begin(struct mz_mirror *mirror)
{
	mirror->at = 0;
	mirror->sum = (struct mz_key){0, 0};
	next_part(mirror);
}

void mz_mirror_put(struct mz_mirror *mirror, const void *address, size_t size, size_t dead, bool shared)
{
	struct mirror_part *part = next_part(mirror);
	if (is_empty(part, address, size)) return;
	put_part(mirror, part, address, size, dead, shared);
	if (shared) raise_sum(&mirror->sum, part->sum);
}

/* Looks up the numbers of all chunks of a part. Returns false if there is no memory. */
static bool number_part(struct mz_mirror *mirror, struct mirror_part *part, enum mz_chunk_kind kind)
{
	if (!part->unknown) return true;
	for (size_t i = 0; i < part->nchunks; i++) {
		struct mirror_piece *piece = &part->pieces[i];
		if (piece->number != UNKNOWN) continue;
		piece->number = mz_chunks_put(&mirror->chunks, part->copy + i * MZ_CHUNK_SIZE, piece->hash, kind);
		if (piece->number == UNKNOWN) return false;
	}
	part->unknown = false;
	return true;
}

/* Writes the numbers of all parts' chunks to the directory, which is a part of its own. Returns false if there is no
 * memory. */
static bool make_directory(struct mz_mirror *mirror)
{
	static uint32_t *all;
	static size_t capacity;
	size_t n = 0;
	for (size_t i = 0; i < mirror->at; i++) n += mirror->parts[i].nchunks;
	if (!mz_array_reserve(&all, &capacity, n)) return false;
	uint32_t *to = all;
	for (size_t i = 0; i < mirror->at; i++) {
		struct mirror_part *part = &mirror->parts[i];
		if (!number_part(mirror, part, MZ_CHUNK_BYTES)) return false;
		for (size_t k = 0; k < part->nchunks; k++) *to++ = part->pieces[k].number;
	}
	put_part(mirror, &mirror->directory, all, n * sizeof *all, 0, false);
	return number_part(mirror, &mirror->directory, MZ_CHUNK_LIST);
}

static uint32_t new_handle(struct mz_mirror *mirror)
{
	uint32_t handle = mirror->free;
	if (handle != MZ_NO_HANDLE) {
		mirror->free = mirror->kept[handle].next;
		return handle;
	}
	if (mirror->nkept == MZ_NO_HANDLE) return MZ_NO_HANDLE;
	if (!mz_array_reserve(&mirror->kept, &mirror->kept_capacity, mirror->nkept + 1)) return MZ_NO_HANDLE;
	return (uint32_t)mirror->nkept++;
}

static void free_handle(struct mz_mirror *mirror, uint32_t handle)
{
	mirror->kept[handle] = (struct kept_state){.next = mirror->free};
	mirror->free = handle;
}

static uint32_t keep_directory(struct mz_mirror *mirror, size_t nbytes)
{
	const struct mirror_part *directory = &mirror->directory;
	uint32_t handle = new_handle(mirror);
	if (handle == MZ_NO_HANDLE) return handle;
	uint32_t *lists = mz_alloc(directory->nchunks * sizeof *lists);
	if (!lists) {
		free_handle(mirror, handle);
		return MZ_NO_HANDLE;
	}
	for (size_t i = 0; i < directory->nchunks; i++) {
		lists[i] = directory->pieces[i].number;
		mz_chunks_hold(&mirror->chunks, lists[i]);
	}
	mirror->kept[handle] = (struct kept_state){(uint32_t)directory->nchunks, (uint32_t)nbytes, lists, MZ_NO_HANDLE};
	mirror->memory += directory->nchunks * sizeof *lists + sizeof *mirror->kept;
	return handle;
}

uint32_t mz_mirror_keep(struct mz_mirror *mirror, const void *bytes, size_t size, size_t most)
{
	put_part(mirror, &mirror->parts[0], bytes, size, 0, false);
	if (!make_directory(mirror) || mz_mirror_memory(mirror) > most) return MZ_NO_HANDLE;
	return keep_directory(mirror, size);
}

size_t mz_mirror_memory(const struct mz_mirror *mirror)
{
	return mirror->memory + mz_chunks_memory(&mirror->chunks);
}

void mz_mirror_drop(struct mz_mirror *mirror, uint32_t handle)
{
	struct kept_state *kept = &mirror->kept[handle];
	for (uint32_t i = 0; i < kept->nlists; i++) mz_chunks_drop(&mirror->chunks, kept->lists[i]);
	mirror->memory -= kept->nlists * sizeof *kept->lists + sizeof *kept;
	mz_free(kept->lists);
	free_handle(mirror, handle);
}

/* ---- loading ---- */

static void get_chunk(struct mz_mirror *mirror, struct mirror_part *part, size_t chunk, uint32_t number, bool shared)
{
	if (MZ_LIKELY(part->pieces[chunk].number == number)) return;
	const void *bytes = number ? mz_chunks_bytes(&mirror->chunks, number) : zero;
	__builtin_memcpy(part->copy + chunk * MZ_CHUNK_SIZE, bytes, MZ_CHUNK_SIZE);
	mz_chunks_hold(&mirror->chunks, number);
	set_piece(mirror, part, chunk, (struct mirror_piece){mz_chunks_hash(&mirror->chunks, number), number}, shared);
}

static void get_part(struct mz_mirror *mirror, struct mirror_part *part, const void *address, size_t size, bool shared)
{
	if (MZ_UNLIKELY(part->address != address || part->size != size)) lay_out(mirror, part, address, size, shared);
	for (size_t i = 0; i < part->nchunks; i++) get_chunk(mirror, part, i, *mirror->numbers++, shared);
}

const uint8_t *mz_mirror_open(struct mz_mirror *mirror, uint32_t handle)
{
	const struct kept_state *kept = &mirror->kept[handle];
	struct mirror_part *directory = &mirror->directory;
	lay_out(mirror, directory, directory->address, (size_t)kept->nlists * MZ_CHUNK_SIZE, false);
	for (uint32_t i = 0; i < kept->nlists; i++) get_chunk(mirror, directory, i, kept->lists[i], false);
	mz_mirror_begin(mirror);
	struct mirror_part *bytes = &mirror->parts[0];
	mirror->numbers = (const uint32_t *)directory->copy;
	get_part(mirror, bytes, bytes->address, kept->nbytes, false);
	return bytes->copy;
}

void mz_mirror_get(struct mz_mirror *mirror, void *address, size_t size, size_t dead, bool shared)
{
	struct mirror_part *part = next_part(mirror);
	if (is_empty(part, address, size)) return;
	get_part(mirror, part, address, size, shared);
	if (size) MZ_REAL(memcpy)((uint8_t *)address + dead, part->copy + dead, size - dead);
	if (shared) raise_sum(&mirror->sum, part->sum);
}
