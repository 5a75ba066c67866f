/* SPDX-License-Identifier: MIT */
#include "runtime/memory/mapping.h"
#include "runtime/core/core.h"
#include <sys/mman.h>

#define PAGE 4096UL
#define PAGES (MZ_LAYOUT_MAPPINGS_REGION / PAGE)

struct mapped_range {
	uintptr_t low, high;
};

static struct mapped_range *ranges; /* the ranges that this execution has mapped */
static size_t nranges, capacity;

static size_t pages(size_t size)
{
	return size / PAGE + (size % PAGE != 0);
}

static void add_range(uintptr_t low, uintptr_t high)
{
	if (low >= high) return;
	mz_array_require(&ranges, &capacity, nranges + 1);
	ranges[nranges++] = (struct mapped_range){low, high};
}

/* Removes [low, high) from all ranges; what is left of a range lies before and behind. */
static void cut_out_range(uintptr_t low, uintptr_t high)
{
	for (size_t i = nranges; i-- > 0;) {
		const struct mapped_range range = ranges[i];
		if (range.high <= low || range.low >= high) continue;
		ranges[i] = ranges[--nranges];
		add_range(range.low, low);
		add_range(high, range.high);
	}
}

static void mapped(const void *address, size_t size)
{
	uintptr_t low = (uintptr_t)address;
	cut_out_range(low, low + pages(size) * PAGE);
	add_range(low, low + pages(size) * PAGE);
}

static void *map(const struct mz_mapping *wanted, void *address, int flags)
{
	return MZ_REAL(mmap)(address, wanted->size, wanted->protection, flags, wanted->fd, wanted->offset);
}

/* Returns where the thread's next mapping goes, with an unmapped page behind it; NULL if there is no room. */
static void *place(struct mz_fiber *self, size_t size)
{
	if (pages(size) >= PAGES - self->counts.mapped) return NULL;
	uintptr_t at = MZ_LAYOUT_MAPPINGS + self->index * MZ_LAYOUT_MAPPINGS_REGION + self->counts.mapped * PAGE;
	self->counts.mapped += (uint32_t)pages(size) + 1;
	return (void *)at;
}

void *mz_mapping_make(struct mz_fiber *self, const struct mz_mapping *wanted)
{
	bool anywhere = !wanted->address && !(wanted->flags & (MAP_FIXED | MAP_HUGETLB | MAP_32BIT));
	void *address = anywhere ? place(self, wanted->size) : NULL;
	void *made = address ? map(wanted, address, wanted->flags | MAP_FIXED_NOREPLACE) : MAP_FAILED;
	if (made == MAP_FAILED) made = map(wanted, wanted->address, wanted->flags);
	if (made != MAP_FAILED) mapped(made, wanted->size);
	mz_rt.way->outside_of_states(MZ_UNCONTROLLED_MAPPINGS_OF_STATES);
	return made;
}

int mz_mapping_remove(void *address, size_t size)
{
	int status = MZ_REAL(munmap)(address, size);
	if (status == 0) cut_out_range((uintptr_t)address, (uintptr_t)address + pages(size) * PAGE);
	return status;
}

void *mz_mapping_resize(void *address, size_t old_size, size_t size, int flags, void *new_address)
{
	void *made = MZ_REAL(mremap)(address, old_size, size, flags, new_address);
	if (made == MAP_FAILED) return made;
	cut_out_range((uintptr_t)address, (uintptr_t)address + pages(old_size) * PAGE);
	mapped(made, size);
	return made;
}

void mz_mapping_restore(void)
{
	while (nranges) {
		const struct mapped_range range = ranges[--nranges];
		MZ_REAL(munmap)((void *)range.low, range.high - range.low);
	}
}
