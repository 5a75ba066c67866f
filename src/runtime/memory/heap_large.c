/* SPDX-License-Identifier: MIT
 *
 * Large blocks: a program may allocate a gigabyte and use a page of it. See heap_block.h.
 *
 * A region hands out memory from low to high addresses, so that its list is sorted.
 */
#include "runtime/core/core.h"
#include "runtime/memory/heap_block.h"
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096UL

/* ---- the lists ---- */

static uint8_t *nth(const struct mz_fiber *region, uint32_t n)
{
	return region->heap.base + (size_t)region->heap.large[n] * MZ_GRANULE;
}

/* Returns how many large blocks of a region start at or before an address. */
static uint32_t count_up_to(const struct mz_fiber *region, const uint8_t *address)
{
	uint32_t low = 0, high = region->heap.nlarge;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (nth(region, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void reserve(struct mz_fiber *region, uint32_t n)
{
	mz_array_require(&region->heap.large, &region->heap.large_capacity, n);
}

void mz_large_add(uint8_t *start)
{
	struct mz_fiber *region = mz_heap_region(start);
	uint32_t n = region->heap.nlarge;
	if (n && nth(region, n - 1) >= start)
		return; /* the block was freed and is handed out again: it is in the list already */
	reserve(region, n + 1);
	region->heap.large[region->heap.nlarge++] = (uint32_t)((size_t)(start - region->heap.base) / MZ_GRANULE);
}

static uint8_t *end_of(uint8_t *start)
{
	return start + mz_block_room(mz_block_info(start)) * MZ_GRANULE;
}

uint8_t *mz_large_at(const void *address)
{
	const struct mz_fiber *region = mz_heap_region(address);
	uint32_t n = count_up_to(region, address);
	uint8_t *start = n ? nth(region, n - 1) : NULL;
	return start && (const uint8_t *)address < end_of(start) ? start : NULL;
}

/* ---- the shadow ---- */

bool mz_large_use(const void *address)
{
	uint8_t *start = mz_large_at(address);
	if (!start || mz_block_info(start)->freed) return false;
	uint8_t *end = start + mz_block_info(start)->size;
	uint8_t *low = (uint8_t *)((uintptr_t)address & ~(PAGE * MZ_GRANULE - 1)), *high = low + PAGE * MZ_GRANULE;
	if (low < start) low = start;
	if (high > end) high = end;
	size_t whole = (size_t)(high - low) / MZ_GRANULE, rest = (size_t)(high - low) % MZ_GRANULE;
	MZ_REAL(memset)(mz_shadow_of(low), MZ_GRANULE, whole);
	if (rest) mz_shadow_of(low)[whole] = (uint8_t)rest;
	return true;
}

/* Sets memory to 0; whole pages are given back to the system. */
static void discard(uint8_t *low, uint8_t *high)
{
	uint8_t *first = (uint8_t *)(((uintptr_t)low + PAGE - 1) & ~(PAGE - 1));
	uint8_t *last = (uint8_t *)((uintptr_t)high & ~(PAGE - 1));
	if (first >= last) {
		MZ_REAL(memset)(low, 0, (size_t)(high - low));
		return;
	}
	MZ_REAL(memset)(low, 0, (size_t)(first - low));
	MZ_REAL(memset)(last, 0, (size_t)(high - last));
	madvise(first, (size_t)(last - first), MADV_DONTNEED);
}

void mz_large_unmark(uint8_t *start)
{
	discard(mz_shadow_of(start), mz_shadow_of(end_of(start)));
}

void mz_large_clear(uint8_t *start)
{
	discard(start, end_of(start));
}

/* ---- starting over ---- */

/* Wipes the memory between large blocks. It holds many small blocks, and will again in the next execution: so its pages
 * are kept. */
static void wipe_between(uint8_t *low, uint8_t *high)
{
	if (low >= high) return;
	MZ_REAL(memset)(low, 0, (size_t)(high - low));
	MZ_REAL(memset)(mz_shadow_of(low), 0, (size_t)(high - low) / MZ_GRANULE);
}

void mz_large_wipe(struct mz_fiber *region, uint8_t *from)
{
	uint8_t *high = region->heap.next;
	for (; region->heap.nlarge && high > from; region->heap.nlarge--) {
		uint8_t *start = nth(region, region->heap.nlarge - 1), *end = end_of(start);
		uint8_t *low = start < from ? from : start;
		wipe_between(end > from ? end : from, high);
		if (end > low) {
			discard(low, end);
			discard(mz_shadow_of(low), mz_shadow_of(end));
		}
		high = low;
		if (start < from) break;
	}
	wipe_between(from, high);
}

void mz_large_store(const struct mz_fiber *region, struct mz_state *state)
{
	mz_state_put(state, &region->heap.nlarge, sizeof region->heap.nlarge);
	mz_state_put(state, region->heap.large, region->heap.nlarge * sizeof *region->heap.large);
}

void mz_large_load(struct mz_fiber *region, struct mz_state *state)
{
	mz_state_get(state, &region->heap.nlarge, sizeof region->heap.nlarge);
	if (region->heap.nlarge) reserve(region, region->heap.nlarge);
	mz_state_get(state, region->heap.large, region->heap.nlarge * sizeof *region->heap.large);
}
