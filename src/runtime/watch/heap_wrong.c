/* SPDX-License-Identifier: MIT
 *
 * What can be wrong with a use of the heap.
 */
#include "runtime/watch/heap_wrong.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/race.h"
#include <stdio.h>

/* ---- which block ---- */

/* The last block that starts at or before an address, or NULL. */
static uint8_t *block_before(const struct mz_fiber *region, uint8_t *at)
{
	at -= (uintptr_t)at % MZ_GRANULE;
	if (at >= region->heap.next) at = region->heap.next - MZ_GRANULE;
	uint8_t *large = mz_large_at(at);
	if (large) return large;
	for (; at > region->heap.base; at -= MZ_GRANULE)
		if (*mz_shadow_of(at - MZ_GRANULE) == MZ_SHADOW_EDGE) return at;
	return NULL;
}

static uint8_t *nearest(const struct mz_fiber *region, uint8_t *at)
{
	uint8_t *low = block_before(region, at);
	if (low && at < low + mz_block_room(mz_block_info(low)) * MZ_GRANULE) return low;
	uint8_t *high = mz_block_next(region, at);
	if (!low || !high) return low ? low : high;
	return at - (low + mz_block_info(low)->size) <= high - at ? low : high;
}

bool mz_heap_find(uintptr_t address, struct mz_heap_block *found)
{
	if (!mz_heap_holds(address)) return false;
	const struct mz_fiber *region = mz_heap_region((void *)address);
	if (!region->heap.base || region->heap.next == region->heap.base) return false;
	uint8_t *start = nearest(region, (uint8_t *)address);
	if (!start) return false;
	const struct mz_block *block = mz_block_info(start);
	*found = (struct mz_heap_block){.address = (uintptr_t)start,
	                                .size = block->size,
	                                .allocated_by = block->allocated_by,
	                                .allocated_at = block->allocated_at,
	                                .freed = block->freed,
	                                .freed_at = block->freed_at,
	                                .freed_by = block->freed_by};
	return true;
}

/* ---- accesses ---- */

static bool is_allocated(uintptr_t address, size_t size, uintptr_t *first_bad)
{
	for (uintptr_t at = address; at < address + size; at = (at & ~(MZ_GRANULE - 1)) + MZ_GRANULE) {
		uint8_t state = *mz_shadow_of((void *)at);
		if (state == 0 && mz_large_use((void *)at)) state = *mz_shadow_of((void *)at);
		uintptr_t granule = at & ~(MZ_GRANULE - 1), end = granule + MZ_GRANULE;
		if (end > address + size) end = address + size;
		*first_bad = state > MZ_GRANULE || granule + state < at ? at : granule + state;
		if (state > MZ_GRANULE || end > granule + state) return false;
	}
	return true;
}

static struct mz_place_raw freed_at(const struct mz_heap_block *block, const char *what)
{
	return (struct mz_place_raw){&mz_rt.fibers[block->freed_by], block->freed_at, what};
}

struct access {
	uintptr_t address;
	size_t size;
	char what[64]; /* "write of 4 bytes" */
};

static void report_use_after_free(struct mz_report *report, const struct access *access,
                                  const struct mz_heap_block *block)
{
	report->kind = MZ_FINDING_USE_AFTER_FREE;
	report->other = freed_at(block, "free");
	if (mz_race_is_release_unordered(report->place.thread, access->address))
		report->unordered = MZ_UNORDERED_RELEASE;
	mz_report(report, "%s in a freed block of %zu bytes, at offset %td", access->what, block->size,
	          (ptrdiff_t)(access->address - block->address));
}

/* Reports an access that is outside of any block, or reaches beyond one, and says where the nearest block is. */
static void report_out_of_bounds(struct mz_report *report, const struct access *access,
                                 const struct mz_heap_block *block)
{
	uintptr_t end = block->address + block->size;
	if (access->address < block->address)
		mz_report(report, "%s, %zu before a block of %zu bytes", access->what, block->address - access->address,
		          block->size);
	else if (access->address < end)
		mz_report(report, "%s that ends %zu beyond a block of %zu bytes", access->what,
		          access->address + access->size - end, block->size);
	else
		mz_report(report, "%s, %zu beyond a block of %zu bytes", access->what, access->address - end,
		          block->size);
}

