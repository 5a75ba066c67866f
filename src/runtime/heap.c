/* SPDX-License-Identifier: MIT
 *
 * Layout of a region: blocks one after another, each a header of 32 bytes and the bytes asked for, rounded up to 16.
 * Beside it, a shadow byte for every 16 bytes: how many of them are allocated (0 to 16), SHADOW_HEADER, or
 * SHADOW_FREED. The header and the unused rest of the last 16 bytes are what an access beyond the block hits.
 *
 * Fresh memory is zero: what a program reads before it writes does then not depend on earlier executions.
 */
#include "runtime/heap.h"
#include "base/alloc.h"
#include "runtime/access.h"
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/spin.h"
#include "runtime/state.h"
#include <string.h>
#include <sys/mman.h>

#define SHADOW_HEADER 0xf1
#define SHADOW_FREED 0xfd
#define GRANULE 16UL
#define KEEP_MAPPED (1UL << 20) /* of a region between executions; what lies beyond is given back */

struct header {
	uint64_t size;
	uint64_t allocated_at;
	uint64_t freed_at;
	uint32_t freed_by;
	uint32_t freed;
};
_Static_assert(sizeof(struct header) == 2 * GRANULE, "two shadow bytes mark a header");

static bool active;

/* What was allocated before the first execution. */
static uint8_t *saved;
static uint8_t *saved_shadow;
static size_t saved_size;

static uint8_t *shadow_of(const void *address)
{
	return (uint8_t *)(MZ_LAYOUT_SHADOW + (((uintptr_t)address - MZ_LAYOUT_HEAP) >> 4));
}

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
	map(shadow_of(base), MZ_LAYOUT_HEAP_REGION / GRANULE);
	fiber->heap_base = fiber->heap_next = base;
	fiber->heap_limit = base + MZ_LAYOUT_HEAP_REGION;
}

/* ---- blocks ---- */

static struct header *header_of(void *block)
{
	return (struct header *)block - 1;
}

static void mark_allocated(uint8_t *block, size_t size)
{
	uint8_t *shadow = shadow_of(block);
	shadow[-1] = shadow[-2] = SHADOW_HEADER;
	size_t whole = size / GRANULE;
	MZ_REAL(memset)(shadow, GRANULE, whole);
	if (size % GRANULE) shadow[whole] = (uint8_t)(size % GRANULE);
}

void *mz_heap_alloc(struct mz_fiber *owner, size_t size, size_t alignment, uintptr_t caller)
{
	mz_spin_forget(owner);
	if (!owner->heap_base) map_region(owner);
	if (alignment < GRANULE) alignment = GRANULE;
	uintptr_t block = ((uintptr_t)owner->heap_next + sizeof(struct header) + alignment - 1) & ~(alignment - 1);
	uintptr_t limit = (uintptr_t)owner->heap_limit;
	if (block > limit || size > limit - block || limit - block - size < GRANULE) return NULL;
	*header_of((void *)block) = (struct header){.size = size, .allocated_at = caller};
	mark_allocated((uint8_t *)block, size);
	/* at least one granule between blocks that no access may touch: the next header */
	owner->heap_next = (uint8_t *)((block + size + GRANULE - 1) & ~(GRANULE - 1));
	if (size == 0) owner->heap_next += GRANULE;
	return (void *)block;
}

static bool is_block(void *block)
{
	if ((uintptr_t)block % GRANULE) return false;
	const struct mz_fiber *owner = &mz_rt.fibers[((uintptr_t)block - MZ_LAYOUT_HEAP) / MZ_LAYOUT_HEAP_REGION];
	if (!owner->heap_base || (uint8_t *)block >= owner->heap_next) return false;
	uint8_t *shadow = shadow_of(block);
	return (uint8_t *)block >= owner->heap_base + sizeof(struct header) && shadow[-1] == SHADOW_HEADER &&
	       shadow[0] != SHADOW_HEADER;
}

size_t mz_heap_size(void *block)
{
	return is_block(block) ? header_of(block)->size : 0;
}

static void report_bad_free(struct mz_fiber *self, void *block, uintptr_t caller)
{
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = (uintptr_t)block};
	mz_report(&report, "free of what is no start of a heap block");
}

