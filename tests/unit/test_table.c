/* SPDX-License-Identifier: MIT
 *
 * base/table.h and base/keyset.h: tables against arrays that hold the same, and without memory.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/keyset.h"
#include "base/random.h"
#include "base/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIRST 64          /* slots of a table that has just got memory */
#define FULL (FIRST / 2U) /* entries that they hold */

/* ---- words as keys ---- */

static void test_table_finds_what_was_added(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	assert_int_equal(mz_table_find(&table, mz_mix(0)), 0);
	for (uint64_t n = 1; n <= 10000; n++) assert_true(mz_table_add(&table, mz_mix(n << 40), n));
	assert_int_equal(table.count, 10000);
	assert_int_equal(table.capacity, 32768); /* the least power of two that is half free */
	for (uint64_t n = 1; n <= 10000; n++) {
		assert_int_equal(mz_table_find(&table, mz_mix(n << 40)), n);
		assert_int_equal(mz_table_find(&table, mz_mix((n << 40) + 1)), 0);
	}
	mz_table_release(&table);
	assert_int_equal(mz_table_find(&table, mz_mix(1ULL << 40)), 0);
}

static void test_values_are_pointers_too(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	assert_true(mz_table_add(&table, 0, (uintptr_t)&table));
	assert_true(mz_table_add(&table, UINT64_MAX, UINT64_MAX));
	assert_ptr_equal((void *)(uintptr_t)mz_table_find(&table, 0), &table);
	assert_true(mz_table_find(&table, UINT64_MAX) == UINT64_MAX);
	mz_table_release(&table);
}

/* ---- hashes that several keys have ---- */

static const char *const names[] = {"a", "b", "ab", "ba", "aba"};

static bool is_named(const void *name, uint64_t value)
{
	return strcmp(names[value - 1], name) == 0;
}

/* All begin at the last slot: those that do not fit there go on at the first. Another hash that begins there too is
 * none of them. */
static void test_equal_hashes_are_told_apart_by_the_owner(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	for (uint64_t n = 1; n <= 5; n++) {
		assert_int_equal(mz_table_find_equal(&table, FIRST - 1, is_named, names[n - 1]), 0);
		assert_true(mz_table_add(&table, FIRST - 1, n));
	}
	for (uint64_t n = 1; n <= 5; n++) {
		assert_int_equal(mz_table_find_equal(&table, FIRST - 1, is_named, names[n - 1]), n);
		assert_int_equal(mz_table_find_equal(&table, 2 * FIRST - 1, is_named, names[n - 1]), 0);
	}
	assert_int_equal(table.capacity, FIRST);
	assert_int_equal(mz_table_find_equal(&table, FIRST - 1, is_named, "bab"), 0);
	mz_table_release(&table);
}

/* ---- no memory ---- */

static void test_table_without_memory(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	mz_alloc_fail_at(1);
	assert_false(mz_table_add(&table, 1, 1));
	assert_int_equal(mz_table_find_or_add(&table, 1, 1), 0);
	mz_alloc_fail_at(0);
	for (uint64_t n = 1; n <= FULL; n++) assert_true(mz_table_add(&table, n, n));
	mz_alloc_fail_at(1);
	assert_false(mz_table_add(&table, FIRST, FIRST));
	assert_int_equal(mz_table_find_or_add(&table, FIRST, FIRST), 0);
	mz_alloc_fail_at(0);
	assert_int_equal(table.count, FULL);
	for (uint64_t n = 1; n <= FULL; n++) assert_int_equal(mz_table_find(&table, n), n);
	assert_int_equal(mz_table_find(&table, FIRST), 0);
	assert_int_equal(mz_table_find_or_add(&table, FIRST, FIRST), FIRST);
	mz_table_release(&table);
}

/* ---- tables that are cleared ---- */

