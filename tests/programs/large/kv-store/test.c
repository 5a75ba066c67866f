/* SPDX-License-Identifier: MIT
 *
 * A key-value store, and what may go wrong with it. The counts are those on which all strategies agree.
 *
 * sources: kv.c
 * builds: gcc-O2
 *
 * variant: alone
 * arguments: alone
 * expect: optimal 1
 *
 * variant: grow
 * arguments: grow
 * expect: optimal 3
 *
 * variant: table-before-lock
 * arguments: grow
 * flags: -DWRONG_TABLE_BEFORE_LOCK
 * expect: optimal 3
 * findings: data-race @table|@grown
 * findings: use-after-free @find|@chain|@entry
 *
 * variant: grow-twice
 * arguments: grow-twice
 * expect: optimal 12
 *
 * variant: grow-again
 * arguments: grow-twice
 * flags: -DWRONG_GROW_AGAIN
 * expect: optimal 12
 * findings: assertion @grown-once
 *
 * variant: swap
 * arguments: swap
 * expect: optimal 2
 *
 * variant: lock-as-given
 * arguments: swap
 * flags: -DWRONG_LOCK_AS_GIVEN
 * expect: optimal 3
 * findings: deadlock
 *
 * variant: version
 * arguments: version
 * expect: optimal 10
 *
 * variant: cursor
 * arguments: cursor
 * expect: optimal 5
 */
#include "kv.h"
#include <assert.h>
#include <pthread.h>
#include <string.h>

static kv *store;

static kv_status put(const char *key, int value)
{
	return kv_put(store, key, (kv_value){&value, sizeof value});
}

/* The value, or -1. */
static int get(const char *key)
{
	int value;
	size_t size = sizeof value;
	return kv_get(store, key, &value, &size, NULL) == KV_OK ? value : -1;
}

static void together(void *(*left)(void *), void *(*right)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, NULL);
	pthread_create(&threads[1], NULL, right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

/* Alone: all functions do what they say. */
static void test_alone(void)
{
	char small;
	size_t size = sizeof small;
	uint64_t version;
	int value = 3;
	store = kv_open(1);
	assert(kv_get(store, "a", &small, &size, NULL) == KV_NOT_FOUND && kv_delete(store, "a") == KV_NOT_FOUND);
	assert(put("a", 1) == KV_OK && put("b", 2) == KV_OK && put("a", 3) == KV_OK && kv_count(store) == 2);
	assert(kv_get(store, "a", &small, &size, &version) == KV_TOO_SMALL && size == sizeof(int));
	assert(kv_put_if(store, "a", (kv_value){&value, sizeof value}, version + 1) == KV_CHANGED);
	assert(kv_put_if(store, "a", (kv_value){&value, sizeof value}, version) == KV_OK);
	assert(kv_put_if(store, "c", (kv_value){NULL, 0}, 0) == KV_OK && kv_buckets(store) == 4);
	assert(kv_swap(store, "a", "b") == KV_OK && get("a") == 2 && get("b") == 3);
	assert(kv_swap(store, "a", "a") == KV_OK && kv_swap(store, "a", "d") == KV_NOT_FOUND);
	assert(kv_delete(store, "c") == KV_OK && get("c") == -1 && kv_count(store) == 2);
	kv_close(store);
}

static void *put_c(void *unused)
{
	put("c", 3);
	return unused;
}

static void *get_a(void *unused)
{
	assert(get("a") == 1);
	return unused;
}

/* One reads while the other makes the table grow. */
static void test_grow(void)
{
	store = kv_open(2);
	put("a", 1);
	put("b", 2);
	together(put_c, get_a);
	assert(get("a") == 1 && get("b") == 2 && get("c") == 3);
	assert(kv_buckets(store) == 4);
	kv_close(store);
}

static void *put_d(void *unused)
{
	put("d", 4);
	return unused;
}

/* Both make it grow: once. */
static void test_grow_twice(void)
{
	store = kv_open(2);
	put("a", 1);
	put("b", 2);
	together(put_c, put_d);
	assert(kv_count(store) == 4 && kv_buckets(store) == 4); /* @grown-once */
	kv_close(store);
}

static void *swap_there(void *unused)
{
	assert(kv_swap(store, "a", "b") == KV_OK);
	return unused;
}

static void *swap_back(void *unused)
{
	assert(kv_swap(store, "b", "a") == KV_OK);
	return unused;
}

/* Two swap the same two, each in its own order. */
static void test_swap(void)
{
	store = kv_open(2);
	put("a", 1);
	put("b", 2);
	together(swap_there, swap_back);
	assert(get("a") == 1 && get("b") == 2);
	kv_close(store);
}

static void *add_one(void *unused)
{
	int value;
	uint64_t version;
	do {
		size_t size = sizeof value;
		assert(kv_get(store, "n", &value, &size, &version) == KV_OK);
		value++;
	} while (kv_put_if(store, "n", (kv_value){&value, sizeof value}, version) == KV_CHANGED);
	return unused;
}

/* Two count with versions instead of a lock. */
static void test_version(void)
{
	store = kv_open(2);
	put("n", 0);
	together(add_one, add_one);
	assert(get("n") == 2);
	kv_close(store);
}

static void *sum(void *unused)
{
	const char *key;
	kv_value value;
	int met = 0;
	kv_cursor *cursor = kv_cursor_new(store);
	while (kv_cursor_next(cursor, &key, &value)) met += *key == 'a' || *key == 'b' ? 1 : 10;
	assert(met == 2 || met == 12);
	kv_cursor_free(cursor);
	return unused;
}

/* Going through all while the table grows: what was there is met once. */
static void test_cursor(void)
{
	store = kv_open(2);
	put("a", 1);
	put("b", 2);
	together(put_c, sum);
	kv_close(store);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
    {"alone", test_alone}, {"grow", test_grow},       {"grow-twice", test_grow_twice},
    {"swap", test_swap},   {"version", test_version}, {"cursor", test_cursor},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
