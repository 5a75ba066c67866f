/* SPDX-License-Identifier: MIT
 *
 * A hash table with chains. There is a fixed number of mutexes, its stripes; the lower bits of a hash say which one
 * guards it, and as the number of buckets is a multiple of the number of stripes, all keys of a bucket have the same.
 * Whoever holds a stripe may use the table, as far as that stripe goes; whoever holds all of them may replace it.
 * Stripes are taken in their order.
 *
 * An entry is never changed but replaced: so a value has one size, and a version that is its own.
 */
#include "kv.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STRIPES = 2, LOAD = 1 }; /* LOAD: keys per bucket above which the table grows */

struct entry {
	struct entry *next;
	uint64_t hash, version;
	size_t key_size, size; /* with the 0 at its end, and of the value */
	char bytes[];          /* the key, then the value */
};

struct table {
	size_t nbuckets;
	struct entry *buckets[];
};

struct kv {
	pthread_mutex_t stripes[STRIPES];
	struct table *table; /* with any stripe */
	atomic_size_t count;
	atomic_uint_fast64_t versions;
};

/* ---- entries ---- */

/* FNV-1a. */
static uint64_t hash_of(const char *key)
{
	uint64_t hash = 14695981039346656037U;
	for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 1099511628211U;
	return hash;
}

static struct entry *entry_new(kv *kv, const char *key, uint64_t hash, kv_value value)
{
	size_t key_size = strlen(key) + 1;
	struct entry *entry = malloc(sizeof *entry + key_size + value.size);
	if (!entry) return NULL;
	*entry = (struct entry){.hash = hash, .key_size = key_size, .size = value.size};
	entry->version = atomic_fetch_add_explicit(&kv->versions, 1, memory_order_relaxed) + 1;
	memcpy(entry->bytes, key, key_size);
	if (value.size) memcpy(entry->bytes + key_size, value.data, value.size);
	return entry;
}

static kv_value value_of(const struct entry *entry)
{
	return (kv_value){.data = entry->bytes + entry->key_size, .size = entry->size};
}

/* ---- stripes ---- */

static size_t stripe_of(uint64_t hash)
{
	return hash % STRIPES;
}

static void lock_one(kv *kv, uint64_t hash)
{
	pthread_mutex_lock(&kv->stripes[stripe_of(hash)]);
}

static void unlock_one(kv *kv, uint64_t hash)
{
	pthread_mutex_unlock(&kv->stripes[stripe_of(hash)]);
}

static void lock_two(kv *kv, uint64_t left, uint64_t right)
{
	size_t first = stripe_of(left), second = stripe_of(right);
#ifndef WRONG_LOCK_AS_GIVEN
	if (first > second) {
		size_t other = first;
		first = second;
		second = other;
	}
#endif
	pthread_mutex_lock(&kv->stripes[first]);
	if (second != first) pthread_mutex_lock(&kv->stripes[second]);
}

static void unlock_two(kv *kv, uint64_t left, uint64_t right)
{
	size_t first = stripe_of(left), second = stripe_of(right);
	if (second != first) pthread_mutex_unlock(&kv->stripes[second]);
	pthread_mutex_unlock(&kv->stripes[first]);
}

static void lock_all(kv *kv)
{
	for (size_t i = 0; i < STRIPES; i++) pthread_mutex_lock(&kv->stripes[i]);
}

static void unlock_all(kv *kv)
{
	for (size_t i = STRIPES; i > 0; i--) pthread_mutex_unlock(&kv->stripes[i - 1]);
}

/* ---- the table ---- */

static struct table *table_new(size_t nbuckets)
{
	struct table *table = calloc(1, sizeof *table + nbuckets * sizeof table->buckets[0]);
	if (table) table->nbuckets = nbuckets;
	return table;
}

/* Where the entry with this key is linked, or would be. */
static struct entry **find(struct table *table, const char *key, uint64_t hash)
{
	struct entry **link = &table->buckets[hash % table->nbuckets];                                      /* @find */
	while (*link && ((*link)->hash != hash || strcmp((*link)->bytes, key) != 0)) link = &(*link)->next; /* @chain */
	return link;
}

