/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/shadow.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/inputs/values.h"

#define PAGE_BYTES 4096U

struct shadow_page {
	uint64_t number; /* of the page: its address divided by PAGE_BYTES */
	uint32_t count;  /* bytes that have a shadow */
	uint32_t shadows[PAGE_BYTES];
};

/* Pages stay for the whole run; an execution begins with no shadow in them. */
static struct {
	struct mz_table numbers; /* from the number of a page to the page */
	struct shadow_page **pages;
	size_t npages, capacity;
	struct shadow_page *found; /* the page that was found last, or NULL */
} memory;

static struct shadow_page *find_page(uintptr_t address)
{
	uint64_t number = address / PAGE_BYTES;
	if (memory.found && memory.found->number == number) return memory.found;
	struct shadow_page *page = (struct shadow_page *)mz_table_find(&memory.numbers, mz_mix(number));
	if (page) memory.found = page;
	return page;
}

static struct shadow_page *make_page(uintptr_t address)
{
	struct shadow_page *page = mz_alloc(sizeof *page);
	mz_array_require(&memory.pages, &memory.capacity, memory.npages + 1);
	if (!page || !mz_table_add(&memory.numbers, mz_mix(address / PAGE_BYTES), (uintptr_t)page))
		mz_unsupported("out of memory");
	MZ_REAL(memset)(page, 0, sizeof *page);
	page->number = address / PAGE_BYTES;
	return memory.pages[memory.npages++] = page;
}

static uint32_t shadow_at(uintptr_t address)
{
	const struct shadow_page *page = find_page(address);
	return page ? page->shadows[address % PAGE_BYTES] : 0;
}

void mz_shadow_set(uintptr_t address, uint32_t expression)
{
	struct shadow_page *page = find_page(address);
	if (!page && !expression) return;
	if (!page) page = make_page(address);
	uint32_t *shadow = &page->shadows[address % PAGE_BYTES];
	page->count += (expression != 0) - (*shadow != 0);
	*shadow = expression;
}

/* Returns whether no byte of a page, or of two neighbours that an access of up to 8 bytes touches, has a shadow. */
static bool is_clear(uintptr_t address, uint32_t size)
{
	const struct shadow_page *first = find_page(address), *last = find_page(address + size - 1);
	return (!first || !first->count) && (!last || !last->count);
}

/* Returns the expression of a byte that is in memory; 0, from now on, if the byte is not what the expression says. */
static uint32_t valid_shadow(uintptr_t address, uint8_t byte)
{
	uint32_t shadow = shadow_at(address);
	if (shadow && mz_inputs_value(shadow) != byte) {
		mz_shadow_set(address, 0);
		return 0;
	}
	return shadow;
}

bool mz_shadow_is_there(uintptr_t address, size_t size)
{
	for (uintptr_t end = address + size, next; address < end; address = next) {
		const struct shadow_page *page = find_page(address);
		next = address / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
		if (next > end) next = end;
		for (uintptr_t at = address; page && page->count && at < next; at++)
			if (shadow_at(at) && valid_shadow(at, *(const uint8_t *)at)) return true;
	}
	return false;
}

bool mz_shadow_is_anywhere(uintptr_t address, size_t size)
{
	uintptr_t end = size > UINTPTR_MAX - address ? UINTPTR_MAX : address + size;
	if (size / PAGE_BYTES <= memory.npages) return mz_shadow_is_there(address, end - address);
	for (size_t n = 0; n < memory.npages; n++) {
		uintptr_t page = memory.pages[n]->number * PAGE_BYTES, low = page > address ? page : address;
		uintptr_t high = page + PAGE_BYTES < end ? page + PAGE_BYTES : end;
		if (low < high && mz_shadow_is_there(low, high - low)) return true;
	}
	return false;
}

bool mz_shadow_may_be_at(uintptr_t address)
{
	const struct shadow_page *page = find_page(address);
	return page && page->count;
}

uint32_t mz_shadow_load(uintptr_t address, uint32_t size, uint64_t value)
{
	uint32_t shadows[8], any = 0, whole = 0;
	if (size > 8 || is_clear(address, size)) return 0;
	for (uint32_t i = 0; i < size; i++) any |= shadows[i] = valid_shadow(address + i, (uint8_t)(value >> 8 * i));
	if (!any) return 0;
	for (uint32_t i = 0; i < size; i++) {
		uint32_t byte = shadows[i] ? shadows[i] : mz_inputs_constant(8, value >> 8 * i);
		whole = i ? mz_inputs_make(MZ_OPERATOR_CONCAT, 8 * (i + 1), byte, whole, 0) : byte;
	}
	return mz_inputs_variable(whole);
}

