/* SPDX-License-Identifier: MIT
 *
 * base/map.h and base/scratch.h: tables with open addressing, against arrays that hold the same, and without memory.
 */
#include "base/alloc.h"
#include "base/map.h"
#include "base/random.h"
#include "base/scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIRST 64 /* places of a table that has just got memory; it is at most half full */

static void test_map_finds_what_was_added(void **unused)
{
	(void)unused;
	struct mz_map map = {0};
	assert_int_equal(mz_map_find(&map, 0), MZ_MAP_NONE);
	for (uint32_t n = 0; n < 10000; n++) assert_true(mz_map_add(&map, (uint64_t)n << 40, n));
	assert_int_equal(map.count, 10000);
	assert_int_equal(map.capacity, 32768); /* the least power of two that is half empty */
	for (uint32_t n = 0; n < 10000; n++) {
		assert_int_equal(mz_map_find(&map, (uint64_t)n << 40), n);
		assert_int_equal(mz_map_find(&map, ((uint64_t)n << 40) + 1), MZ_MAP_NONE);
	}
	mz_map_release(&map);
	assert_int_equal(mz_map_find(&map, 0), MZ_MAP_NONE);
}

static void test_map_without_memory(void **unused)
{
	(void)unused;
	struct mz_map map = {0};
	mz_alloc_fail_at(1);
	assert_false(mz_map_add(&map, 1, 1));
	mz_alloc_fail_at(0);
	for (uint32_t n = 0; n < FIRST / 2; n++) assert_true(mz_map_add(&map, n, n));
	mz_alloc_fail_at(1);
	assert_false(mz_map_add(&map, FIRST, FIRST));
	mz_alloc_fail_at(0);
	assert_int_equal(map.count, FIRST / 2);
	for (uint32_t n = 0; n < FIRST / 2; n++) assert_int_equal(mz_map_find(&map, n), n);
	mz_map_release(&map);
}

/* ---- sets of keys ---- */

static bool add(struct mz_keyset *set, uint64_t low, uint64_t high)
{
	bool added;
	assert_true(mz_keyset_add(set, (struct mz_key){low, high}, &added));
	return added;
}

/* Those of the first kind all begin to look at one place. */
static void test_keys_are_added_once(void **unused)
{
	(void)unused;
	struct mz_keyset set = {0};
	for (int round = 0; round < 2; round++) {
		for (uint64_t n = 1; n <= 1000; n++) {
			assert_int_equal(add(&set, 5, n), round == 0);
			assert_int_equal(add(&set, n, 0), round == 0);
		}
		assert_int_equal(set.count, 2000);
	}
	mz_keyset_release(&set);
}

static void test_the_key_zero(void **unused)
{
	(void)unused;
	struct mz_keyset set = {0};
	assert_true(add(&set, 0, 0));
	assert_false(add(&set, 0, 0));
	assert_int_equal(set.count, 1);
	assert_int_equal(set.capacity, 0); /* an empty place looks like it: it takes none */
	assert_true(add(&set, 0, 1));
	assert_true(add(&set, 1, 0));
	assert_int_equal(set.count, 3);
	mz_keyset_release(&set);
}

static void test_set_without_memory(void **unused)
{
	(void)unused;
	struct mz_keyset set = {0};
	bool added;
	for (uint64_t n = 1; n <= FIRST / 2; n++) assert_true(add(&set, n, n));
	mz_alloc_fail_at(1);
	assert_false(mz_keyset_add(&set, (struct mz_key){99, 99}, &added));
	mz_alloc_fail_at(0);
	assert_int_equal(set.count, FIRST / 2);
	assert_true(add(&set, 99, 99));
	assert_false(add(&set, 1, 1));
	mz_keyset_release(&set);
}

/* ---- maps that are emptied ---- */

static void test_scratch_against_an_array(void **unused)
{
	(void)unused;
	struct mz_scratch scratch = {0};
	struct mz_random random = {3};
	for (int filling = 0; filling < 200; filling++) {
		uint32_t values[128];
		bool known[128] = {false};
		size_t count = 0;
		mz_scratch_clear(&scratch);
		for (int i = 0; i < 300; i++) {
			uint32_t key = mz_random_below(&random, 1U << (filling % 8)), value = (uint32_t)i;
			uint32_t *at = mz_scratch_at(&scratch, key * 0x100000000ULL, value);
			assert_non_null(at);
			if (!known[key]) values[key] = value;
			count += !known[key];
			known[key] = true;
			assert_int_equal(*at, values[key]);
			if (i % 3 == 0) values[key] = *at = value;
		}
		assert_int_equal(scratch.count, count);
	}
	mz_scratch_release(&scratch);
}

/* After so many fillings their numbers begin again: what was left by one with the same number is not there. */
static void test_scratch_numbers_wrap_around(void **unused)
{
	(void)unused;
	struct mz_scratch scratch = {0};
	mz_scratch_clear(&scratch);
	assert_int_equal(*mz_scratch_at(&scratch, 1, 10), 10);
	const uint32_t filling = scratch.filling;
	scratch.filling = UINT32_MAX;
	mz_scratch_clear(&scratch);
	for (uint32_t n = 0; n <= filling; n++, mz_scratch_clear(&scratch))
		assert_int_equal(*mz_scratch_at(&scratch, 1, 20 + n), 20 + n);
	mz_scratch_release(&scratch);
}

static void test_scratch_without_memory(void **unused)
{
	(void)unused;
	struct mz_scratch scratch = {0};
	mz_scratch_clear(&scratch);
	for (uint32_t n = 0; n < FIRST / 2; n++) assert_non_null(mz_scratch_at(&scratch, n, n));
	mz_alloc_fail_at(1);
	assert_null(mz_scratch_at(&scratch, FIRST, 0));
	mz_alloc_fail_at(0);
	assert_int_equal(scratch.count, FIRST / 2);
	assert_non_null(mz_scratch_at(&scratch, FIRST, 7));
	for (uint32_t n = 0; n < FIRST / 2; n++) assert_int_equal(*mz_scratch_at(&scratch, n, 1000), n);
	mz_scratch_release(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_map_finds_what_was_added),    cmocka_unit_test(test_map_without_memory),
	    cmocka_unit_test(test_keys_are_added_once),         cmocka_unit_test(test_the_key_zero),
	    cmocka_unit_test(test_set_without_memory),          cmocka_unit_test(test_scratch_against_an_array),
	    cmocka_unit_test(test_scratch_numbers_wrap_around), cmocka_unit_test(test_scratch_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
