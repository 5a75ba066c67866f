/* SPDX-License-Identifier: MIT
 *
 * The hash table. An entry is a hash and a value; what was hashed is kept by the owner of the table, or not at all.
 * A value is a pointer, a number from 1 on, or anything else of 64 bits but 0, which stands for "no value".
 *
 * Keys of 64 bits need not be kept or compared: mz_mix() gives different words different hashes, so that
 *
 *     mz_table_add(&table, mz_mix(key), value)
 *     value = mz_table_find(&table, mz_mix(key))
 *
 * are a map from words to values. Where different keys may have the same hash, mz_table_find_equal() asks the owner
 * which value is meant:
 *
 *     static bool is_equal(const void *key, uint64_t value) { return !strcmp(key, names[value - 1]); }
 *     value = mz_table_find_equal(&table, hash_of("main"), is_equal, "main")
 *
 * Open addressing with linear probing: an entry is in the slot that the low bits of its hash say, or in one of the
 * next, with no free slot in between. At most half of the slots are taken: at three quarters, finding objects took 1 %
 * more instructions. Single entries cannot be taken out; all of them can, at no cost (mz_table_clear()).
 */
#ifndef MZ_BASE_TABLE_H
#define MZ_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mz_table_slot {
	uint64_t hash;
	uint64_t value; /* the table's `floor` plus the value of the entry; if not above `floor`, the slot is free */
};

/* All zero is an empty table, ready for use. */
struct mz_table {
	struct mz_table_slot *slots;
	size_t capacity; /* number of slots: 0 or a power of two */
	size_t count;    /* number of entries */
	uint64_t floor;  /* rises above all values in the slots when the table is cleared; 0 when the slots are new */
};

/* Values in a table that is cleared must be less than this. */
#define MZ_TABLE_NUMBERS ((uint64_t)1 << 32)

/* Frees the memory of the table, which is empty then. */
void mz_table_release(struct mz_table *table);
/* Adds an entry, even if there are others with the same hash. The value must not be 0. Returns false when there is no
 * memory, and leaves the table as it was. */
bool mz_table_add(struct mz_table *table, uint64_t hash, uint64_t value);
/* The rare parts of the functions below. mz_table_grow() doubles the number of slots; returns false when there is no
 * memory. mz_table_wipe() makes all slots free and lets `floor` begin at 0 again. */
bool mz_table_grow(struct mz_table *table);
void mz_table_wipe(struct mz_table *table);

/* Takes all entries out, in constant time; the memory is kept. */
static inline void mz_table_clear(struct mz_table *table)
{
	table->count = 0;
	table->floor += MZ_TABLE_NUMBERS;
	if (__builtin_expect(table->floor > UINT64_MAX - MZ_TABLE_NUMBERS, 0)) mz_table_wipe(table);
}

static inline bool mz_table_is_full(const struct mz_table *table)
{
	return 2 * table->count >= table->capacity;
}

/* Returns the value of an entry with that hash for which `is_equal(key, value)` holds, or 0 if there is none. With a
 * static function as `is_equal` the compiler makes no calls. */
static inline __attribute__((always_inline)) uint64_t
mz_table_find_equal(const struct mz_table *table, uint64_t hash, bool (*is_equal)(const void *key, uint64_t value),
                    const void *key)
{
	if (!table->capacity) return 0;
	size_t mask = table->capacity - 1, at = hash & mask;
	for (; table->slots[at].value > table->floor; at = (at + 1) & mask) {
		const struct mz_table_slot *slot = &table->slots[at];
		if (slot->hash == hash && is_equal(key, slot->value - table->floor)) return slot->value - table->floor;
	}
	return 0;
}

static inline bool mz_table_hash_suffices(const void *key, uint64_t value)
{
	(void)key, (void)value;
	return true;
}

/* Returns the value of the entry with that hash, or 0 if there is none: for hashes that only one key has. */
static inline uint64_t mz_table_find(const struct mz_table *table, uint64_t hash)
{
	return mz_table_find_equal(table, hash, mz_table_hash_suffices, NULL);
}

/* Returns the value of the entry with that hash; if there is none, adds one and returns its value. Returns 0 when there
 * is no memory. Quicker than mz_table_find() and mz_table_add(), where entries are often new. */
static inline uint64_t mz_table_find_or_add(struct mz_table *table, uint64_t hash, uint64_t value)
{
	if (__builtin_expect(mz_table_is_full(table), 0) && !mz_table_grow(table)) return 0;
	size_t mask = table->capacity - 1, at = hash & mask;
	for (; table->slots[at].value > table->floor; at = (at + 1) & mask)
		if (table->slots[at].hash == hash) return table->slots[at].value - table->floor;
	table->slots[at] = (struct mz_table_slot){hash, table->floor + value};
	table->count++;
	return value;
}

#endif
