/* SPDX-License-Identifier: MIT */
#include "concolic/solver/cache.h"
#include "base/alloc.h"
#include <string.h>

/* Cores are short where they are of use. Lists of cores that have been long are not walked to their ends. */
#define CORE_LITERALS 64
#define CORES_TRIED 256

void mz_cache_release(struct mz_cache *cache)
{
	mz_table_release(&cache->places);
	void *const blocks[] = {cache->entries, cache->pairs,       cache->core_literals,
	                        cache->links,   cache->first_links, cache->stamps};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mz_free(blocks[i]);
	for (unsigned i = 0; i < MZ_CACHE_MODELS; i++) mz_free(cache->models[i]);
	*cache = (struct mz_cache){0};
}

static bool reserve_zeros(uint32_t **array, size_t *capacity, size_t need)
{
	size_t old = *capacity;
	if (!mz_array_reserve(array, capacity, need)) return false;
	if (*capacity > old) memset(*array + old, 0, (*capacity - old) * sizeof **array);
	return true;
}

bool mz_cache_reserve(struct mz_cache *cache, uint32_t nexpressions)
{
	size_t need = 2 * ((size_t)nexpressions + 1);
	return reserve_zeros(&cache->first_links, &cache->first_links_capacity, need) &&
	       reserve_zeros(&cache->stamps, &cache->stamps_capacity, need);
}

/* ---- the same set ---- */

static const struct mz_cache_entry *find(const struct mz_cache *cache, struct mz_key key)
{
	uint64_t place = mz_table_find(&cache->places, key.low);
	if (!place || cache->entries[place - 1].key_high != key.high) return NULL;
	return &cache->entries[place - 1];
}

enum mz_answer mz_cache_find(const struct mz_cache *cache, const struct mz_slice *slice, uint8_t *model)
{
	const struct mz_cache_entry *entry = find(cache, slice->key);
	if (!entry) return MZ_ANSWER_NONE;
	for (uint32_t i = 0; i < entry->count; i++) {
		uint32_t pair = cache->pairs[entry->model + i];
		model[pair >> 8] = (uint8_t)pair;
	}
	return entry->answer;
}

void mz_cache_store(struct mz_cache *cache, const struct mz_slice *slice, enum mz_answer answer, const uint8_t *model)
{
	uint32_t count = answer == MZ_ANSWER_SAT ? slice->nbytes : 0;
	if (mz_table_find(&cache->places, slice->key.low)) return;
	if (!mz_array_reserve(&cache->pairs, &cache->pairs_capacity, cache->npairs + count)) return;
	if (!mz_array_reserve(&cache->entries, &cache->entries_capacity, cache->nentries + 1)) return;
	if (!mz_table_add(&cache->places, slice->key.low, cache->nentries + 1)) return;
	cache->entries[cache->nentries++] = (struct mz_cache_entry){slice->key.high, answer, count, cache->npairs};
	for (uint32_t i = 0; i < count; i++) {
		cache->pairs[cache->npairs++] = (uint32_t)slice->bytes[i] << 8 | model[slice->bytes[i]];
	}
}

/* ---- sets that cannot hold ---- */

static bool has_all(const struct mz_cache *cache, uint32_t core)
{
	uint32_t count = cache->core_literals[core - 1];
	for (uint32_t i = 0; i < count; i++) {
		if (cache->stamps[cache->core_literals[core + i]] != cache->stamp) return false;
	}
	return true;
}

static void stamp_literals(struct mz_cache *cache, const struct mz_slice *slice)
{
	if (++cache->stamp == 0) {
		memset(cache->stamps, 0, cache->stamps_capacity * sizeof *cache->stamps);
		cache->stamp = 1;
	}
	for (uint32_t i = 0; i < slice->count; i++) cache->stamps[slice->literals[i]] = cache->stamp;
}

/* All literals but the first hold together, for the values of the execution under way: a set that cannot hold has the
 * first. */
bool mz_cache_has_core(struct mz_cache *cache, const struct mz_slice *slice)
{
	uint32_t link = cache->first_links[slice->literals[0]];
	if (!link) return false;
	stamp_literals(cache, slice);
	for (unsigned tries = 0; link && tries < CORES_TRIED; tries++, link = cache->links[link].next) {
		if (has_all(cache, cache->links[link].core)) return true;
	}
	return false;
}

static void link_core(struct mz_cache *cache, mz_literal literal, uint32_t core)
{
	cache->links[cache->nlinks] = (struct mz_core_link){core, cache->first_links[literal]};
	cache->first_links[literal] = (uint32_t)cache->nlinks++;
}

void mz_cache_store_core(struct mz_cache *cache, const mz_literal *literals, uint32_t count)
{
	if (count == 0 || count > CORE_LITERALS || cache->ncore_literals + count >= UINT32_MAX) return;
	size_t need = cache->ncore_literals + count + 1;
	if (!mz_array_reserve(&cache->core_literals, &cache->core_literals_capacity, need)) return;
	if (!mz_array_reserve(&cache->links, &cache->links_capacity, cache->nlinks + count + 1)) return;
	cache->core_literals[cache->ncore_literals++] = count;
	uint32_t core = (uint32_t)cache->ncore_literals;
	if (cache->nlinks == 0) cache->nlinks = 1; /* link 0 is none */
	for (uint32_t i = 0; i < count; i++) {
		cache->core_literals[cache->ncore_literals++] = literals[i];
		link_core(cache, literals[i], core);
	}
}

/* ---- models ---- */

void mz_cache_store_model(struct mz_cache *cache, const uint8_t *model, uint32_t nbytes)
{
	uint8_t **place = &cache->models[cache->nmodels % MZ_CACHE_MODELS];
	bool first = !*place;
	if (first) *place = mz_alloc(MZ_SPACE_BYTES);
	if (!*place) return;
	if (first) memset(*place, 0, MZ_SPACE_BYTES);
	memcpy(*place, model, nbytes);
	cache->nmodels++;
}
