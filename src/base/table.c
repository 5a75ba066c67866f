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

static void wipe(struct mz_table *table)
{
	for (size_t at = 0; at < table->capacity; at++) table->slots[at] = (struct mz_table_slot){0, 0};
}

bool mz_table_grow(struct mz_table *table)
{
	struct mz_table grown = *table;
	grown.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
	if (grown.capacity > SIZE_MAX / 2 / sizeof *grown.slots) return false;
	grown.slots = mz_alloc(grown.capacity * sizeof *grown.slots);
	if (!grown.slots) return false;
	wipe(&grown);
	for (size_t at = 0; at < table->capacity; at++)
		if (table->slots[at].value > table->floor) put(&grown, table->slots[at]);
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

/* When `floor` can rise no further the slots are wiped, and it begins again. */
void mz_table_clear(struct mz_table *table)
{
	table->count = 0;
	table->floor += MZ_TABLE_NUMBERS;
	if (table->floor <= UINT64_MAX - MZ_TABLE_NUMBERS) return;
	wipe(table);
	table->floor = 0;
}

void mz_table_release(struct mz_table *table)
{
	mz_free(table->slots);
	*table = (struct mz_table){0};
}