void mz_shadow_store(uintptr_t address, uint32_t size, uint32_t expression)
{
	if (!expression && is_clear(address, size)) return;
	for (uint32_t i = 0; i < size; i++) {
		uint32_t byte = expression ? mz_inputs_make(MZ_OPERATOR_EXTRACT, 8, expression, 0, 8 * i) : 0;
		mz_shadow_set(address + i, mz_inputs_variable(byte));
	}
}

void mz_shadow_fill(uintptr_t address, size_t size, uint32_t expression)
{
	uintptr_t end = address + size;
	while (address < end) {
		uintptr_t next = address / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
		const struct shadow_page *page = find_page(address);
		if (next > end) next = end;
		if (expression || (page && page->count))
			for (; address < next; address++) mz_shadow_set(address, expression);
		address = next;
	}
}

/* Reports whether there is no shadow in the pages of a range. */
static bool is_empty(uintptr_t address, size_t size)
{
	for (uintptr_t at = address / PAGE_BYTES * PAGE_BYTES; at < address + size; at += PAGE_BYTES) {
		const struct shadow_page *page = find_page(at);
		if (page && page->count) return false;
	}
	return true;
}

void mz_shadow_copy(uintptr_t to, uintptr_t from, size_t size)
{
	bool backwards = to > from && to < from + size;
	if (is_empty(from, size)) {
		mz_shadow_fill(to, size, 0);
		return;
	}
	for (size_t n = 0; n < size; n++) {
		size_t i = backwards ? size - 1 - n : n;
		mz_shadow_set(to + i, shadow_at(from + i));
	}
}

/* ---- atomic operations ---- */

/* The addresses that the session lists, which the search knew when it began, or has to begin anew for. */
static struct {
	struct mz_table table;
	uint32_t count;
} learned;

static bool is_listed(uintptr_t address)
{
	const struct mz_session_learned *all = &mz_rt.session->learned;
	for (; learned.count < all->nmixed && learned.count < MZ_SESSION_MIXED; learned.count++)
		if (!mz_table_add(&learned.table, mz_mix(all->mixed[learned.count]), 1))
			mz_unsupported("out of memory");
	return all->nmixed == MZ_SESSION_MIXED || mz_table_find(&learned.table, mz_mix(address));
}

void mz_shadow_learn(uintptr_t address)
{
	struct mz_session_learned *all = &mz_rt.session->learned;
	if (is_listed(address)) return;
	all->mixed[all->nmixed++] = address;
	mz_rt.execution.must_restart_search = true;
}

bool mz_shadow_is_learned(uintptr_t address, size_t size)
{
	if (size > 8 || is_listed(address)) return true;
	if (is_clear(address, (uint32_t)size)) return false;
	uint32_t any = 0;
	for (size_t i = 0; i < size; i++) any |= valid_shadow(address + i, *(const uint8_t *)(address + i));
	if (any) mz_shadow_learn(address);
	return any != 0;
}

/* ---- executions and states ---- */

static void clear_page(struct shadow_page *page)
{
	if (!page->count) return;
	MZ_REAL(memset)(page->shadows, 0, sizeof page->shadows);
	page->count = 0;
}

void mz_shadow_reset(void)
{
	for (size_t n = 0; n < memory.npages; n++) clear_page(memory.pages[n]);
}

struct stored_shadow {
	uint32_t place;
	uint32_t expression;
};

void mz_shadow_store_all(struct mz_state *state)
{
	uint64_t npages = memory.npages;
	mz_state_put(state, &npages, sizeof npages);
	for (size_t n = 0; n < npages; n++) {
		const struct shadow_page *page = memory.pages[n];
		uint64_t count = page->count;
		mz_state_put(state, &count, sizeof count);
		for (uint32_t i = 0; i < PAGE_BYTES && count; i++) {
			if (!page->shadows[i]) continue;
			const struct stored_shadow stored = {i, page->shadows[i]};
			mz_state_put(state, &stored, sizeof stored);
		}
	}
}

void mz_shadow_load_all(struct mz_state *state)
{
	uint64_t npages, count;
	mz_shadow_reset();
	mz_state_get(state, &npages, sizeof npages);
	for (size_t n = 0; n < npages; n++) {
		mz_state_get(state, &count, sizeof count);
		memory.pages[n]->count = (uint32_t)count;
		for (uint64_t i = 0; i < count; i++) {
			const struct stored_shadow *stored = mz_state_next(state, sizeof *stored);
			memory.pages[n]->shadows[stored->place] = stored->expression;
		}
	}
}
