/* SPDX-License-Identifier: MIT */
#include "runtime/watch/touched.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "runtime/core/core.h"

/* Where an access is in the list, by word and kind. A slot with another stamp is of an earlier step. At most half of
 * the slots are in use. This is no map of base/ because it is emptied at every step and asked at every plain access:
 * slots are half as large, since their key is in the list. */
struct touched_slot {
	uint32_t stamp;
	uint32_t index;
};

/* The thread that last carried an access over to its own next step, and the index of the access among those it
 * carries. */
struct carrier {
	const struct mz_fiber *fiber;
	uint32_t index;
};

static struct mz_access *accesses;
static struct carrier *carriers; /* one for each access */
static size_t naccesses, capacity, carriers_capacity;
static struct touched_slot *slots;
static size_t nslots; /* a power of two */
static uint32_t stamp;
static const struct mz_fiber *mover;

static struct touched_slot *slot_of(uint64_t word, enum mz_access_kind kind)
{
	size_t at = mz_mix(word | (uint64_t)kind) & (nslots - 1);
	while (slots[at].stamp == stamp) {
		const struct mz_access *access = &accesses[slots[at].index];
		if (access->object == word && access->kind == kind) break;
		at = (at + 1) & (nslots - 1);
	}
	return &slots[at];
}

static void clear_slots(void)
{
	for (size_t i = 0; i < nslots; i++) slots[i].stamp = 0;
	stamp = 1;
}

static void grow(void)
{
	mz_array_require(&accesses, &capacity, naccesses + 1);
	mz_array_require(&carriers, &carriers_capacity, capacity);
	mz_free(slots);
	nslots = capacity * 2;
	slots = mz_alloc(nslots * sizeof *slots);
	if (!slots) mz_unsupported("out of memory");
	clear_slots();
	for (size_t i = 0; i < naccesses; i++)
		*slot_of(accesses[i].object, accesses[i].kind) = (struct touched_slot){stamp, (uint32_t)i};
}

/* Adds an access to a word. Returns its index. */
static uint32_t add_word(uint64_t word, uint8_t mask, enum mz_access_kind kind)
{
	if (MZ_UNLIKELY(naccesses == capacity)) grow();
	struct touched_slot *slot = slot_of(word, kind);
	if (slot->stamp == stamp) {
		accesses[slot->index].mask |= mask;
		return slot->index;
	}
	*slot = (struct touched_slot){stamp, (uint32_t)naccesses};
	carriers[naccesses] = (struct carrier){NULL, 0};
	accesses[naccesses++] = (struct mz_access){.object = word, .mask = mask, .kind = (uint8_t)kind};
	return slot->index;
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
	if (MZ_UNLIKELY(++stamp == 0)) clear_slots();
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