/* With all stripes. */
static struct table *rehash(struct table *old, size_t nbuckets)
{
	struct table *table = table_new(nbuckets);
	if (!table) return old; /* then it stays as it is, only slower */
	for (size_t i = 0; i < old->nbuckets; i++) {
		struct entry *entry = old->buckets[i], *next;
		for (; entry; entry = next) {
			struct entry **bucket = &table->buckets[entry->hash % nbuckets];
			next = entry->next;
			entry->next = *bucket;
			*bucket = entry;
		}
	}
	free(old);
	return table;
}

/* Whoever finds the table too small, with its stripe, makes it larger once it has let go of that. Others may have found
 * the same. */
static void grow(kv *kv, size_t small)
{
	lock_all(kv);
#ifdef WRONG_GROW_AGAIN
	(void)small;
	kv->table = rehash(kv->table, 2 * kv->table->nbuckets);
#else
	if (kv->table->nbuckets == small) kv->table = rehash(kv->table, 2 * small); /* @grown */
#endif
	unlock_all(kv);
}

kv *kv_open(size_t buckets)
{
	size_t nbuckets = STRIPES;
	while (nbuckets < buckets) nbuckets *= 2;
	kv *kv = calloc(1, sizeof *kv);
	if (!kv) return NULL;
	kv->table = table_new(nbuckets);
	if (!kv->table) {
		free(kv);
		return NULL;
	}
	for (size_t i = 0; i < STRIPES; i++) pthread_mutex_init(&kv->stripes[i], NULL);
	return kv;
}

void kv_close(kv *kv)
{
	for (size_t i = 0; i < kv->table->nbuckets; i++) {
		struct entry *entry = kv->table->buckets[i], *next;
		for (; entry; entry = next) {
			next = entry->next;
			free(entry);
		}
	}
	for (size_t i = 0; i < STRIPES; i++) pthread_mutex_destroy(&kv->stripes[i]);
	free(kv->table);
	free(kv);
}

/* ---- one key ---- */

static kv_status copy_value(const struct entry *entry, void *to, size_t *size)
{
	size_t room = *size;
	*size = entry->size;
	if (entry->size > room) return KV_TOO_SMALL;
	if (entry->size) memcpy(to, value_of(entry).data, entry->size);
	return KV_OK;
}

kv_status kv_get(kv *kv, const char *key, void *to, size_t *size, uint64_t *version)
{
	uint64_t hash = hash_of(key);
	kv_status status = KV_NOT_FOUND;
#ifdef WRONG_TABLE_BEFORE_LOCK
	struct table *table = kv->table; /* @table */
	lock_one(kv, hash);
#else
	lock_one(kv, hash);
	struct table *table = kv->table;
#endif
	const struct entry *entry = *find(table, key, hash); /* @entry */
	if (entry) {
		status = copy_value(entry, to, size);
		if (version) *version = entry->version;
	}
	unlock_one(kv, hash);
	return status;
}

/* Puts an entry in its place. The one that was there, or NULL, is in *old. Without a condition if `version` is NULL. */
static kv_status replace(kv *kv, const char *key, struct entry *fresh, const uint64_t *version, struct entry **old)
{
	struct entry **link = find(kv->table, key, fresh->hash);
	*old = *link;
	if (version && *version != (*old ? (*old)->version : 0)) {
		*old = NULL;
		return KV_CHANGED;
	}
	fresh->next = *old ? (*old)->next : NULL;
	*link = fresh;
	return KV_OK;
}

/* How many buckets there are, if that is not enough. */
static size_t too_small(kv *kv, size_t count)
{
	return count > LOAD * kv->table->nbuckets ? kv->table->nbuckets : 0;
}

static kv_status put(kv *kv, const char *key, kv_value value, const uint64_t *version)
{
	uint64_t hash = hash_of(key);
	struct entry *fresh = entry_new(kv, key, hash, value), *old;
	size_t small = 0;
	if (!fresh) return KV_NO_MEMORY;
	lock_one(kv, hash);
	kv_status status = replace(kv, key, fresh, version, &old);
	if (status == KV_OK && !old) small = too_small(kv, atomic_fetch_add(&kv->count, 1) + 1);
	unlock_one(kv, hash);
	free(status == KV_OK ? old : fresh);
	if (small) grow(kv, small);
	return status;
}

kv_status kv_put(kv *kv, const char *key, kv_value value)
{
	return put(kv, key, value, NULL);
}

kv_status kv_put_if(kv *kv, const char *key, kv_value value, uint64_t version)
{
	return put(kv, key, value, &version);
}

