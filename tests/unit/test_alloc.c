/* SPDX-License-Identifier: MIT
 *
 * base/alloc.h: buffers that grow, and allocations that fail on demand, which is what all tests of failure stand on.
 */
#include "base/alloc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_sizes_of_zero(void **unused)
{
	(void)unused;
	void *block = mz_alloc(0);
	assert_non_null(block);
	block = mz_realloc(block, 0);
	assert_non_null(block);
	mz_free(block);
	mz_free(NULL);
}

static void test_capacity_doubles(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	uint32_t *items = NULL;
	const size_t steps[][2] = {{1, 16}, {16, 16}, {17, 32}, {200, 256}, {3, 256}};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		uint32_t *grown = mz_grow(items, &capacity, steps[i][0], sizeof *items);
		assert_non_null(grown);
		assert_int_equal(capacity, steps[i][1]);
		if (i == 1 || i == 4) assert_ptr_equal(grown, items);
		items = grown;
		items[capacity - 1] = (uint32_t)i; /* it is ours: sanitizers look */
	}
	mz_free(items);
}

static void test_contents_move_with_a_buffer(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	char *bytes = mz_grow(NULL, &capacity, 16, 1);
	memcpy(bytes, "0123456789abcde", 16);
	bytes = mz_grow(bytes, &capacity, 100000, 1);
	assert_string_equal(bytes, "0123456789abcde");
	mz_free(bytes);
}

static void test_more_than_there_can_be(void **unused)
{
	(void)unused;
	size_t capacity = 16;
	char bytes[16];
	assert_null(mz_grow(bytes, &capacity, SIZE_MAX, 8));
	assert_int_equal(capacity, 16);
}

static void test_failure_on_demand(void **unused)
{
	(void)unused;
	mz_alloc_fail_at(3);
	void *first = mz_alloc(1), *second = mz_alloc(1);
	assert_non_null(first);
	assert_non_null(second);
	assert_null(mz_alloc(1));
	assert_null(mz_realloc(first, 100)); /* all after it, too */
	mz_alloc_fail_at(0);
	void *third = mz_alloc(1);
	assert_non_null(third);
	mz_free(first);
	mz_free(second);
	mz_free(third);
}

static void test_what_was_there_survives_failure(void **unused)
{
	(void)unused;
	size_t capacity = 0;
	char *bytes = mz_grow(NULL, &capacity, 1, 1);
	memcpy(bytes, "kept", 5);
	mz_alloc_fail_at(1);
	assert_null(mz_grow(bytes, &capacity, 17, 1));
	mz_alloc_fail_at(0);
	assert_int_equal(capacity, 16);
	assert_string_equal(bytes, "kept");
	mz_free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sizes_of_zero),
	    cmocka_unit_test(test_capacity_doubles),
	    cmocka_unit_test(test_contents_move_with_a_buffer),
	    cmocka_unit_test(test_more_than_there_can_be),
	    cmocka_unit_test(test_failure_on_demand),
	    cmocka_unit_test(test_what_was_there_survives_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