static void report_double_free(struct mz_fiber *self, void *block, uintptr_t caller)
{
	const struct header *header = header_of(block);
	struct mz_report report = {.kind = MZ_FINDING_DOUBLE_FREE,
	                           .place = {self, caller, NULL},
	                           .other = {&mz_rt.fibers[header->freed_by], header->freed_at, "first free"},
	                           .address = (uintptr_t)block,
	                           .length = header->size};
	mz_report(&report, "free of a block of %zu bytes that was freed before", (size_t)header->size);
}

void mz_heap_free(struct mz_fiber *self, void *block, uintptr_t caller)
{
	mz_spin_forget(self);
	if (!is_block(block)) {
		report_bad_free(self, block, caller);
		return;
	}
	struct header *header = header_of(block);
	if (mz_current && !header->freed) mz_plain_free(self, (uintptr_t)block, header->size, caller);
	if (header->freed) {
		report_double_free(self, block, caller);
		return;
	}
	mz_race_free(self, (uintptr_t)block, header->size, caller);
	header->freed = 1;
	header->freed_at = caller;
	header->freed_by = self->index;
	MZ_REAL(memset)(shadow_of(block), SHADOW_FREED, (header->size + GRANULE - 1) / GRANULE);
}

void *mz_heap_realloc(struct mz_fiber *owner, void *block, size_t size, uintptr_t caller)
{
	if (!is_block(block) || header_of(block)->freed) {
		mz_heap_free(owner, block, caller); /* says what is wrong */
		return NULL;
	}
	void *moved = mz_heap_alloc(owner, size, GRANULE, caller);
	if (!moved) return NULL;
	size_t old = header_of(block)->size;
	MZ_REAL(memcpy)(moved, block, old < size ? old : size);
	mz_heap_free(owner, block, caller);
	return moved;
}

/* ---- what is wrong with an access ---- */

bool mz_heap_find(uintptr_t address, struct mz_heap_block *found)
{
	if (!mz_heap_holds(address)) return false;
	uint32_t owner = (uint32_t)((address - MZ_LAYOUT_HEAP) / MZ_LAYOUT_HEAP_REGION);
	const struct mz_fiber *fiber = &mz_rt.fibers[owner];
	if (!fiber->heap_base || address >= (uintptr_t)fiber->heap_next + GRANULE) return false;
	uint8_t *granule = (uint8_t *)(address & ~(GRANULE - 1));
	if (granule >= fiber->heap_next) granule = fiber->heap_next - GRANULE;
	/* an address in a header or a gap belongs to the block before it */
	while (granule >= fiber->heap_base && (*shadow_of(granule) == SHADOW_HEADER || *shadow_of(granule) == 0))
		granule -= GRANULE;
	while (granule >= fiber->heap_base && *shadow_of(granule) != SHADOW_HEADER) granule -= GRANULE;
	if (granule < fiber->heap_base) return false;
	const struct header *header = header_of(granule + GRANULE);
	*found =
	    (struct mz_heap_block){(uintptr_t)(header + 1), header->size,     owner,           header->allocated_at,
	                           header->freed,           header->freed_at, header->freed_by};
	return true;
}

static bool is_allocated(uintptr_t address, size_t size, uintptr_t *first_bad)
{
	for (uintptr_t at = address; at < address + size; at = (at & ~(GRANULE - 1)) + GRANULE) {
		uint8_t state = *shadow_of((void *)at);
		uintptr_t end = (at & ~(GRANULE - 1)) + GRANULE;
		if (end > address + size) end = address + size;
		*first_bad = at;
		if (state > GRANULE || ((end - 1) & (GRANULE - 1)) >= state) return false;
	}
	return true;
}

