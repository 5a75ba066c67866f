/* SPDX-License-Identifier: MIT
 *
 * Regions and blocks, and what states have of them; the layout is in heap_block.h, who hands them out in allocation.c,
 * what is wrong with a use of them in heap_wrong.c.
 */
#include "runtime/memory/heap.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/memory/heap_block.h"
#include "runtime/memory/heap_lists.h"
#include "runtime/memory/image.h"
#include <string.h>
#include <sys/mman.h>

#define GAP_MAX 64 /* granules behind a block; a smaller block has a smaller gap */

static bool active;

/* Bytes of the first thread's region that were in use before the first execution: they are part of the image. */
static size_t in_image;
static uint32_t nregions; /* number of threads that have ever allocated */

bool mz_heap_active(void)
{
	return active;
}

void mz_heap_init(void)
{
	active = true;
}

static void map(void *where, size_t size)
{
	void *got = mmap(where, size, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (got != where) mz_unsupported("no room for a heap");
}

static void map_region(struct mz_fiber *fiber)
{
	uint8_t *base = mz_heap_region_base(fiber->index);
	size_t size = mz_heap_region_size(fiber->index);
	map(base, size);
	map(mz_shadow_of(base), size / MZ_GRANULE);
	map(mz_block_info(base), size / 2);
	fiber->heap.base = fiber->heap.next = base;
	nregions++;
	fiber->heap.limit = base + size;
}

/* ---- blocks ---- */

/* The shadow of large blocks is written as they are used. */
void mz_block_mark_allocated(uint8_t *start, size_t size)
{
	uint8_t *shadow = mz_shadow_of(start);
	size_t whole = size / MZ_GRANULE;
	shadow[-1] = MZ_SHADOW_EDGE;
	if (mz_block_is_large(mz_block_info(start))) {
		mz_large_add(start);
		return;
	}
	MZ_REAL(memset)(shadow, MZ_GRANULE, whole);
	if (size % MZ_GRANULE) shadow[whole] = (uint8_t)(size % MZ_GRANULE);
}

void mz_block_mark(uint8_t *start, uint8_t what)
{
	const struct mz_block *block = mz_block_info(start);
	if (mz_block_is_large(block))
		mz_large_unmark(start);
	else
		MZ_REAL(memset)(mz_shadow_of(start), what, mz_block_room(block));
}

void mz_block_clear(uint8_t *start)
{
	const struct mz_block *block = mz_block_info(start);
	if (mz_block_is_large(block))
		mz_large_clear(start);
	else
		MZ_REAL(memset)(start, 0, mz_block_room(block) * MZ_GRANULE);
}

/* Returns how many granules the gap behind a block has: the larger the block, the farther beyond it accesses may be. */
static size_t gap_behind(size_t room)
{
	size_t gap = 1 + room / 8, least = MZ_APART / MZ_GRANULE - 1;
	if (gap > GAP_MAX) gap = GAP_MAX;
	return room + gap < least ? least - room : gap;
}

uint8_t *mz_block_carve(struct mz_fiber *self, size_t size, size_t alignment)
{
	if (!self->heap.base) map_region(self);
	if (size > mz_heap_region_size(self->index) || alignment > mz_heap_region_size(self->index)) return NULL;
	if (alignment < MZ_GRANULE) alignment = MZ_GRANULE;
	size_t room = mz_block_granules(size);
	uintptr_t start = ((uintptr_t)self->heap.next + MZ_GRANULE + alignment - 1) & ~(alignment - 1);
	uintptr_t end = start + (room + gap_behind(room)) * MZ_GRANULE;
	if (end > (uintptr_t)self->heap.limit) return NULL;
	self->heap.next = (uint8_t *)end;
	return (uint8_t *)start;
}

size_t mz_heap_most(const struct mz_fiber *thread)
{
	return mz_heap_region_size(thread->index);
}

size_t mz_heap_size(void *block)
{
	return mz_block_starts(block) ? mz_block_info(block)->size : 0;
}

uint8_t *mz_block_next(const struct mz_fiber *region, const uint8_t *address)
{
	const uint8_t *within = mz_large_at(address);
	if (within) address = within + mz_block_room(mz_block_info(within)) * MZ_GRANULE;
	const uint8_t *from = mz_shadow_of(address), *end = mz_shadow_of(region->heap.next);
	const uint8_t *edge = from < end ? MZ_REAL(memchr)(from, MZ_SHADOW_EDGE, (size_t)(end - from)) : NULL;
	return edge ? region->heap.base + (size_t)(edge + 1 - mz_shadow_of(region->heap.base)) * MZ_GRANULE : NULL;
}

/* ---- the image, and checkpoints ---- */

/* Empties the region from `from` on. */
static void cut_region(struct mz_fiber *fiber, uint8_t *from)
{
	if (fiber->heap.next > from) mz_large_wipe(fiber, from);
	fiber->heap.next = from;
}

/* Returns how many bytes of struct mz_block belong to a part of a region. */
static size_t blocks_for(const uint8_t *low, size_t size)
{
	return (size_t)(mz_block_info(low + size + MZ_APART - 1) - mz_block_info(low)) * sizeof(struct mz_block);
}

/* Returns where the part of a region begins that is not in the image. */
static uint8_t *base_of(const struct mz_fiber *fiber)
{
	return fiber->heap.base + (fiber->index == 0 ? in_image : 0);
}

static size_t used_by(const struct mz_fiber *fiber)
{
	return (size_t)(fiber->heap.next - base_of(fiber));
}

size_t mz_heap_bytes(void)
{
	size_t bytes = 0;
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) bytes += used_by(&mz_rt.fibers[t]);
	return bytes + bytes / MZ_GRANULE + bytes / 2;
}

