/* SPDX-License-Identifier: MIT
 *
 * Handing out and taking back blocks; the layout is in heap_block.h, what is wrong with a use of them in heap_wrong.c.
 *
 * What a program reads before it writes does not depend on earlier executions: fresh memory is zero, or where a block
 * is small enough to be filled, MZ_HEAP_UNTOUCHED.
 */
#include "base/hash.h"
#include "runtime/access.h"
#include "runtime/heap_block.h"
#include "runtime/heap_lists.h"
#include "runtime/image.h"
#include "runtime/invariant.h"
#include "runtime/object.h"
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/record.h"
#include "runtime/spin.h"
#include "runtime/state.h"
#include <string.h>
#include <sys/mman.h>

#define FILLED_MAX 4096 /* larger blocks are left as they are: pages that are not used cost nothing */
#define GAP_MAX 64      /* granules behind a block; a smaller block has a smaller gap */

static bool active;

/* Bytes of the first thread's region that were in use before the first execution: they are part of the image. */
static size_t in_image;
static uint32_t nregions; /* of threads that have ever allocated */

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
	uint8_t *base = (uint8_t *)MZ_LAYOUT_HEAP + fiber->index * MZ_LAYOUT_HEAP_REGION;
	map(base, MZ_LAYOUT_HEAP_REGION);
	map(mz_shadow_of(base), MZ_LAYOUT_HEAP_REGION / MZ_GRANULE);
	map(mz_block_info(base), MZ_LAYOUT_HEAP_REGION / 2);
	fiber->heap_base = fiber->heap_next = base;
	nregions++;
	fiber->heap_limit = base + MZ_LAYOUT_HEAP_REGION;
}

/* ---- blocks ---- */

/* The shadow of large blocks is written as they are used. */
static void mark_allocated(uint8_t *start, size_t size)
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

static void mark(uint8_t *start, uint8_t what)
{
	const struct mz_block *block = mz_block_info(start);
	if (mz_block_is_large(block))
		mz_large_unmark(start);
	else
		MZ_REAL(memset)(mz_shadow_of(start), what, block->room);
}

static void clear(uint8_t *start)
{
	const struct mz_block *block = mz_block_info(start);
	if (mz_block_is_large(block))
		mz_large_clear(start);
	else
		MZ_REAL(memset)(start, 0, block->room * MZ_GRANULE);
}

/* Granules behind a block of that many: the larger it is, the farther off accesses beyond it may be. */
static size_t gap_behind(size_t room)
{
	size_t gap = 1 + room / 8, least = MZ_APART / MZ_GRANULE - 1;
	if (gap > GAP_MAX) gap = GAP_MAX;
	return room + gap < least ? least - room : gap;
}

static size_t granules(size_t size)
{
	return size ? (size + MZ_GRANULE - 1) / MZ_GRANULE : 1;
}

/* Memory of the thread's own region that was not handed out before, or NULL. */
static uint8_t *carve(struct mz_fiber *self, size_t size, size_t alignment)
{
	if (!self->heap_base) map_region(self);
	if (size > MZ_LAYOUT_HEAP_REGION || alignment > MZ_LAYOUT_HEAP_REGION) return NULL;
	if (alignment < MZ_GRANULE) alignment = MZ_GRANULE;
	size_t room = granules(size);
	uintptr_t start = ((uintptr_t)self->heap_next + MZ_GRANULE + alignment - 1) & ~(alignment - 1);
	uintptr_t end = start + (room + gap_behind(room)) * MZ_GRANULE;
	if (end > (uintptr_t)self->heap_limit) return NULL;
	self->heap_next = (uint8_t *)end;
	mz_block_info((void *)start)->room = (uint32_t)room;
	return (uint8_t *)start;
}

/* Whether blocks of that kind come from, and go to, lists of freed ones. */
static bool is_listed(size_t alignment)
{
	return mz_rt.reuse && mz_current && alignment <= MZ_GRANULE;
}

/* What happens to the block from here on comes after what happened to it before it was freed. */
static struct mz_clock *clock_of(const uint8_t *start)
{
	return &mz_object_find((uintptr_t)start | 1UL << 62)->clock;
}