static void judge(struct mz_fiber *self, const struct access *access, uintptr_t bad, uintptr_t caller)
{
	struct mz_heap_block block;
	struct mz_report report = {.kind = MZ_FINDING_OUT_OF_BOUNDS,
	                           .place = {self, caller, NULL},
	                           .address = access->address,
	                           .length = access->size};
	if (!mz_heap_find(bad, &block))
		mz_report(&report, "%s where there is no block", access->what);
	else if (block.freed && bad >= block.address && bad < block.address + block.size)
		report_use_after_free(&report, access, &block);
	else
		report_out_of_bounds(&report, access, &block);
}

void mz_heap_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	uintptr_t bad = address;
	if (!mz_heap_region((void *)address)->heap.base) return; /* not mapped: the access will crash by itself */
	if (is_allocated(address, size, &bad)) return;
	struct access access = {address, size, ""};
	snprintf(access.what, sizeof access.what, "%s of %zu byte%s", write ? "write" : "read", size,
	         size == 1 ? "" : "s");
	judge(self, &access, bad, caller);
}

#define OBJECT_BYTES 4 /* size of the smallest synchronization object, a spin lock or a flag */

bool mz_heap_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	address &= ~(uintptr_t)(OBJECT_BYTES - 1); /* some objects are known by an address within them */
	uintptr_t bad = address;
	if (!mz_heap_region((void *)address)->heap.base) return true;
	if (!is_allocated(address, OBJECT_BYTES, &bad)) {
		judge(self, &(struct access){address, OBJECT_BYTES, "use of a synchronization object"}, bad, caller);
		return false;
	}
	if (*(const uint32_t *)address != MZ_HEAP_UNTOUCHED * 0x01010101U) return true;
	struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = address};
	mz_report(&report, "use of a synchronization object that was not initialised");
	return false;
}

/* ---- releasing ---- */

void mz_heap_report_bad_free(struct mz_fiber *self, void *start, uintptr_t caller)
{
	struct mz_heap_block block;
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = (uintptr_t)start};
	if (mz_heap_holds((uintptr_t)start) && mz_heap_find((uintptr_t)start, &block))
		mz_report(&report, "free of an address that is %td bytes from the start of a %sblock of %zu bytes",
		          (ptrdiff_t)((uintptr_t)start - block.address), block.freed ? "freed " : "", block.size);
	else
		mz_report(&report, "free of what is no block of the heap");
}

void mz_heap_report_double_free(struct mz_fiber *self, void *start, uintptr_t caller)
{
	struct mz_heap_block block;
	if (!mz_heap_find((uintptr_t)start, &block)) return;
	struct mz_report report = {.kind = MZ_FINDING_DOUBLE_FREE,
	                           .place = {self, caller, NULL},
	                           .other = freed_at(&block, "first free"),
	                           .address = (uintptr_t)start,
	                           .length = block.size};
	if (mz_race_is_release_unordered(self, (uintptr_t)start)) report.unordered = MZ_UNORDERED_RELEASE;
	mz_report(&report, "free of a block of %zu bytes that was freed before", block.size);
}

static const char *allocator(const struct mz_block *block)
{
	static const char *const names[][2] = {[MZ_HEAP_MALLOC] = {"malloc", "malloc"},
	                                       [MZ_HEAP_NEW] = {"new", "aligned new"},
	                                       [MZ_HEAP_NEW_ARRAY] = {"new[]", "aligned new[]"}};
	return names[block->family][block->aligned];
}

static const char *releaser(const struct mz_heap_release *release)
{
	static const char *const names[][2] = {[MZ_HEAP_MALLOC] = {"free", "free"},
	                                       [MZ_HEAP_NEW] = {"delete", "aligned delete"},
	                                       [MZ_HEAP_NEW_ARRAY] = {"delete[]", "aligned delete[]"}};
	return names[release->family][release->aligned];
}

void mz_heap_check_free(struct mz_fiber *self, void *start, const struct mz_heap_release *release)
{
	const struct mz_block *block = mz_block_info(start);
	uintptr_t low = (uintptr_t)start, busy = mz_objects_busy(low, low + block->size);
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, release->caller, NULL}, .address = low, .length = block->size};
	bool aligned = release->family == MZ_HEAP_MALLOC ? block->aligned : release->aligned;
	if (release->family != block->family || aligned != block->aligned)
		mz_report(&report, "%s of a block of %zu bytes that %s allocated", releaser(release), block->size,
		          allocator(block));
	else if (release->sized && release->size != block->size)
		mz_report(&report, "%s of %zu bytes, of a block of %zu bytes", releaser(release), release->size,
		          block->size);
	if (!busy) return;
	report.address = busy;
	mz_report(&report, "%s of memory with a synchronization object that is held or waited for", releaser(release));
}
