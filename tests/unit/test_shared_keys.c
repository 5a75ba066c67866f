/* SPDX-License-Identifier: MIT
 *
 * explorer/shared_keys.h: a set of keys in memory that several processes share.
 */
#include "explorer/shared_keys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEYS 5000

/* Memory that is shared, in earnest. */
struct memory {
	struct mz_arena_source source;
	char *start;
	size_t used, size;
};

static void *take(struct mz_arena_source *source, size_t size)
{
	struct memory *memory = (struct memory *)source;
	if (size > memory->size - memory->used) return NULL;
	memory->used += size;
	return memory->start + memory->used - size;
}

static struct memory memory_new(size_t size)
{
	struct memory memory = {.source = {.take = take}, .start = calloc(1, size), .used = 64, .size = size};
	assert_non_null(memory.start);
	return memory;
}

static struct mz_key key_of(uint64_t n)
{
	return (struct mz_key){mz_mix(n) & ~(uint64_t)15, n % 7 ? mz_mix(n + 1) : 0}; /* many are near each other */
}

static void test_keys_count_once(void **unused)
{
	(void)unused;
	struct memory memory = memory_new(1 << 20);
	struct mz_shared_keys set = {0};
	assert_int_equal(mz_shared_keys_count(&set, memory.start, memory.size), 0);
	for (int round = 0; round < 3; round++) {
		for (uint64_t n = 0; n < KEYS; n++)
			assert_non_null(mz_shared_keys_add(&set, memory.start, &memory.source, key_of(n)));
		assert_int_equal(mz_shared_keys_count(&set, memory.start, memory.size), KEYS);
	}
	free(memory.start);
}

static void test_a_copy_has_the_same_keys(void **unused)
{
	(void)unused;
	struct memory memory = memory_new(1 << 16), copy = memory_new(1 << 16);
	struct mz_shared_keys set = {0};
	for (uint64_t n = 0; n < 300; n++)
		assert_non_null(mz_shared_keys_add(&set, memory.start, &memory.source, key_of(n)));
	memcpy(copy.start, memory.start, memory.size);
	copy.used = memory.used;
	for (uint64_t n = 200; n < 400; n++)
		assert_non_null(mz_shared_keys_add(&set, copy.start, &copy.source, key_of(n)));
	assert_int_equal(mz_shared_keys_count(&set, copy.start, copy.size), 400);
	free(memory.start);
	free(copy.start);
}

/* Who keeps a copy by the places that are returned, and by the heads of tables, has all keys. */
static void test_a_key_is_written_once(void **unused)
{
	(void)unused;
	struct memory memory = memory_new(1 << 20), copy = memory_new(1 << 20);
	struct mz_shared_keys set = {0};
	for (uint64_t n = 0; n < KEYS; n++) {
		const char *at = mz_shared_keys_add(&set, memory.start, &memory.source, key_of(n));
		memcpy(copy.start + (at - memory.start), at, sizeof(struct mz_key));
		memcpy(copy.start + set.table, memory.start + set.table, MZ_SHARED_KEYS_HEAD);
		if (n % 500 == 0) assert_memory_equal(copy.start, memory.start, memory.size);
	}
	assert_memory_equal(copy.start, memory.start, memory.size);
	assert_int_equal(mz_shared_keys_count(&set, copy.start, copy.size), KEYS);
	free(memory.start);
	free(copy.start);
}

static void test_memory_runs_out(void **unused)
{
	(void)unused;
	struct memory memory = memory_new(1 << 16);
	struct mz_shared_keys set = {0};
	uint64_t n = 0;
	while (mz_shared_keys_add(&set, memory.start, &memory.source, key_of(n))) assert_true(++n < KEYS);
	assert_int_equal(mz_shared_keys_count(&set, memory.start, memory.size), n);
	free(memory.start);
}

static void test_nonsense_counts_nothing(void **unused)
{
	(void)unused;
	struct memory memory = memory_new(1 << 16);
	struct mz_shared_keys set = {0};
	assert_non_null(mz_shared_keys_add(&set, memory.start, &memory.source, key_of(1)));
	const uint64_t bad[] = {set.table + 1,    memory.size,      memory.size - 8,
	                        memory.size - 16, memory.size + 64, UINT64_MAX - 7};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(mz_shared_keys_count(&(struct mz_shared_keys){bad[i]}, memory.start, memory.size), 0);
	uint64_t much = UINT64_MAX / 16 + 2;
	uint64_t capacity;
	memcpy(&capacity, memory.start + set.table, sizeof capacity);
	memcpy(memory.start + set.table, &much, sizeof much);
	assert_int_equal(mz_shared_keys_count(&set, memory.start, memory.size), 0);
	/* a table that says that it is the one before itself */
	memcpy(memory.start + set.table, &capacity, sizeof capacity);
	memcpy(memory.start + set.table + sizeof capacity, &set.table, sizeof set.table);
	assert_int_equal(mz_shared_keys_count(&set, memory.start, memory.size), 0);
	free(memory.start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_keys_count_once),         cmocka_unit_test(test_a_copy_has_the_same_keys),
	    cmocka_unit_test(test_a_key_is_written_once),   cmocka_unit_test(test_memory_runs_out),
	    cmocka_unit_test(test_nonsense_counts_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
