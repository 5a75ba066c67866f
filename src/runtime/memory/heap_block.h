/* SPDX-License-Identifier: MIT
 *
 * How the heap lays out its blocks; for its own files.
 *
 * In a region, from low to high addresses, each block has a granule (16 bytes) that nobody may touch, its bytes, and a
 * gap that nobody may touch either. Three memories are as long as the region is, in proportion:
 *   - the region itself, which holds nothing of ours: a program that writes where it should not damages only itself;
 *   - the shadow, a byte per granule: how many of its 16 bytes are allocated, MZ_SHADOW_EDGE for the granule before a
 *     block, MZ_SHADOW_FREED for those of a freed block;
 *   - struct mz_block, one for every 64 bytes: what is known of the block that starts there. Blocks are that far apart.
 * Only the region and the shadow are wiped: where the shadow has no edge there is no block.
 *
 * Large blocks cost what is used of them: their shadow is written when a part of them is used first (until then it is
 * 0, and again when they are freed), and a list of each region has where they are.
 */
#ifndef MZ_RUNTIME_MEMORY_HEAP_BLOCK_H
#define MZ_RUNTIME_MEMORY_HEAP_BLOCK_H

#include "runtime/core/core.h"

#define MZ_GRANULE 16UL
#define MZ_APART 64UL /* least distance between the starts of two blocks */
#define MZ_SHADOW_EDGE 0xf1
#define MZ_SHADOW_FREED 0xfd

struct mz_block {
	uint64_t size; /* bytes that the program asked for */
	uint64_t allocated_at;
	uint64_t freed_at;
	uint16_t allocated_by;
	uint16_t freed_by;
	uint8_t family; /* enum mz_heap_family */
	bool freed;
	bool aligned; /* a larger alignment was asked for than every block has */
	uint8_t mark; /* used while leaks are looked for */
};
_Static_assert(sizeof(struct mz_block) == MZ_APART / 2, "half as long as the region");
_Static_assert(MZ_SESSION_THREADS <= UINT16_MAX + 1, "threads are known by two bytes");

/* Returns the shadow of the granule that contains an address of the heap. */
static inline uint8_t *mz_shadow_of(const void *address)
{
	return (uint8_t *)(MZ_LAYOUT_SHADOW + (((uintptr_t)address - MZ_LAYOUT_HEAP) >> 4));
}

/* Returns what is known of the block that starts at an address. */
static inline struct mz_block *mz_block_info(const void *start)
{
	return (struct mz_block *)MZ_LAYOUT_BLOCKS + ((uintptr_t)start - MZ_LAYOUT_HEAP) / MZ_APART;
}

/* Returns how large the region of a thread is. */
static inline size_t mz_heap_region_size(uint32_t thread)
{
	return thread < MZ_LAYOUT_HEAP_NWIDE ? MZ_LAYOUT_HEAP_WIDE : MZ_LAYOUT_HEAP_REGION;
}

/* Returns where the region of a thread begins. */
static inline uint8_t *mz_heap_region_base(uint32_t thread)
{
	return (uint8_t *)(thread < MZ_LAYOUT_HEAP_NWIDE ? MZ_LAYOUT_HEAP : MZ_LAYOUT_HEAP_OTHERS) +
	       thread * mz_heap_region_size(thread);
}

/* Returns the thread in whose region an address of the heap lies. */
static inline struct mz_fiber *mz_heap_region(const void *address)
{
	uintptr_t at = (uintptr_t)address;
	return &mz_rt.fibers[at < MZ_LAYOUT_HEAP_OTHERS ? (at - MZ_LAYOUT_HEAP) / MZ_LAYOUT_HEAP_WIDE
	                                                : (at - MZ_LAYOUT_HEAP_OTHERS) / MZ_LAYOUT_HEAP_REGION];
}

/* Reports whether a block, freed or not, starts at an address of the heap. */
static inline bool mz_block_starts(const uint8_t *address)
{
	const struct mz_fiber *region = mz_heap_region(address);
	return region->heap.base && (uintptr_t)address % MZ_GRANULE == 0 && address > region->heap.base &&
	       address < region->heap.next && *mz_shadow_of(address - MZ_GRANULE) == MZ_SHADOW_EDGE;
}

/* Returns the first block of a region that starts behind `address`, or NULL. */
uint8_t *mz_block_next(const struct mz_fiber *region, const uint8_t *address);

/* Takes memory from the thread's own region that was not handed out before; NULL if none is left. */
uint8_t *mz_block_carve(struct mz_fiber *self, size_t size, size_t alignment);

/* Returns how many granules a block of `size` bytes has: at least one. */
static inline size_t mz_block_granules(size_t size)
{
	return size ? (size + MZ_GRANULE - 1) / MZ_GRANULE : 1;
}

/* Returns how many granules a block has. */
static inline size_t mz_block_room(const struct mz_block *block)
{
	return mz_block_granules(block->size);
}
/* Set the shadow of a block: `size` bytes are allocated; or every granule is `what`. The third sets its bytes to 0. */
void mz_block_mark_allocated(uint8_t *start, size_t size);
void mz_block_mark(uint8_t *start, uint8_t what);
void mz_block_clear(uint8_t *start);

/* ---- large blocks (heap_large.c) ---- */

#define MZ_LARGE (256UL << 10)

/* Reports whether a block is handled as a large one. */
static inline bool mz_block_is_large(const struct mz_block *block)
{
	return mz_block_room(block) >= MZ_LARGE / MZ_GRANULE;
}

/* Adds a large block, which was just handed out, to the list of its region. */
void mz_large_add(uint8_t *start);
/* Returns the large block, freed or not, that an address is in; NULL if there is none. */
uint8_t *mz_large_at(const void *address);
/* Called when the shadow of an address is 0. Returns true if that was because this part of a large block is used for
 * the first time, and sets the shadow of the part. */
bool mz_large_use(const void *address);
/* Set to 0 the shadow of a large block, because it was freed or gets another size; and its bytes. */
void mz_large_unmark(uint8_t *start);
void mz_large_clear(uint8_t *start);
/* Wipes and forgets the large blocks of a region from `from` on. */
void mz_large_wipe(struct mz_fiber *region, uint8_t *from);
void mz_large_store(const struct mz_fiber *region, struct mz_state *state);
void mz_large_load(struct mz_fiber *region, struct mz_state *state);

#endif
