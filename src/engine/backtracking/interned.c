/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/interned.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "engine/execution/conflict.h"

void mz_interned_release(struct mz_interned *interned)
{
	mz_arena_release(&interned->arena);
	mz_free(interned->table);
	*interned = (struct mz_interned){0};
}

static uint64_t hash(const struct mz_event *event)
{
	uint64_t sum = (uint64_t)event->thread << 32 | event->choice;
	sum += ((uint64_t)event->op << 32 | event->alternatives) * 0x9e3779b97f4a7c15ULL;
	for (unsigned n = 0; n < event->naccesses; n++) {
		const struct mz_access *a = &event->accesses[n];
		sum = mz_mix(sum + a->object + ((uint64_t)a->mask << 48) + ((uint64_t)a->kind << 56) + a->expected);
	}
	return mz_mix(sum);
}

static bool same_access(const struct mz_access *a, const struct mz_access *b)
{
	return a->object == b->object && a->expected == b->expected && a->mask == b->mask && a->kind == b->kind &&
	       a->only_waited == b->only_waited && a->really == b->really && a->age == b->age;
}

static bool same(const struct mz_event *a, const struct mz_event *b)
{
	if (a->thread != b->thread || a->choice != b->choice || a->op != b->op) return false;
	if (a->alternatives != b->alternatives || a->naccesses != b->naccesses) return false;
	for (unsigned n = 0; n < a->naccesses; n++)
		if (!same_access(&a->accesses[n], &b->accesses[n])) return false;
	return true;
}

/* Returns the slot of an event that is the same, or the free slot where the event would go. */
static struct mz_event **slot_of(const struct mz_interned *interned, const struct mz_event *event)
{
	size_t at = hash(event) & (interned->size - 1);
	while (interned->table[at] && !same(interned->table[at], event)) at = (at + 1) & (interned->size - 1);
	return &interned->table[at];
}

static bool grow(struct mz_interned *interned)
{
	struct mz_interned larger = {.size = interned->size ? interned->size * 2 : 256};
	larger.table = mz_alloc(larger.size * sizeof *larger.table);
	if (!larger.table) return false;
	for (size_t n = 0; n < larger.size; n++) larger.table[n] = NULL;
	for (size_t n = 0; n < interned->size; n++)
		if (interned->table[n]) *slot_of(&larger, interned->table[n]) = interned->table[n];
	mz_free(interned->table);
	interned->table = larger.table;
	interned->size = larger.size;
	return true;
}

static struct mz_event *copy_of(struct mz_interned *interned, const struct mz_event *event)
{
	struct mz_access *accesses;
	struct mz_event *copy = mz_arena_take(&interned->arena, sizeof *copy + event->naccesses * sizeof *accesses);
	if (!copy) return NULL;
	accesses = (struct mz_access *)(copy + 1);
	for (unsigned n = 0; n < event->naccesses; n++) {
		accesses[n] = event->accesses[n];
		accesses[n].before = 0;
	}
	*copy = *event;
	copy->accesses = accesses;
	mz_event_summarize(copy);
	return copy;
}

const struct mz_event *mz_interned_event(struct mz_interned *interned, const struct mz_event *event)
{
	if (interned->count * 2 >= interned->size && !grow(interned)) return NULL;
	struct mz_event **slot = slot_of(interned, event);
	if (*slot) return *slot;
	*slot = copy_of(interned, event);
	interned->count += *slot != NULL;
	return *slot;
}
