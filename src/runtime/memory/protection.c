/* SPDX-License-Identifier: MIT */
#include "runtime/memory/protection.h"
#include "runtime/core/core.h"
#include "runtime/memory/allowed.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/image.h"
#include <sys/mman.h>

#define PAGE 4096UL

struct protected_range {
	uintptr_t low, high;
	uint64_t protection; /* no padding: the bytes are compared */
};

static struct protected_range *ranges; /* ranges that are not just readable and writable; they do not overlap */
static size_t nranges, capacity;

static void add_range(uintptr_t low, uintptr_t high, uint64_t protection)
{
	if (low >= high) return;
	mz_array_require(&ranges, &capacity, nranges + 1);
	ranges[nranges++] = (struct protected_range){low, high, protection};
}

/* Removes [low, high) from all ranges; what is left of a range lies before and behind. */
static void cut_out_range(uintptr_t low, uintptr_t high)
{
	for (size_t i = nranges; i-- > 0;) {
		const struct protected_range range = ranges[i];
		if (range.high <= low || range.low >= high) continue;
		ranges[i] = ranges[--nranges];
		add_range(range.low, low, range.protection);
		add_range(high, range.high, range.protection);
	}
}

int mz_protection_set(void *address, size_t size, int protection)
{
	uintptr_t low = (uintptr_t)address, high = (low + size + PAGE - 1) & ~(PAGE - 1);
	bool ours = mz_memory_holds(low) || mz_image_is_data(low);
	if (ours) mz_image_touch(address, size);
	int status = MZ_REAL(mprotect)(address, size, protection);
	if (!ours || status) return status;
	cut_out_range(low, high);
	if (protection != (PROT_READ | PROT_WRITE)) add_range(low, high, (uint64_t)protection);
	return 0;
}

static void apply(const struct protected_range *range, int protection)
{
	MZ_REAL(mprotect)((void *)range->low, range->high - range->low, protection);
}

void mz_protection_lift(void)
{
	for (size_t i = 0; i < nranges; i++) apply(&ranges[i], PROT_READ | PROT_WRITE);
}

void mz_protection_put_back(void)
{
	for (size_t i = 0; i < nranges; i++) apply(&ranges[i], (int)ranges[i].protection);
}

void mz_protection_restore(void)
{
	mz_protection_lift();
	nranges = 0;
}

bool mz_protection_is_used(void)
{
	return nranges;
}

void mz_protection_store(struct mz_state *state)
{
	mz_state_put(state, &nranges, sizeof nranges);
	mz_state_put(state, ranges, nranges * sizeof *ranges);
}

/* The array may have to grow: the state can be that of another process. */
void mz_protection_load(struct mz_state *state)
{
	size_t n = 0;
	if (state) mz_state_get(state, &n, sizeof n);
	for (nranges = 0; nranges < n;) {
		struct protected_range range;
		mz_state_get(state, &range, sizeof range);
		add_range(range.low, range.high, range.protection);
	}
}
