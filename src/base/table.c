/* SPDX-License-Identifier: MIT */
#include "base/table.h"
#include "base/alloc.h"

#define FIRST_CAPACITY 64

/* Puts an entry into the first free slot from the one that its hash says. There must be one. */
static void put(struct mz_table *table, struct mz_table_slot entry)
{
	size_t mask = table->capacity - 1, at = entry.hash & mask;
	while (table->slots[at].value > table->floor) at = (at + 1) & mask;
	table->slots[at] = entry;
}

void mz_table_wipe(struct mz_table *table)
{
	for (size_t at = 0; at < table->capacity; at++) table->slots[at] = (struct mz_table_slot){0, 0};
	table->count = 0;
	table->floor = 0;
}

bool mz_table_grow(struct mz_table *table)
{
	struct mz_table grown = {.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY};
	if (grown.capacity > SIZE_MAX / 2 / sizeof *grown.slots) return false;
	grown.slots = mz_alloc(grown.capacity * sizeof *grown.slots);
	if (!grown.slots) return false;
	mz_table_wipe(&grown);
	for (size_t at = 0; at < table->capacity; at++) {
		struct mz_table_slot entry = table->slots[at];
		if (entry.value > table->floor)
			put(&grown, (struct mz_table_slot){entry.hash, entry.value - table->floor});
	}
	grown.count = table->count;
	mz_free(table->slots);
	*table = grown;
	return true;
}

bool mz_table_add(struct mz_table *table, uint64_t hash, uint64_t value)
{
	if (mz_table_is_full(table) && !mz_table_grow(table)) return false;
	put(table, (struct mz_table_slot){hash, table->floor + value});
	table->count++;
	return true;
}

void mz_table_release(struct mz_table *table)
{
	mz_free(table->slots);
	*table = (struct mz_table){0};
}