static void test_cleared_table_against_an_array(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	struct mz_random random = {3};
	for (int filling = 0; filling < 200; filling++) {
		uint32_t values[128] = {0};
		size_t count = 0;
		for (uint32_t value = 1; value <= 300; value++) {
			uint32_t key = mz_random_below(&random, 1U << (filling % 8));
			assert_int_equal(mz_table_find(&table, mz_mix(key)), values[key]);
			count += !values[key];
			if (!values[key]) values[key] = value;
			assert_int_equal(mz_table_find_or_add(&table, mz_mix(key), value), values[key]);
		}
		assert_int_equal(table.count, count);
		mz_table_clear(&table);
		assert_int_equal(table.count, 0);
	}
	mz_table_release(&table);
}

/* The memory of a table that is cleared is kept, and what had been in it is not there when the table grows. */
static void test_cleared_table_keeps_its_memory(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	for (uint64_t n = 1; n <= FULL; n++) assert_true(mz_table_add(&table, n, n));
	mz_table_clear(&table);
	mz_alloc_fail_at(1);
	for (uint64_t n = 1; n <= FULL; n++) assert_true(mz_table_add(&table, n << 20, n));
	mz_alloc_fail_at(0);
	assert_true(mz_table_add(&table, 0, MZ_TABLE_NUMBERS - 1));
	assert_int_equal(table.capacity, 2 * FIRST);
	for (uint64_t n = 1; n <= FULL; n++) {
		assert_int_equal(mz_table_find(&table, n), 0);
		assert_int_equal(mz_table_find(&table, n << 20), n);
	}
	assert_int_equal(mz_table_find(&table, 0), MZ_TABLE_NUMBERS - 1);
	mz_table_release(&table);
}

/* After 2^32 clearings `floor` begins again: what was left by a filling with the same floor is not there. */
static void test_floor_begins_again(void **unused)
{
	(void)unused;
	struct mz_table table = {0};
	assert_true(mz_table_add(&table, 1, 10));
	table.floor = UINT64_MAX - 2 * MZ_TABLE_NUMBERS + 1;
	assert_true(mz_table_add(&table, 2, 20));
	assert_int_equal(mz_table_find(&table, 2), 20);
	mz_table_clear(&table);
	assert_true(table.floor < MZ_TABLE_NUMBERS);
	assert_int_equal(mz_table_find(&table, 1), 0);
	assert_int_equal(mz_table_find(&table, 2), 0);
	assert_int_equal(mz_table_find_or_add(&table, 1, 30), 30);
	mz_table_release(&table);
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
		assert_int_equal(mz_keyset_count(&set), 2000);
	}
	mz_keyset_release(&set);
	assert_int_equal(mz_keyset_count(&set), 0);
}

static void test_keys_of_zeros(void **unused)
{
	(void)unused;
	struct mz_keyset set = {0};
	assert_true(add(&set, 0, 0));
	assert_false(add(&set, 0, 0));
	assert_int_equal(mz_keyset_count(&set), 1);
	assert_true(add(&set, 0, 1));
	assert_true(add(&set, 1, 0));
	assert_false(add(&set, 0, 1));
	assert_false(add(&set, 1, 0));
	assert_int_equal(mz_keyset_count(&set), 3);
	mz_keyset_release(&set);
}

static void test_set_without_memory(void **unused)
{
	(void)unused;
	struct mz_keyset set = {0};
	bool added;
	for (uint64_t n = 1; n <= FULL; n++) assert_true(add(&set, n, n));
	mz_alloc_fail_at(1);
	assert_false(mz_keyset_add(&set, (struct mz_key){99, 99}, &added));
	mz_alloc_fail_at(0);
	assert_int_equal(mz_keyset_count(&set), FULL);
	assert_true(add(&set, 99, 99));
	assert_false(add(&set, 1, 1));
	mz_keyset_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_table_finds_what_was_added),
	    cmocka_unit_test(test_values_are_pointers_too),
	    cmocka_unit_test(test_equal_hashes_are_told_apart_by_the_owner),
	    cmocka_unit_test(test_table_without_memory),
	    cmocka_unit_test(test_cleared_table_against_an_array),
	    cmocka_unit_test(test_cleared_table_keeps_its_memory),
	    cmocka_unit_test(test_floor_begins_again),
	    cmocka_unit_test(test_keys_are_added_once),
	    cmocka_unit_test(test_keys_of_zeros),
	    cmocka_unit_test(test_set_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
