/* SPDX-License-Identifier: MIT */
#include "runtime/watch/touched.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/core/core.h"

/* The thread that last carried an access over to its own next step, and the index of the access among those it
 * carries. */
struct carrier {
	const struct mz_fiber *fiber;
	uint32_t index;
};

static struct mz_access *accesses;
static struct carrier *carriers; /* one for each access */
static size_t naccesses, capacity, carriers_capacity;
static struct mz_table numbers; /* words and kinds: 1 + where the access is in `accesses` */
static const struct mz_fiber *mover;

/* Makes room for one more access. */
MZ_COLD static void grow(void)
{
	mz_array_require(&accesses, &capacity, naccesses + 1);
	mz_array_require(&carriers, &carriers_capacity, capacity);
}

/* Adds an access to a word. Returns its index. */
static uint32_t add_word(uint64_t word, uint8_t mask, enum mz_access_kind kind)
{
	uint32_t index = (uint32_t)mz_table_find_or_add(&numbers, mz_mix(word | (uint64_t)kind), naccesses + 1) - 1;
	if (MZ_UNLIKELY(index == UINT32_MAX)) mz_unsupported("out of memory");
	if (index < naccesses) {
		accesses[index].mask |= mask;
		return index;
	}
	if (MZ_UNLIKELY(naccesses == capacity)) grow();
	carriers[naccesses] = (struct carrier){NULL, 0};
	accesses[naccesses++] = (struct mz_access){.object = word, .mask = mask, .kind = (uint8_t)kind};
	return index;
}

/* ---- what others do in the step ---- */

static struct mz_access *carried_room(struct mz_fiber *fiber, size_t n)
{
	struct mz_carried *carried = &fiber->carried;
	mz_array_require(&carried->accesses, &carried->capacity, n);
	return carried->accesses;
}

/* Adds an access of the step under way to the next step of `fiber` as well. */
static void carry(struct mz_fiber *fiber, uint32_t index, uint8_t mask)
{
	struct carrier *carrier = &carriers[index];
	struct mz_access *of = carried_room(fiber, fiber->carried.count + 1UL);
	if (carrier->fiber == fiber) {
		of[carrier->index].mask |= mask;
		return;
	}
	*carrier = (struct carrier){fiber, fiber->carried.count};
	of[fiber->carried.count] = accesses[index];
	of[fiber->carried.count++].mask = mask;
}

void mz_touched_store(const struct mz_fiber *fiber, struct mz_state *state)
{
	mz_state_put(state, &fiber->carried.count, sizeof fiber->carried.count);
	mz_state_put(state, fiber->carried.accesses, fiber->carried.count * sizeof *fiber->carried.accesses);
}

void mz_touched_load(struct mz_fiber *fiber, struct mz_state *state)
{
	mz_state_get(state, &fiber->carried.count, sizeof fiber->carried.count);
	size_t count = fiber->carried.count;
	if (count) mz_state_get(state, carried_room(fiber, count), count * sizeof *fiber->carried.accesses);
}

/* ---- steps ---- */

void mz_touched_add(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind)
{
	uintptr_t word = address & ~7UL, end = address + size;
	for (; word < end; word += 8) {
		unsigned low = word < address ? (unsigned)(address - word) : 0;
		unsigned high = end - word < 8 ? (unsigned)(end - word) : 8;
		uint8_t mask = (uint8_t)((0xffU >> (8 - high)) & (0xffU << low));
		uint32_t index = add_word(word, mask, kind);
		if (MZ_UNLIKELY(self != mover)) carry(self, index, mask);
	}
}

void mz_touched_begin(struct mz_fiber *fiber)
{
	mover = fiber;
	naccesses = 0;
	mz_table_clear(&numbers);
	if (!fiber) return;
	for (uint32_t i = 0; i < fiber->carried.count; i++) {
		const struct mz_access *access = &fiber->carried.accesses[i];
		add_word(access->object, access->mask, (enum mz_access_kind)access->kind);
	}
	fiber->carried.count = 0;
}

const struct mz_access *mz_touched(size_t *count)
{
	*count = naccesses;
	return accesses;
}
