/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "base/alloc.h"
#include "base/hash.h"
#include <string.h>

#define FIRST_CAPACITY 64

static size_t map_place(const struct mz_map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	size_t i = mz_mix(key) & mask;
	while (map->entries[i].value != MZ_MAP_NONE && map->entries[i].key != key) i = (i + 1) & mask;
	return i;
}

static bool map_grow(struct mz_map *map)
{
	struct mz_map grown = {.capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY, .count = map->count};
	if (grown.capacity > SIZE_MAX / 2 / sizeof *grown.entries) return false;
	grown.entries = mz_alloc(grown.capacity * sizeof *grown.entries);
	if (!grown.entries) return false;
	for (size_t i = 0; i < grown.capacity; i++) grown.entries[i].value = MZ_MAP_NONE;
	for (size_t i = 0; i < map->capacity; i++) {
		struct mz_map_entry *entry = &map->entries[i];
		if (entry->value != MZ_MAP_NONE) grown.entries[map_place(&grown, entry->key)] = *entry;
	}
	mz_free(map->entries);
	*map = grown;
	return true;
}

uint32_t mz_map_find(const struct mz_map *map, uint64_t key)
{
	return map->capacity ? map->entries[map_place(map, key)].value : MZ_MAP_NONE;
}

bool mz_map_add(struct mz_map *map, uint64_t key, uint32_t value)
{
	if (2 * (map->count + 1) > map->capacity && !map_grow(map)) return false;
	map->entries[map_place(map, key)] = (struct mz_map_entry){key, value};
	map->count++;
	return true;
}

void mz_map_release(struct mz_map *map)
{
	mz_free(map->entries);
	*map = (struct mz_map){0};
}

static bool is_zero(struct mz_key key)
{
	return (key.low | key.high) == 0;
}

/* Returns the index of the key, or of the free slot where it belongs. Keys are hashes already, so their low half is
 * used as it is. */
static size_t keyset_place(const struct mz_keyset *set, struct mz_key key)
{
	size_t mask = set->capacity - 1;
	size_t i = key.low & mask;
	while (!is_zero(set->keys[i]) && (set->keys[i].low != key.low || set->keys[i].high != key.high)) {
		i = (i + 1) & mask;
	}
	return i;
}

static bool keyset_grow(struct mz_keyset *set)
{
	struct mz_keyset grown = *set;
	grown.capacity = set->capacity ? 2 * set->capacity : FIRST_CAPACITY;
	if (grown.capacity > SIZE_MAX / 2 / sizeof *grown.keys) return false;
	grown.keys = mz_alloc(grown.capacity * sizeof *grown.keys);
	if (!grown.keys) return false;
	memset(grown.keys, 0, grown.capacity * sizeof *grown.keys);
	for (size_t i = 0; i < set->capacity; i++) {
		if (!is_zero(set->keys[i])) grown.keys[keyset_place(&grown, set->keys[i])] = set->keys[i];
	}
	mz_free(set->keys);
	*set = grown;
	return true;
}

bool mz_keyset_add(struct mz_keyset *set, struct mz_key key, bool *added)
{
	if (is_zero(key)) {
		*added = !set->has_zero;
		set->has_zero = true;
		set->count += *added;
		return true;
	}
	if (2 * (set->count + 1) > set->capacity && !keyset_grow(set)) return false;
	size_t i = keyset_place(set, key);
	*added = is_zero(set->keys[i]);
	set->keys[i] = key;
	set->count += *added;
	return true;
}

void mz_keyset_release(struct mz_keyset *set)
{
	mz_free(set->keys);
	*set = (struct mz_keyset){0};
}
