/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/interned.h"
#include "base/hash.h"
#include "engine/execution/conflict.h"

void mz_interned_release(struct mz_interned *interned)
{
	mz_arena_release(&interned->arena);
	mz_table_release(&interned->events);
	*interned = (struct mz_interned){0};
}

static uint64_t hash(const struct mz_event *event)
{
	uint64_t sum = (uint64_t)event->thread << 32 | event->choice;
	sum += ((uint64_t)event->op << 32 | event->alternatives) * 0x9e3779b97f4a7c15ULL + event->condition;
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

static bool is_same(const void *event, uint64_t kept)
{
	const struct mz_event *a = event, *b = (const struct mz_event *)(uintptr_t)kept;
	if (a->thread != b->thread || a->choice != b->choice || a->op != b->op || a->guessed != b->guessed)
		return false;
	if (a->alternatives != b->alternatives || a->naccesses != b->naccesses) return false;
	if (a->condition != b->condition) return false;
	for (unsigned n = 0; n < a->naccesses; n++)
		if (!same_access(&a->accesses[n], &b->accesses[n])) return false;
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
	uint64_t sum = hash(event);
	uint64_t known = mz_table_find_equal(&interned->events, sum, is_same, event);
	if (known) return (const struct mz_event *)(uintptr_t)known;
	const struct mz_event *copy = copy_of(interned, event);
	return copy && mz_table_add(&interned->events, sum, (uintptr_t)copy) ? copy : NULL;
}
