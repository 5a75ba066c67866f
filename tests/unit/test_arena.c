/* SPDX-License-Identifier: MIT
 *
 * base/arena.h and base/pool.h: blocks that do not overlap, do not move, and come back as it says.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/pool.h"
#include "base/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CHUNK 65536 /* what an arena asks for at a time, if not more is needed */

static void test_blocks_are_aligned_and_apart(void **unused)
{
	(void)unused;
	struct mz_arena arena = {0};
	char *last = NULL;
	for (size_t size = 0; size < 100; size++) {
		char *block = mz_arena_take(&arena, size);
		assert_int_equal((uintptr_t)block % 16, 0);
		if (last) assert_ptr_equal(block, last + (size - 1 + 15) / 16 * 16); /* dense */
		memset(block, (int)size, size);
		last = block;
	}
	mz_arena_release(&arena);
	assert_null(arena.first);
}

static void test_going_back(void **unused)
{
	(void)unused;
	struct mz_arena arena = {0};
	char *kept = mz_arena_take(&arena, 100);
	memcpy(kept, "kept", 5);
	struct mz_arena_mark mark = mz_arena_mark(&arena);
	char *first = mz_arena_take(&arena, 50), *far = mz_arena_take(&arena, 3 * (size_t)CHUNK);
	mz_arena_rewind(&arena, mark);
	mz_alloc_fail_at(1); /* memory was kept: nothing is asked for */
	assert_ptr_equal(mz_arena_take(&arena, 50), first);
	assert_ptr_equal(mz_arena_take(&arena, 3 * (size_t)CHUNK), far);
	assert_null(mz_arena_take(&arena, 1));
	mz_alloc_fail_at(0);
	assert_string_equal(kept, "kept");
	mz_arena_release(&arena);
}

static void test_chunks_that_are_too_small_are_skipped(void **unused)
{
	(void)unused;
	struct mz_arena arena = {0};
	const struct mz_arena_mark start = mz_arena_mark(&arena);
	char *small = mz_arena_take(&arena, CHUNK), *large = mz_arena_take(&arena, 2 * (size_t)CHUNK);
	mz_arena_rewind(&arena, start);
	assert_ptr_equal(mz_arena_take(&arena, CHUNK + 1), large);
	mz_arena_rewind(&arena, start);
	assert_ptr_equal(mz_arena_take(&arena, CHUNK), small);
	mz_arena_release(&arena);
}

static void test_an_arena_without_memory(void **unused)
{
	(void)unused;
	struct mz_arena arena = {0};
	mz_alloc_fail_at(1);
	assert_null(mz_arena_take(&arena, 1));
	mz_alloc_fail_at(0);
	assert_non_null(mz_arena_take(&arena, 1));
	mz_arena_release(&arena);
}

/* ---- pools ---- */

static void test_last_given_first_taken(void **unused)
{
	(void)unused;
	struct mz_pool pool = {0};
	void *a = mz_pool_take(&pool, 40), *b = mz_pool_take(&pool, 64);
	mz_pool_give(&pool, a, 40);
	mz_pool_give(&pool, b, 64); /* of the same class: up to 64 */
	assert_ptr_equal(mz_pool_take(&pool, 33), b);
	assert_ptr_equal(mz_pool_take(&pool, 64), a);
	mz_pool_release(&pool);
}

static void test_classes_do_not_mix(void **unused)
{
	(void)unused;
	struct mz_pool pool = {0};
	const size_t sizes[] = {0, 32, 33, 64, 65, 1024, 1025, 2048, 2049, 4096, 5000, 100000};
	const int classes[] = {1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 8};
	enum { N = sizeof sizes / sizeof *sizes };
	for (int i = 0; i < N; i++) {
		void *block = mz_pool_take(&pool, sizes[i]);
		for (int k = 0; k < N; k++) {
			mz_pool_give(&pool, block, sizes[i]);
			void *other = mz_pool_take(&pool, sizes[k]);
			assert_int_equal(other == block, classes[i] == classes[k]);
			if (other != block) assert_ptr_equal(mz_pool_take(&pool, sizes[i]), block);
		}
	}
	mz_pool_release(&pool);
}

/* Blocks in use hold what was written there, whatever is taken and given meanwhile. */
static void test_blocks_in_use_are_left_alone(void **unused)
{
	(void)unused;
	struct mz_pool pool = {0};
	struct mz_random random = {7};
	struct {
		uint8_t *block;
		size_t size;
		uint8_t fill;
	} used[64] = {{0}};
	for (int i = 0; i < 20000; i++) {
		unsigned n = mz_random_below(&random, 64);
		if (used[n].block) {
			for (size_t k = 0; k < used[n].size; k++) assert_int_equal(used[n].block[k], used[n].fill);
			mz_pool_give(&pool, used[n].block, used[n].size);
			used[n].block = NULL;
		} else {
			used[n].size = mz_random_below(&random, mz_random_below(&random, 8) ? 100 : 5000);
			used[n].fill = (uint8_t)i;
			used[n].block = mz_pool_take(&pool, used[n].size);
			assert_non_null(used[n].block);
			memset(used[n].block, used[n].fill, used[n].size);
		}
	}
	mz_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blocks_are_aligned_and_apart),
	    cmocka_unit_test(test_going_back),
	    cmocka_unit_test(test_chunks_that_are_too_small_are_skipped),
	    cmocka_unit_test(test_an_arena_without_memory),
	    cmocka_unit_test(test_last_given_first_taken),
	    cmocka_unit_test(test_classes_do_not_mix),
	    cmocka_unit_test(test_blocks_in_use_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