/* The last one freed of as many granules, or fresh memory if there is none. */
static uint8_t *take(struct mz_fiber *self, const struct mz_heap_request *request)
{
	uint32_t room = (uint32_t)granules(request->size);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = MZ_HEAP_LIST(room), .mask = 0xff, .kind = MZ_WRITE};
	mz_visible(self, MZ_OP_ALLOCATE, 1, 1, request->caller);
	uint32_t count = mz_heap_list_count(room);
	uint8_t *start = count ? mz_heap_list_pop(room) : carve(self, request->size, 0);
	access->before = count;
	access->kind = count ? MZ_WRITE : MZ_READ;
	if (MZ_UNLIKELY(mz_rt.replaying)) mz_record_value((uintptr_t)start, 0, false, 0);
	mz_commit(self, MZ_OP_ALLOCATE, 1, 1);
	if (count) {
		mz_race_acquire(self, clock_of(start));
		mz_objects_forget_range((uintptr_t)start, (uintptr_t)start + room * MZ_GRANULE);
		if (request->zero) clear(start);
	}
	return start;
}

/* Where the block goes when it has been freed. */
static void before_giving_back(struct mz_fiber *self, const uint8_t *start, uint32_t room, uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = MZ_HEAP_LIST(room), .mask = 0xff, .kind = MZ_WRITE};
	mz_visible(self, MZ_OP_FREE, 1, 1, caller);
	access->before = mz_heap_list_count(room);
	if (MZ_UNLIKELY(mz_rt.replaying)) mz_record_value((uintptr_t)start, 0, false, 0);
	mz_commit(self, MZ_OP_FREE, 1, 1);
}

void *mz_heap_alloc(struct mz_fiber *self, const struct mz_heap_request *request)
{
	if (MZ_UNLIKELY(mz_rt.observing)) mz_invariant_refuse("allocates or frees memory");
	mz_spin_forget(self);
	if (request->size > MZ_LAYOUT_HEAP_REGION) return NULL;
	bool recycled = is_listed(request->alignment);
	uint8_t *start = recycled ? take(self, request) : carve(self, request->size, request->alignment);
	if (!start) return NULL;
	struct mz_block *block = mz_block_info(start);
	*block = (struct mz_block){.size = (uint32_t)request->size,
	                           .room = block->room,
	                           .allocated_at = request->caller,
	                           .allocated_by = (uint16_t)self->index,
	                           .family = request->family,
	                           .aligned = request->alignment > MZ_GRANULE};
	mark_allocated(start, request->size);
	if (!request->zero && !recycled && request->size <= FILLED_MAX)
		MZ_REAL(memset)(start, MZ_HEAP_UNTOUCHED, request->size);
	return start;
}

size_t mz_heap_size(void *block)
{
	return mz_block_starts(block) ? mz_block_info(block)->size : 0;
}

uint8_t *mz_block_next(const struct mz_fiber *region, const uint8_t *address)
{
	const uint8_t *within = mz_large_at(address);
	if (within) address = within + mz_block_info(within)->room * MZ_GRANULE;
	const uint8_t *from = mz_shadow_of(address), *end = mz_shadow_of(region->heap_next);
	const uint8_t *edge = from < end ? MZ_REAL(memchr)(from, MZ_SHADOW_EDGE, (size_t)(end - from)) : NULL;
	return edge ? region->heap_base + (size_t)(edge + 1 - mz_shadow_of(region->heap_base)) * MZ_GRANULE : NULL;
}