void mz_heap_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	uintptr_t bad = address;
	if (!mz_rt.fibers[(address - MZ_LAYOUT_HEAP) / MZ_LAYOUT_HEAP_REGION].heap_base)
		return; /* not mapped: it will crash */
	if (is_allocated(address, size, &bad)) return;
	struct mz_heap_block block;
	bool found = mz_heap_find(bad, &block);
	struct mz_report report = {
	    .kind = MZ_FINDING_OUT_OF_BOUNDS, .place = {self, caller, NULL}, .address = address, .length = size};
	const char *what = write ? "write" : "read";
	if (found && block.freed && bad < block.address + block.size) {
		report.kind = MZ_FINDING_USE_AFTER_FREE;
		report.other = (struct mz_place_raw){&mz_rt.fibers[block.freed_by], block.freed_at, "free"};
		mz_report(&report, "%s of %zu bytes in a freed block of %zu bytes", what, size, block.size);
	} else if (found) {
		mz_report(&report, "%s of %zu bytes beyond a block of %zu bytes", what, size, block.size);
	} else {
		mz_report(&report, "%s of %zu bytes before the first heap block", what, size);
	}
}

/* ---- the image ---- */

void mz_heap_save(void)
{
	struct mz_fiber *first = &mz_rt.fibers[0];
	if (!first->heap_base) return;
	saved_size = (size_t)(first->heap_next - first->heap_base);
	saved = mz_alloc(saved_size);
	saved_shadow = mz_alloc(saved_size / GRANULE);
	if (!saved || !saved_shadow) mz_unsupported("out of memory");
	MZ_REAL(memcpy)(saved, first->heap_base, saved_size);
	MZ_REAL(memcpy)(saved_shadow, shadow_of(first->heap_base), saved_size / GRANULE);
}

/* Zero from `from` to `to`; large parts are given back to the system, which reads as zero again. */
static void wipe(uint8_t *from, uint8_t *to)
{
	uint8_t *keep = (uint8_t *)(((uintptr_t)from + KEEP_MAPPED) & ~4095UL);
	if (to > keep + 4096) {
		uint8_t *end = (uint8_t *)(((uintptr_t)to + 4095) & ~4095UL);
		madvise(keep, (size_t)(end - keep), MADV_DONTNEED);
		to = keep;
	}
	MZ_REAL(memset)(from, 0, (size_t)(to - from));
}

/* The region is empty from `keep` bytes on. */
static void restore_region(struct mz_fiber *fiber, size_t keep)
{
	uint8_t *from = fiber->heap_base + keep;
	if (fiber->heap_next == from) return;
	wipe(from, fiber->heap_next);
	wipe(shadow_of(from), shadow_of(fiber->heap_next) + 2);
	fiber->heap_next = from;
}

void mz_heap_restore(void)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].heap_base) restore_region(&mz_rt.fibers[t], t == 0 ? saved_size : 0);
	if (saved_size) {
		MZ_REAL(memcpy)(mz_rt.fibers[0].heap_base, saved, saved_size);
		MZ_REAL(memcpy)(shadow_of(mz_rt.fibers[0].heap_base), saved_shadow, saved_size / GRANULE);
	}
}

/* ---- checkpoints ---- */

size_t mz_heap_bytes(void)
{
	size_t bytes = 0;
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		bytes += (size_t)(mz_rt.fibers[t].heap_next - mz_rt.fibers[t].heap_base);
	return bytes + bytes / GRANULE;
}

void mz_heap_store(struct mz_state *state)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		size_t used = (size_t)(fiber->heap_next - fiber->heap_base);
		mz_state_put(state, &used, sizeof used);
		if (!used) continue;
		mz_state_put(state, fiber->heap_base, used);
		mz_state_put(state, shadow_of(fiber->heap_base), used / GRANULE + 2);
	}
}

void mz_heap_identity(struct mz_state *state)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *fiber = &mz_rt.fibers[t];
		const uint64_t used[2] = {t, (uint64_t)(fiber->heap_next - fiber->heap_base)};
		if (!used[1]) continue;
		mz_state_put(state, used, sizeof used);
		mz_state_put(state, fiber->heap_base, used[1]);
	}
}

void mz_heap_load(struct mz_state *state, uint32_t nfibers)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		struct mz_fiber *fiber = &mz_rt.fibers[t];
		size_t used = 0;
		if (t < nfibers) mz_state_get(state, &used, sizeof used);
		if (!fiber->heap_base) continue;
		restore_region(fiber, used);
		if (!used) continue;
		mz_state_get(state, fiber->heap_base, used);
		mz_state_get(state, shadow_of(fiber->heap_base), used / GRANULE + 2);
	}
}
