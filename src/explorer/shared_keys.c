/* SPDX-License-Identifier: MIT
 *
 * A table with linear probing. Where the low half of a key is 0 there is none. When a table is half full, a new one of twice
 * its size takes its place; the old one's memory is not used again.
 */
#include "explorer/shared_keys.h"

#define FIRST_CAPACITY 1024

struct table {
	uint64_t capacity; /* a power of two */
	uint64_t count;    /* may be less than there are, by as many as processes were killed while they added one */
	struct mz_key keys[];
};

static struct table *table_at(void *start, uint64_t distance)
{
	return (struct table *)((char *)start + distance);
}

/* Returns where a key is, or where it would be. */
static struct mz_key *find(struct table *table, struct mz_key key)
{
	uint64_t n = key.low;
	for (;; n++) {
		struct mz_key *at = &table->keys[n & (table->capacity - 1)];
		if (at->low == 0 || (at->low == key.low && at->high == key.high)) return at;
	}
}

static void put(struct table *table, struct mz_key key)
{
	struct mz_key *at = find(table, key);
	if (at->low) return;
	at->high = key.high;
	__atomic_store_n(&at->low, key.low, __ATOMIC_RELEASE);
	table->count++;
}

/* Makes room for one more key. Returns false when there is no memory. */
static bool grow(struct mz_shared_keys *set, void *start, struct mz_arena_source *source)
{
	struct table *old = set->table ? table_at(start, set->table) : NULL;
	if (old && 2 * (old->count + 1) < old->capacity) return true;
	uint64_t capacity = old ? 2 * old->capacity : FIRST_CAPACITY;
	struct table *table = source->take(source, sizeof *table + capacity * sizeof *table->keys);
	if (!table) return false;
	table->capacity = capacity;
	table->count = 0;
	for (uint64_t n = 0; old && n < old->capacity; n++)
		if (old->keys[n].low) put(table, old->keys[n]);
	__atomic_store_n(&set->table, (uint64_t)((char *)table - (char *)start), __ATOMIC_RELEASE);
	return true;
}

bool mz_shared_keys_add(struct mz_shared_keys *set, void *start, struct mz_arena_source *source, struct mz_key key)
{
	if (key.low == 0) key.low = 1;
	if (!grow(set, start, source)) return false;
	put(table_at(start, set->table), key);
	return true;
}

uint64_t mz_shared_keys_count(const struct mz_shared_keys *set, const void *start, size_t size)
{
	uint64_t at = set->table, count = 0;
	if (at == 0 || at % _Alignof(struct table) || at > size || size - at < sizeof(struct table)) return 0;
	const struct table *table = (const struct table *)((const char *)start + at);
	uint64_t capacity = table->capacity;
	if (capacity > (size - at - sizeof *table) / sizeof *table->keys) return 0;
	for (uint64_t n = 0; n < capacity; n++) count += table->keys[n].low != 0;
	return count;
}
