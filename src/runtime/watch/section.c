/* SPDX-License-Identifier: MIT */
#include "runtime/watch/section.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/watch/invariant.h"
#include "runtime/watch/race.h"
#include "runtime/watch/spin.h"

/* An object that the section touches. */
struct touched {
	uint64_t object;
	uint64_t before;
	uint8_t masks[4]; /* the bytes, by enum mz_access_kind */
	bool really;      /* some write is one really */
	int16_t effect;
};

/* The section under way: there is one at a time. */
static struct touched *touched;
static size_t ntouched, capacity;
static struct mz_table numbers;   /* objects: 1 + where they are in `touched` */
static struct mz_access *awaited; /* what the thread awaited to begin the section */
static size_t nawaited, awaited_capacity;

void mz_section_start(struct mz_fiber *self)
{
	mz_table_clear(&numbers);
	ntouched = 0;
	nawaited = self->spin.extra;
	self->spin.extra = 0;
	mz_array_require(&awaited, &awaited_capacity, nawaited + 1);
	for (size_t n = 0; n < nawaited; n++) {
		awaited[n] = self->accesses[n];
		awaited[n].before = mz_objects_state(awaited[n].object);
	}
}

static struct touched *find(uint64_t object, uint64_t before)
{
	uint32_t index = (uint32_t)mz_table_find_or_add(&numbers, mz_mix(object), ntouched + 1) - 1;
	if (MZ_UNLIKELY(index == UINT32_MAX)) mz_unsupported("out of memory");
	if (index < ntouched) return &touched[index];
	mz_array_require(&touched, &capacity, ntouched + 1);
	touched[ntouched] = (struct touched){.object = object, .before = before};
	return &touched[ntouched++];
}

/* ---- data races ---- */

static struct mz_object *clock_of(uint64_t byte)
{
	return mz_object_find(mz_object_in(MZ_SPACE_SECTION, byte));
}

/* Reports whether the object is memory of the program, of which the access touches bytes. The first word of a lock, say,
 * stands for the lock; its clock here is used by nobody else. */
static bool has_clocks(uint64_t object)
{
	return mz_rt.mode.finds_races && mz_object_is_memory(object);
}

static void acquire(struct mz_fiber *self, uint64_t object, uint8_t mask)
{
	if (!has_clocks(object)) return;
	for (unsigned b = 0; b < 8; b++)
		if (mask >> b & 1) mz_race_acquire(self, &clock_of(object + b)->clock);
}

static void release(struct mz_fiber *self, const struct touched *t)
{
	uint8_t mask = t->masks[MZ_WRITE] | t->masks[MZ_WEAK_WRITE];
	if (!has_clocks(t->object)) return;
	for (unsigned b = 0; b < 8; b++)
		if (mask >> b & 1) mz_race_publish(self, &clock_of(t->object + b)->clock);
}

/* ---- adding ---- */

void mz_section_add(struct mz_fiber *self, const struct mz_access *accesses, uint16_t count)
{
	for (const struct mz_access *access = accesses; access < accesses + count; access++) {
		struct touched *t = find(access->object, access->before);
		t->masks[access->kind] |= access->mask;
		t->really |= !access->really;
		t->effect = (int16_t)(t->effect + access->effect);
		acquire(self, access->object, access->mask);
	}
}

void mz_section_touch(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	self->caller = caller; /* the access may fault here, if not in the program */
	mz_rt.execution.in_step = true;
	for (uintptr_t word = address & ~7UL, end = address + size; word < end; word += 8) {
		unsigned low = word < address ? (unsigned)(address - word) : 0;
		unsigned high = end - word < 8 ? (unsigned)(end - word) : 8;
		const struct mz_access access = {.object = word,
		                                 .before = *(const volatile uint64_t *)word,
		                                 .mask = (uint8_t)((0xffU >> (8 - high)) & (0xffU << low)),
		                                 .kind = write ? MZ_WRITE : MZ_READ};
		mz_section_add(self, &access, 1);
	}
	mz_rt.execution.in_step = false;
}

/* ---- the union ---- */

/* Returns the bytes that are written. To read what is written weakly is more than either. */
static uint8_t written(const struct touched *t)
{
	return t->masks[MZ_WRITE] | (t->masks[MZ_WEAK_WRITE] & t->masks[MZ_READ]);
}

/* Appends the accesses of an object: each byte in the strongest way in which it is touched. Returns how many there
 * are. */
static unsigned emit(const struct touched *t, struct mz_access *accesses)
{
	static const uint8_t kinds[] = {MZ_WRITE, MZ_WEAK_WRITE, MZ_READ, MZ_WEAK_READ};
	uint8_t left = 0xff;
	unsigned count = 0;
	for (unsigned k = 0; k < 4; k++) {
		uint8_t mask = (kinds[k] == MZ_WRITE ? written(t) : t->masks[kinds[k]]) & left;
		if (!mask) continue;
		left &= (uint8_t)~mask;
		bool unreal = kinds[k] == MZ_WRITE && !t->really;
		accesses[count] = (struct mz_access){.object = t->object,
		                                     .before = t->before,
		                                     .mask = mask,
		                                     .kind = kinds[k],
		                                     .really = (uint8_t)(unreal ? 1 + MZ_READ : 0),
		                                     .effect = count ? 0 : t->effect};
		count++;
	}
	return count;
}

/* The accesses that were awaited come first, as for every operation that awaits. Only what the section itself touched
 * counts as read or written by it. */
uint16_t mz_section_collect(struct mz_fiber *self)
{
	if (nawaited + 4 * ntouched >= UINT16_MAX) mz_unsupported("an atomic section touches too much memory");
	struct mz_access *accesses = mz_accesses_room(self, nawaited + 4 * ntouched + 1);
	size_t count = nawaited;
	for (size_t n = 0; n < nawaited; n++) accesses[n] = awaited[n];
	for (size_t n = 0; n < ntouched; n++) {
		count += emit(&touched[n], &accesses[count]);
		release(self, &touched[n]);
	}
	self->accesses = accesses + nawaited;
	mz_spin_commit(self, MZ_OP_ATOMIC, (uint16_t)(count - nawaited));
	self->accesses = accesses;
	if (mz_rt.invariants.count && !mz_rt.mode.searches_states)
		mz_invariant_extend(self, MZ_OP_ATOMIC, (uint16_t)count);
	return (uint16_t)count;
}
