/* SPDX-License-Identifier: MIT
 *
 * base/alloc.h: allocations that fail on demand, which is what all tests of failure stand on.
 */
#include "base/alloc.h"
#include <setjmp.h>
#include <stdarg.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sizes_of_zero),
	    cmocka_unit_test(test_failure_on_demand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