kv_status kv_delete(kv *kv, const char *key)
{
	uint64_t hash = hash_of(key);
	lock_one(kv, hash);
	struct entry **link = find(kv->table, key, hash), *old = *link;
	if (old) {
		*link = old->next;
		atomic_fetch_sub(&kv->count, 1);
	}
	unlock_one(kv, hash);
	free(old);
	return old ? KV_OK : KV_NOT_FOUND;
}

/* ---- two keys ---- */

/* New entries for the two keys, each with the other's value. */
static bool exchange(kv *kv, struct entry **left, struct entry **right)
{
	struct entry *l = *left, *r = *right;
	struct entry *new_left = entry_new(kv, l->bytes, l->hash, value_of(r));
	struct entry *new_right = entry_new(kv, r->bytes, r->hash, value_of(l));
	if (!new_left || !new_right) {
		free(new_left);
		free(new_right);
		return false;
	}
	*left = new_left;
	*right = new_right;
	return true;
}

kv_status kv_swap(kv *kv, const char *left, const char *right)
{
	uint64_t left_hash = hash_of(left), right_hash = hash_of(right);
	kv_status status = KV_OK;
	struct entry *old[2] = {NULL, NULL}, *unused;
	lock_two(kv, left_hash, right_hash);
	struct entry *fresh[2] = {*find(kv->table, left, left_hash), *find(kv->table, right, right_hash)};
	if (!fresh[0] || !fresh[1]) {
		status = KV_NOT_FOUND;
	} else if (fresh[0] != fresh[1]) {
		memcpy(old, fresh, sizeof old);
		if (exchange(kv, &fresh[0], &fresh[1])) {
			replace(kv, left, fresh[0], NULL, &unused);
			replace(kv, right, fresh[1], NULL, &unused);
		} else {
			status = KV_NO_MEMORY;
			memset(old, 0, sizeof old);
		}
	}
	unlock_two(kv, left_hash, right_hash);
	for (int i = 0; i < 2; i++) free(old[i]);
	return status;
}

/* ---- the whole ---- */

size_t kv_count(kv *kv)
{
	return atomic_load(&kv->count);
}

size_t kv_buckets(kv *kv)
{
	lock_one(kv, 0);
	size_t nbuckets = kv->table->nbuckets;
	unlock_one(kv, 0);
	return nbuckets;
}

/* ---- cursors ---- */

/* Copies one stripe at a time: its keys stay in it however the table grows. */
struct kv_cursor {
	kv *kv;
	size_t stripe; /* the next one */
	struct entry *copies, *shown;
};

kv_cursor *kv_cursor_new(kv *kv)
{
	kv_cursor *cursor = calloc(1, sizeof *cursor);
	if (cursor) cursor->kv = kv;
	return cursor;
}

void kv_cursor_free(kv_cursor *cursor)
{
	struct entry *next;
	free(cursor->shown);
	for (struct entry *entry = cursor->copies; entry; entry = next) {
		next = entry->next;
		free(entry);
	}
	free(cursor);
}

static bool copy_entry(kv_cursor *cursor, const struct entry *entry)
{
	size_t size = sizeof *entry + entry->key_size + entry->size;
	struct entry *copy = malloc(size);
	if (!copy) return false;
	memcpy(copy, entry, size);
	copy->next = cursor->copies;
	cursor->copies = copy;
	return true;
}

static bool copy_stripe(kv_cursor *cursor, size_t stripe)
{
	bool good = true;
	pthread_mutex_lock(&cursor->kv->stripes[stripe]);
	const struct table *table = cursor->kv->table;
	for (size_t i = stripe; i < table->nbuckets; i += STRIPES)
		for (const struct entry *entry = table->buckets[i]; entry && good; entry = entry->next)
			good = copy_entry(cursor, entry);
	pthread_mutex_unlock(&cursor->kv->stripes[stripe]);
	return good;
}

bool kv_cursor_next(kv_cursor *cursor, const char **key, kv_value *value)
{
	while (!cursor->copies)
		if (cursor->stripe == STRIPES || !copy_stripe(cursor, cursor->stripe++)) return false;
	free(cursor->shown);
	cursor->shown = cursor->copies;
	cursor->copies = cursor->shown->next;
	*key = cursor->shown->bytes;
	*value = value_of(cursor->shown);
	return true;
}
