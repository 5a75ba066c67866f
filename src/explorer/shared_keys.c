/* SPDX-License-Identifier: MIT
 *
 * Tables with linear probing, each four times as large as the one before it. Where the low half of a key is 0 there is none.
 * Keys are added to the latest table. When that is half full another one is made, and what is in the others stays where it
 * is: so a key is written once, which matters to other machines, who are told of every change.
 */
#include "explorer/shared_keys.h"
#include <stdatomic.h>

#ifndef MZ_SHARED_KEYS_FIRST
#define MZ_SHARED_KEYS_FIRST 1024 /* slots of the first table: a power of two */
#endif
#define GROWTH 4
#define TABLES_MOST 32

struct table {
	uint64_t capacity; /* a power of two */
	uint64_t before;   /* where the table before this one is; 0: this is the first */
	struct mz_key keys[];
};

static struct table *table_at(void *start, uint64_t distance)
{
	return distance ? (struct table *)((char *)start + distance) : NULL;
}

/* Returns whether a key is in a table; `*at` is where it is, or would be. Whoever adds a key writes its low half last, so
 * that is read first; and it is read once: a slot that was empty may have got another key by the next time. */
static bool find(struct table *table, struct mz_key key, struct mz_key **at)
{
	for (uint64_t n = key.low;; n++) {
		*at = &table->keys[n & (table->capacity - 1)];
		uint64_t low = __atomic_load_n(&(*at)->low, __ATOMIC_ACQUIRE);
		if (low == 0) return false;
		if (low == key.low && (*at)->high == key.high) return true;
	}
}

/* A key without a low half has another one. */
static struct mz_key proper(struct mz_key key)
{
	return key.low ? key : (struct mz_key){1, key.high};
}

/* Makes room for one more key. Returns false when there is no memory. */
static bool grow(struct mz_shared_keys *set, void *start, struct mz_arena_source *source)
{
	const struct table *latest = table_at(start, set->table);
	if (latest && 2 * (set->count + 1) < latest->capacity) return true;
	uint64_t capacity = latest ? GROWTH * latest->capacity : MZ_SHARED_KEYS_FIRST;
	struct table *table = source->take(source, sizeof *table + capacity * sizeof *table->keys);
	if (!table) return false;
	table->capacity = capacity;
	table->before = set->table;
	__atomic_store_n(&set->table, (uint64_t)((char *)table - (char *)start), __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
	set->count = 0; /* if this process is killed before that, the next table is made a little earlier */
	return true;
}

const void *mz_shared_keys_add(struct mz_shared_keys *set, void *start, struct mz_arena_source *source,
                               struct mz_key key)
{
	key = proper(key);
	struct mz_key *at;
	for (struct table *table = table_at(start, set->table); table; table = table_at(start, table->before))
		if (find(table, key, &at)) return at;
	if (!grow(set, start, source)) return NULL;
	(void)find(table_at(start, set->table), key, &at);
	set->count++;
	at->high = key.high;
	__atomic_store_n(&at->low, key.low, __ATOMIC_RELEASE);
	return at;
}

bool mz_shared_keys_has(const struct mz_shared_keys *set, void *start, struct mz_key key)
{
	key = proper(key);
	uint64_t latest = __atomic_load_n(&set->table, __ATOMIC_ACQUIRE);
	struct mz_key *at;
	for (struct table *table = table_at(start, latest); table; table = table_at(start, table->before))
		if (find(table, key, &at)) return true;
	return false;
}

/* Returns the table at a distance, if it is within the memory; else NULL. */
static const struct table *checked_table(const void *start, size_t size, uint64_t at)
{
	if (at == 0 || at % _Alignof(struct table) || at > size || size - at < sizeof(struct table)) return NULL;
	const struct table *table = (const struct table *)((const char *)start + at);
	return table->capacity <= (size - at - sizeof *table) / sizeof *table->keys ? table : NULL;
}

uint64_t mz_shared_keys_count(const struct mz_shared_keys *set, const void *start, size_t size)
{
	uint64_t at = set->table, count = 0;
	for (unsigned tables = 0; at && tables < TABLES_MOST; tables++) {
		const struct table *table = checked_table(start, size, at);
		if (!table) return 0;
		for (uint64_t n = 0; n < table->capacity; n++) count += table->keys[n].low != 0;
		at = table->before;
	}
	return at ? 0 : count;
}
