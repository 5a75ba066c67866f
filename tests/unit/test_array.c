/* SPDX-License-Identifier: MIT
 *
 * base/array.h: arrays that grow, and stay as they were where there is no memory.
 */
#include "base/alloc.h"
#include "base/array.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_capacity_doubles(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	uint32_t *items = NULL;
	const size_t steps[][2] = {{0, 0}, {1, 16}, {16, 16}, {17, 32}, {200, 256}, {3, 256}};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		const uint32_t *before = items;
		assert_true(mz_array_reserve(&items, &capacity, steps[i][0]));
		assert_int_equal(capacity, steps[i][1]);
		if (i == 0 || i == 2 || i == 5) assert_ptr_equal(items, before);
		if (capacity) items[capacity - 1] = (uint32_t)i; /* it is ours: sanitizers look */
	}
	mz_free(items);
}

static void test_items_move_with_an_array(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	char *bytes = NULL;
	assert_true(mz_array_reserve(&bytes, &capacity, 16));
	memcpy(bytes, "0123456789abcde", 16);
	assert_true(mz_array_reserve(&bytes, &capacity, 100000));
	assert_string_equal(bytes, "0123456789abcde");
	mz_free(bytes);
}

static void test_more_than_there_can_be(void **unused)
{
	(void)unused;
	size_t capacity = 16;
	uint64_t words[16], *array = words;
	assert_false(mz_array_reserve(&array, &capacity, SIZE_MAX));
	assert_int_equal(capacity, 16);
	assert_ptr_equal(array, words);
}

static void test_what_was_there_survives_failure(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	char *bytes = NULL;
	assert_true(mz_array_reserve(&bytes, &capacity, 1));
	memcpy(bytes, "kept", 5);
	mz_alloc_fail_at(1);
	assert_false(mz_array_reserve(&bytes, &capacity, 17));
	mz_alloc_fail_at(0);
	assert_int_equal(capacity, 16);
	assert_string_equal(bytes, "kept");
	mz_free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_capacity_doubles),
	    cmocka_unit_test(test_items_move_with_an_array),
	    cmocka_unit_test(test_more_than_there_can_be),
	    cmocka_unit_test(test_what_was_there_survives_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