void mz_heap_free(struct mz_fiber *self, void *start, const struct mz_heap_release *release)
{
	if (MZ_UNLIKELY(mz_rt.observing)) mz_invariant_refuse("allocates or frees memory");
	mz_spin_forget(self);
	if (!mz_block_starts(start)) {
		mz_heap_report_bad_free(self, start, release->caller);
		return;
	}
	struct mz_block *block = mz_block_info(start);
	bool recycles = is_listed(0);
	if (mz_current && !block->freed) mz_plain_free(self, (uintptr_t)start, block->size, release->caller);
	if (recycles) before_giving_back(self, start, block->room, release->caller);
	if (block->freed) {
		mz_heap_report_double_free(self, start, release->caller);
		return;
	}
	mz_heap_check_free(self, start, release);
	mz_race_free(self, (uintptr_t)start, block->size, release->caller);
	block->freed = true;
	if (MZ_UNLIKELY(mz_rt.pauses)) { /* nobody can tell any more what it held, and states are equal sooner */
		if (!recycles) clear(start);
	} else {
		block->freed_at = release->caller;
		block->freed_by = (uint16_t)self->index;
	}
	mark(start, MZ_SHADOW_FREED);
	if (!recycles) return;
	mz_race_release(self, clock_of(start));
	mz_heap_list_push(block->room, start);
}

/* As malloc does: the block stays where it is if it has room enough, and not too much. */
static bool resize_in_place(struct mz_block *block, uint8_t *start, size_t size, uintptr_t caller)
{
	if (!is_listed(0) || granules(size) != block->room) return false;
	mark(start, 0);
	mark_allocated(start, size);
	block->size = (uint32_t)size;
	block->allocated_at = caller;
	return true;
}

void *mz_heap_realloc(struct mz_fiber *self, void *start, size_t size, uintptr_t caller)
{
	const struct mz_heap_request request = {.size = size, .caller = caller};
	const struct mz_heap_release release = {.caller = caller};
	if (!mz_block_starts(start) || mz_block_info(start)->freed) {
		mz_heap_free(self, start, &release); /* says what is wrong */
		return NULL;
	}
	if (resize_in_place(mz_block_info(start), start, size, caller)) return start;
	void *moved = mz_heap_alloc(self, &request);
	if (!moved) return NULL;
	size_t old = mz_block_info(start)->size;
	MZ_REAL(memcpy)(moved, start, old < size ? old : size);
	mz_heap_free(self, start, &release);
	return moved;
}

/* ---- the image, and checkpoints ---- */

/* The region is empty from there on. */
static void cut_region(struct mz_fiber *fiber, uint8_t *from)
{
	if (fiber->heap_next > from) mz_large_wipe(fiber, from);
	fiber->heap_next = from;
}

/* Bytes of struct mz_block for a part of a region. */
static size_t blocks_for(const uint8_t *low, size_t size)
{
	return (size_t)(mz_block_info(low + size + MZ_APART - 1) - mz_block_info(low)) * sizeof(struct mz_block);
}

/* Where that part of a region begins that is not in the image. */
static uint8_t *base_of(const struct mz_fiber *fiber)
{
	return fiber->heap_base + (fiber->index == 0 ? in_image : 0);
}

static size_t used_by(const struct mz_fiber *fiber)
{
	return (size_t)(fiber->heap_next - base_of(fiber));
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
		if (fiber->heap_base) cut_region(fiber, base + used);
		if (t >= nfibers || (!used && !state->mirror)) {
			fiber->nlarge = 0;
			continue;
		}
		mz_state_get_memory(state, base, used, 0, true);
		mz_state_get_memory(state, mz_shadow_of(base), used / MZ_GRANULE, 0, true);
		mz_state_get_memory(state, mz_block_info(base), blocks_for(base, used), 0, false);
		mz_large_load(fiber, state);
	}
}

/* Only the first thread has allocated before the first execution. */
void mz_heap_save(void)
{
	const struct mz_fiber *first = &mz_rt.fibers[0];
	if (!first->heap_base) return;
	mz_image_add(first->heap_base, first->heap_next);
	mz_image_add(mz_shadow_of(first->heap_base), mz_shadow_of(first->heap_next));
	in_image = (size_t)(first->heap_next - first->heap_base);
	mz_image_add(mz_block_info(first->heap_base), mz_block_info(first->heap_next + MZ_APART - 1));
}

void mz_heap_restore(void)
{
	mz_heap_lists_reset();
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].heap_base) cut_region(&mz_rt.fibers[t], base_of(&mz_rt.fibers[t]));
}

/* ---- identity ---- */

/* Where blocks were allocated and freed, and by whom, is for reports. */
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