void mz_heap_store(struct mz_state *state)
{
	const uint32_t nfibers = nregions || state->mirror ? mz_rt.nfibers : 0;
	mz_state_put(state, &nfibers, sizeof nfibers);
	mz_heap_lists_store(state);
	for (uint32_t t = 0; t < nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		size_t used = used_by(fiber);
		uint8_t *base = base_of(fiber);
		mz_state_put(state, &used, sizeof used);
		if (!used && !state->mirror) continue; /* most threads have none */
		mz_state_put_memory(state, base, used, 0, true);
		mz_state_put_memory(state, mz_shadow_of(base), used / MZ_GRANULE, 0, true);
		mz_state_put_memory(state, mz_block_info(base), blocks_for(base, used), 0, false);
		mz_large_store(fiber, state);
	}
}

void mz_heap_load(struct mz_state *state)
{
	uint32_t nfibers;
	mz_state_get(state, &nfibers, sizeof nfibers);
	mz_heap_lists_load(state);
	for (uint32_t t = 0; t < mz_rt.nfibers && (nregions || state->mirror); t++) {
		struct mz_fiber *fiber = &mz_rt.fibers[t];
		size_t used = 0;
		if (t < nfibers) mz_state_get(state, &used, sizeof used);
		uint8_t *base = base_of(fiber);
		if (fiber->heap.base) cut_region(fiber, base + used);
		if (t >= nfibers || (!used && !state->mirror)) {
			fiber->heap.nlarge = 0;
			continue;
		}
		mz_state_get_memory(state, base, used, 0, true);
		mz_state_get_memory(state, mz_shadow_of(base), used / MZ_GRANULE, 0, true);
		mz_state_get_memory(state, mz_block_info(base), blocks_for(base, used), 0, false);
		mz_large_load(fiber, state);
	}
}

/* Saves the heap of the first thread: no other one has allocated before the first execution. */
void mz_heap_save(void)
{
	const struct mz_fiber *first = &mz_rt.fibers[0];
	if (!first->heap.base) return;
	mz_image_add(first->heap.base, first->heap.next);
	mz_image_add(mz_shadow_of(first->heap.base), mz_shadow_of(first->heap.next));
	in_image = (size_t)(first->heap.next - first->heap.base);
	mz_image_add(mz_block_info(first->heap.base), mz_block_info(first->heap.next + MZ_APART - 1));
}

void mz_heap_restore(void)
{
	mz_heap_lists_reset();
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].heap.base) cut_region(&mz_rt.fibers[t], base_of(&mz_rt.fibers[t]));
}

/* ---- identity ---- */

/* Leaves out where and by which thread blocks were allocated and freed, which is only for reports. */
void mz_heap_identity(struct mz_state *state)
{
	mz_heap_lists_store(state);
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		const uint64_t used[2] = {t, used_by(fiber)};
		if (!used[1]) continue;
		mz_state_put(state, used, sizeof used);
		mz_state_put(state, base_of(fiber), used[1]);
		mz_state_put(state, mz_shadow_of(base_of(fiber)), used[1] / MZ_GRANULE);
		for (uint8_t *start = base_of(fiber); (start = mz_block_next(fiber, start));) {
			const struct mz_block *block = mz_block_info(start);
			const uint8_t how[2] = {block->family, block->aligned};
			mz_state_put(state, how, sizeof how);
		}
	}
}

struct mz_key mz_heap_hash(void)
{
	struct mz_key hash = mz_heap_lists_hash();
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		if (!used_by(fiber)) continue;
		hash = mz_hash_pair(hash, t, used_by(fiber));
		for (uint8_t *start = base_of(fiber); (start = mz_block_next(fiber, start));) {
			const struct mz_block *block = mz_block_info(start);
			hash = mz_hash_pair(hash, block->family, block->aligned);
		}
	}
	return hash;
}
