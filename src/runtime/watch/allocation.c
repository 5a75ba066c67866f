/* SPDX-License-Identifier: MIT
 *
 * What a program reads before it writes does not depend on earlier executions: fresh memory is zero, or where a block
 * is small enough to be filled, MZ_HEAP_UNTOUCHED.
 */
#include "runtime/watch/allocation.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/access.h"
#include "runtime/watch/heap_wrong.h"
#include "runtime/watch/invariant.h"
#include "runtime/watch/race.h"
#include "runtime/watch/record.h"
#include "runtime/watch/spin.h"
#include <string.h>
#include <sys/mman.h>

#define FILLED_MAX 4096 /* larger blocks are left as they are: pages that are not used cost nothing */

/* Reports whether blocks of this alignment are taken from, and freed to, the lists of freed blocks. */
static bool is_listed(size_t alignment)
{
	return mz_rt.mode.reuses_freed && mz_current && alignment <= MZ_GRANULE;
}

/* Returns the clock by which uses of a block that is handed out again are ordered after those before it was freed. */
static struct mz_clock *clock_of(const uint8_t *start)
{
	return &mz_object_find(mz_object_in(MZ_SPACE_BLOCK, (uintptr_t)start))->clock;
}

/* Allocates, by an operation, the last freed block of as many granules, or fresh memory if there is none. */
static uint8_t *allocate_listed(struct mz_fiber *self, const struct mz_heap_request *request)
{
	uint32_t room = (uint32_t)mz_block_granules(request->size);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = mz_object_in(MZ_SPACE_FREED, room), .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(MZ_OP_ALLOCATE, 1);
	mz_visible(self, operation, request->caller);
	uint32_t count = mz_heap_list_count(room);
	uint8_t *start = count ? mz_heap_list_pop(room) : mz_block_carve(self, request->size, 0);
	access->before = count;
	access->kind = count ? MZ_WRITE : MZ_READ;
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_value((uintptr_t)start, 0, false, 0);
	mz_commit(self, operation);
	if (count) {
		mz_race_acquire(self, clock_of(start));
		mz_objects_forget_range((uintptr_t)start, (uintptr_t)start + room * MZ_GRANULE);
		if (request->zero) mz_block_clear(start);
	}
	return start;
}

/* Performs the operation by which a freed block goes to the list of its size. */
static void list_freed(struct mz_fiber *self, const uint8_t *start, uint32_t room, uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = mz_object_in(MZ_SPACE_FREED, room), .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(MZ_OP_FREE, 1);
	mz_visible(self, operation, caller);
	access->before = mz_heap_list_count(room);
	if (MZ_UNLIKELY(mz_rt.mode.replaying)) mz_record_value((uintptr_t)start, 0, false, 0);
	mz_commit(self, operation);
}

/* Notes that a region had no room for a block, unless the system would have none either. */
static MZ_COLD void note_refusal(size_t size)
{
	struct mz_session_reached *reached = &mz_rt.session->reached[MZ_LIMIT_HEAP];
	void *natively = MZ_REAL(mmap)(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (natively == MAP_FAILED) return;
	MZ_REAL(munmap)(natively, size);
	reached->count++;
	if (size > reached->most) reached->most = size;
}

void *mz_heap_alloc(struct mz_fiber *self, const struct mz_heap_request *request)
{
	if (MZ_UNLIKELY(mz_rt.invariants.evaluating)) mz_invariant_refuse("allocates or frees memory");
	mz_spin_forget(self);
	bool recycled = is_listed(request->alignment);
	uint8_t *start =
	    recycled ? allocate_listed(self, request) : mz_block_carve(self, request->size, request->alignment);
	if (MZ_UNLIKELY(!start)) {
		note_refusal(request->size);
		return NULL;
	}
	struct mz_block *block = mz_block_info(start);
	*block = (struct mz_block){.size = request->size,
	                           .allocated_at = request->caller,
	                           .allocated_by = (uint16_t)self->index,
	                           .family = request->family,
	                           .aligned = request->alignment > MZ_GRANULE};
	mz_block_mark_allocated(start, request->size);
	if (!request->zero && !recycled && request->size <= FILLED_MAX)
		MZ_REAL(memset)(start, MZ_HEAP_UNTOUCHED, request->size);
	return start;
}

void mz_heap_free(struct mz_fiber *self, void *start, const struct mz_heap_release *release)
{
	if (MZ_UNLIKELY(mz_rt.invariants.evaluating)) mz_invariant_refuse("allocates or frees memory");
	mz_spin_forget(self);
	if (!mz_block_starts(start)) {
		mz_heap_report_bad_free(self, start, release->caller);
		return;
	}
	struct mz_block *block = mz_block_info(start);
	bool recycles = is_listed(0);
	if (mz_current && !block->freed) mz_plain_free(self, (uintptr_t)start, block->size, release->caller);
	if (recycles) list_freed(self, start, (uint32_t)mz_block_room(block), release->caller);
	if (block->freed) {
		mz_heap_report_double_free(self, start, release->caller);
		return;
	}
	mz_heap_check_free(self, start, release);
	mz_race_free(self, (uintptr_t)start, block->size, release->caller);
	block->freed = true;
	mz_rt.way->freed(self, block, start, recycles, release->caller);
	mz_block_mark(start, MZ_SHADOW_FREED);
	if (!recycles) return;
	mz_race_release(self, clock_of(start));
	mz_heap_list_push((uint32_t)mz_block_room(block), start);
}

/* Resizes a block in place if it has room enough and not too much, as malloc does. Reports whether it did. */
static bool resize_in_place(struct mz_block *block, uint8_t *start, size_t size, uintptr_t caller)
{
	if (!is_listed(0) || mz_block_granules(size) != mz_block_room(block)) return false;
	mz_block_mark(start, 0);
	mz_block_mark_allocated(start, size);
	block->size = size;
	block->allocated_at = caller;
	return true;
}

void *mz_heap_realloc(struct mz_fiber *self, void *start, size_t size, uintptr_t caller)
{
	const struct mz_heap_request request = {.size = size, .caller = caller};
	const struct mz_heap_release release = {.caller = caller};
	if (!mz_block_starts(start) || mz_block_info(start)->freed) {
		mz_heap_free(self, start, &release); /* reports what is wrong */
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
