/* SPDX-License-Identifier: MIT */
#include "base/scratch.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <string.h>

#define FIRST_CAPACITY 64

static size_t place_of(const struct mz_scratch *s, uint64_t key)
{
	size_t mask = s->capacity - 1;
	size_t i = mz_mix(key) & mask;
	while (s->entries[i].filling == s->filling && s->entries[i].key != key) i = (i + 1) & mask;
	return i;
}

/* Doubles the table. Its fillings are counted from 1, because entries that were never filled have number 0. */
static bool grow(struct mz_scratch *s)
{
	struct mz_scratch grown = {
	    .capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY, .count = s->count, .filling = 1};
	if (grown.capacity > SIZE_MAX / 2 / sizeof *grown.entries) return false;
	grown.entries = mz_alloc(grown.capacity * sizeof *grown.entries);
	if (!grown.entries) return false;
	memset(grown.entries, 0, grown.capacity * sizeof *grown.entries);
	for (size_t i = 0; i < s->capacity; i++) {
		struct mz_scratch_entry entry = s->entries[i];
		if (entry.filling != s->filling) continue;
		entry.filling = grown.filling;
		grown.entries[place_of(&grown, entry.key)] = entry;
	}
	mz_free(s->entries);
	*s = grown;
	return true;
}

uint32_t *mz_scratch_at(struct mz_scratch *s, uint64_t key, uint32_t value)
{
	if (2 * (s->count + 1) > s->capacity && !grow(s)) return NULL;
	struct mz_scratch_entry *entry = &s->entries[place_of(s, key)];
	if (entry->filling != s->filling) {
		*entry = (struct mz_scratch_entry){key, value, s->filling};
		s->count++;
	}
	return &entry->value;
}

void mz_scratch_clear(struct mz_scratch *s)
{
	s->count = 0;
	if (++s->filling != 0) return;
	if (s->capacity) memset(s->entries, 0, s->capacity * sizeof *s->entries);
	s->filling = 1;
}

void mz_scratch_release(struct mz_scratch *s)
{
	mz_free(s->entries);
	*s = (struct mz_scratch){0};
}
