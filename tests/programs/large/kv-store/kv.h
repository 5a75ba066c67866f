/* SPDX-License-Identifier: MIT
 *
 * A store of keys and values in memory, for any number of threads. Keys are strings, values are bytes; both are copied.
 * Every function is atomic as far as a single key is concerned; kv_swap is for two.
 */
#ifndef KV_H
#define KV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kv kv;

typedef enum kv_status { KV_OK, KV_NOT_FOUND, KV_CHANGED, KV_TOO_SMALL, KV_NO_MEMORY } kv_status;

typedef struct kv_value {
	const void *data;
	size_t size;
} kv_value;

/* With `buckets` to begin with, rounded up to a power of two; it grows. NULL if there is no memory. */
kv *kv_open(size_t buckets);

/* When nobody uses it any more. */
void kv_close(kv *kv);

/* Copies the value to `to`, of *size bytes, and says in *size how many it has: also if there is not enough room.
 * `version`, if not NULL, gets a number that changes whenever the value does. */
kv_status kv_get(kv *kv, const char *key, void *to, size_t *size, uint64_t *version);

kv_status kv_put(kv *kv, const char *key, kv_value value);

/* The same, unless the value has changed since it had this version; 0: unless there is one. */
kv_status kv_put_if(kv *kv, const char *key, kv_value value, uint64_t version);

kv_status kv_delete(kv *kv, const char *key);

/* Both have to be there. */
kv_status kv_swap(kv *kv, const char *left, const char *right);

/* How many keys there are, and how many buckets. */
size_t kv_count(kv *kv);
size_t kv_buckets(kv *kv);

/* ---- going through all ----
 *
 * Each key that is there from beginning to end is met once; one that comes or goes meanwhile once or not at all. What
 * the cursor shows is a copy, until the next call. */

typedef struct kv_cursor kv_cursor;

kv_cursor *kv_cursor_new(kv *kv);
void kv_cursor_free(kv_cursor *cursor);

/* False at the end, or if there is no memory. */
bool kv_cursor_next(kv_cursor *cursor, const char **key, kv_value *value);

#endif
