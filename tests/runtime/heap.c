/* SPDX-License-Identifier: MIT
 *
 * The heap of the program: where blocks go, what their shadow allows, and what comes back of them.
 */
#include "runtime/memory/heap.h"
#include "base/alloc.h"
#include "base/random.h"
#include "runtime/memory/memory.h"
#include "stubs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mz_fiber *thread(uint32_t t)
{
	return &mz_rt.fibers[t];
}

static uint8_t *region_of(uint32_t t)
{
	return (uint8_t *)MZ_LAYOUT_HEAP + t * MZ_LAYOUT_HEAP_WIDE;
}

/* As malloc does it: carves, describes and marks. */
static uint8_t *allocate_aligned(uint32_t t, size_t size, size_t alignment)
{
	uint8_t *start = mz_block_carve(thread(t), size, alignment);
	if (!start) return NULL;
	struct mz_block *block = mz_block_info(start);
	*block = (struct mz_block){.size = size, .allocated_by = (uint16_t)t};
	mz_block_mark_allocated(start, size);
	return start;
}

static uint8_t *allocate(uint32_t t, size_t size)
{
	return allocate_aligned(t, size, 0);
}

static void release(uint8_t *start)
{
	mz_block_info(start)->freed = true;
	mz_block_mark(start, MZ_SHADOW_FREED);
}

static bool allows(const uint8_t *address, size_t size)
{
	return mz_heap_allows((uintptr_t)address, size);
}

/* All regions are empty, as when an execution begins. */
static int reset(void **unused)
{
	(void)unused;
	mz_rt.nfibers = STUB_THREADS;
	if (mz_rt.fibers) mz_heap_restore();
	stub_reset();
	return 0;
}

/* ---- where blocks go ---- */

static void test_regions_depend_on_the_thread_alone(void **unused)
{
	(void)unused;
	uint8_t *third = allocate(3, 1), *first = allocate(0, 1), *next = allocate(3, 1);
	assert_ptr_equal(first, region_of(0) + 16); /* behind a granule that nobody may touch */
	assert_ptr_equal(third, region_of(3) + 16);
	assert_ptr_equal(next, third + MZ_APART);
	assert_ptr_equal(mz_heap_region(next), thread(3));
	assert_true(mz_heap_holds((uintptr_t)next));
	assert_false(mz_heap_holds((uintptr_t)&reset));
}

static void test_blocks_and_gaps_do_not_overlap(void **unused)
{
	(void)unused;
	struct mz_random random = {3};
	uint8_t *last = region_of(1), *end = last;
	for (int i = 0; i < 2000; i++) {
		size_t size = mz_random_below(&random, mz_random_below(&random, 10) ? 200 : 20000);
		size_t alignment = 16UL << (mz_random_below(&random, 8) ? 0 : mz_random_below(&random, 9));
		uint8_t *start = allocate_aligned(1, size, alignment);
		size_t granules = mz_block_granules(size);
		assert_int_equal((uintptr_t)start % alignment, 0);
		assert_true(start >= end + MZ_GRANULE); /* the edge is no part of what was before */
		if (i) assert_true(start >= last + MZ_APART);
		last = start;
		end = start + granules * MZ_GRANULE;
		assert_true(thread(1)->heap.next >= end + MZ_GRANULE * (1 + (granules < 504 ? granules / 8 : 63)));
	}
}

static void test_gaps_grow_with_blocks(void **unused)
{
	(void)unused;
	const size_t sizes[] = {0, 1, 16, 17, 32, 128, 160, 1600, 16000, 100000};
	const size_t gaps[] = {2, 2, 2, 1, 1, 2, 2, 13, 64, 64}; /* granules */
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const uint8_t *start = allocate(2, sizes[i]);
		assert_ptr_equal(thread(2)->heap.next, start + (mz_block_granules(sizes[i]) + gaps[i]) * MZ_GRANULE);
	}
}

static void test_what_does_not_fit(void **unused)
{
	(void)unused;
	assert_null(mz_block_carve(thread(4), MZ_LAYOUT_HEAP_WIDE + 1, 0));
	assert_null(mz_block_carve(thread(4), MZ_LAYOUT_HEAP_WIDE, 0)); /* nor with what is around it */
	assert_null(mz_block_carve(thread(4), 1, 2 * MZ_LAYOUT_HEAP_WIDE));
	assert_non_null(allocate(4, MZ_LAYOUT_HEAP_WIDE / 2));
	assert_null(mz_block_carve(thread(4), MZ_LAYOUT_HEAP_WIDE / 2, 0));
	assert_non_null(mz_block_carve(thread(4), 1, 0));
}

/* Every address of one belongs to its thread. */
static void test_where_regions_are(void **unused)
{
	(void)unused;
	const uint32_t last = MZ_SESSION_THREADS - 1;
	assert_int_equal((uintptr_t)mz_heap_region_base(0), MZ_LAYOUT_HEAP);
	assert_int_equal((uintptr_t)mz_heap_region_base(last) + mz_heap_region_size(last), MZ_LAYOUT_HEAP_END);
	for (uint32_t t = 0; t <= last; t++) {
		const uint8_t *base = mz_heap_region_base(t), *end = base + mz_heap_region_size(t);
		assert_int_equal(mz_heap_region_size(t), t < MZ_LAYOUT_HEAP_NWIDE ? 64UL << 30 : 2UL << 30);
		assert_ptr_equal(mz_heap_region(base), &mz_rt.fibers[t]);
		assert_ptr_equal(mz_heap_region(end - 1), &mz_rt.fibers[t]);
		if (t != last && t + 1 != MZ_LAYOUT_HEAP_NWIDE) assert_ptr_equal(end, mz_heap_region_base(t + 1));
	}
}

/* ---- what is allowed ---- */

static void test_the_shadow_is_exact(void **unused)
{
	(void)unused;
	for (size_t size = 1; size < 100; size++) {
		const uint8_t *start = allocate(1, size);
		for (ptrdiff_t at = -16; at < (ptrdiff_t)size + 16; at++)
			assert_int_equal(allows(start + at, 1), at >= 0 && at < (ptrdiff_t)size);
		assert_int_equal(allows(start, 8), size >= 8);
		if (size % 16) assert_false(allows(start + size - 1, 2));
		assert_int_equal(mz_heap_size((void *)start), size);
		assert_int_equal(mz_heap_size((void *)(start + 16)), 0); /* no block starts there */
	}
}

static void test_what_is_freed_is_not_allowed(void **unused)
{
	(void)unused;
	uint8_t *first = allocate(1, 100), *second = allocate(1, 100);
	release(first);
	for (size_t at = 0; at < 100; at++) assert_false(allows(first + at, 1));
	assert_int_equal(*mz_shadow_of(first), MZ_SHADOW_FREED);
	assert_int_equal(*mz_shadow_of(first + 99), MZ_SHADOW_FREED);
	assert_true(allows(second, 1));
	assert_true(mz_block_starts(first)); /* it stays recognisable */
	assert_int_equal(mz_heap_size(first), 100);
}

static void test_blocks_one_after_another(void **unused)
{
	(void)unused;
	uint8_t *blocks[] = {allocate(1, 5), allocate(1, MZ_LARGE + 3), allocate(1, 0), allocate(1, 5000)};
	release(blocks[3]);
	const uint8_t *at = region_of(1);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(mz_block_next(thread(1), at), blocks[i]);
		at = blocks[i];
	}
	assert_null(mz_block_next(thread(1), at));
}

/* ---- large blocks ---- */

static void test_large_blocks_are_marked_where_they_are_used(void **unused)
{
	(void)unused;
	const size_t size = 4 * MZ_LARGE + 5, part = 65536; /* what a page of the shadow is of */
	uint8_t *start = allocate(1, size);
	assert_ptr_equal(mz_large_at(start), start);
	assert_ptr_equal(mz_large_at(start + size - 1), start);
	assert_null(mz_large_at(start - 1));
	assert_null(mz_large_at(start + mz_block_granules(size) * MZ_GRANULE));
	uint8_t *there = (uint8_t *)((uintptr_t)(start + 2 * MZ_LARGE) & -part);
	assert_false(allows(there, 1));
	assert_true(mz_large_use(there + 100));
	assert_true(allows(there, 16) && allows(there + part - 1, 1));
	assert_int_equal(*mz_shadow_of(there - 16), 0);
	assert_int_equal(*mz_shadow_of(there + part), 0);
	assert_true(mz_large_use(start + size - 1));
	assert_true(allows(start + size - 1, 1));
	assert_false(allows(start + size, 1)); /* five bytes of its last granule */
	release(start);
	assert_false(allows(there, 1));
	assert_false(mz_large_use(there));
}

/* ---- lists of freed blocks ---- */

static void test_last_freed_first_used(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	uint8_t *a = region_of(0) + 64, *b = region_of(0) + 128, *c = region_of(0) + 192;
	mz_heap_list_push(7, a);
	mz_heap_list_push(2, b);
	mz_heap_list_push(7, c);
	assert_int_equal(mz_heap_list_count(7), 2);
	assert_int_equal(mz_heap_list_count(3), 0);
	mz_heap_lists_store(&state);
	assert_ptr_equal(mz_heap_list_pop(7), c);
	assert_ptr_equal(mz_heap_list_pop(7), a);
	mz_heap_list_push(9, a);
	mz_heap_lists_load(&state);
	assert_int_equal(mz_heap_list_count(9), 0);
	assert_int_equal(mz_heap_list_count(7), 2);
	assert_ptr_equal(mz_heap_list_pop(7), c);
	assert_ptr_equal(mz_heap_list_pop(2), b);
	mz_heap_lists_reset();
	assert_int_equal(mz_heap_list_count(7), 0);
	mz_free(state.bytes);
}

/* ---- executions and states ---- */

static void test_an_execution_begins_with_nothing(void **unused)
{
	(void)unused;
	uint8_t *small = allocate(1, 100), *large = allocate(1, 2 * MZ_LARGE), *last = allocate(1, 100);
	memset(small, 1, 100);
	memset(large, 2, 2 * MZ_LARGE);
	mz_large_use(large);
	mz_heap_restore();
	assert_false(mz_block_starts(small));
	assert_null(mz_large_at(large));
	assert_ptr_equal(mz_block_carve(thread(1), 100, 0), small); /* at the same address as before */
	assert_ptr_equal(allocate(1, 2 * MZ_LARGE), large);
	assert_int_equal(*mz_shadow_of(large), 0);
	for (size_t i = 0; i < 100; i++) assert_int_equal(small[i], 0);
	for (size_t i = 0; i < 2 * MZ_LARGE; i += 1000) assert_int_equal(large[i], 0);
	assert_ptr_equal(mz_block_carve(thread(1), 100, 0), last);
}

static void test_states_come_back(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	uint8_t *first = allocate(0, 40), *large = allocate(2, MZ_LARGE), *freed = allocate(2, 20);
	memset(first, 7, 40);
	large[MZ_LARGE - 1] = 8;
	mz_large_use(large + MZ_LARGE - 1);
	release(freed);
	mz_heap_store(&state);
	release(first);
	memset(first, 9, 40);
	uint8_t *later = allocate(2, 20), *another = allocate(5, MZ_LARGE);
	memset(later, 1, 20);
	large[MZ_LARGE - 1] = large[0] = 1;
	mz_heap_load(&state);
	assert_int_equal(state.at, state.size);
	assert_true(allows(first, 8) && !mz_block_info(first)->freed);
	assert_int_equal(first[39], 7);
	assert_int_equal(large[MZ_LARGE - 1], 8);
	assert_int_equal(large[0], 0);
	assert_true(allows(large + MZ_LARGE - 1, 1));
	assert_true(mz_block_info(freed)->freed);
	assert_false(mz_block_starts(later));
	assert_null(mz_large_at(another));
	assert_ptr_equal(allocate(2, 20), later);
	assert_int_equal(later[0], 0);
	mz_free(state.bytes);
}

static bool same_identity(struct mz_state *then)
{
	struct mz_state now = {0};
	mz_heap_identity(&now);
	bool same = now.size == then->size && memcmp(now.bytes, then->bytes, now.size) == 0;
	mz_free(now.bytes);
	return same;
}

static void test_what_tells_states_apart(void **unused)
{
	(void)unused;
	struct mz_state then = {0};
	uint8_t *block = allocate(1, 50);
	memset(block, 3, 50);
	mz_heap_identity(&then);
	struct mz_key hash = mz_heap_hash();
	mz_block_info(block)->allocated_by = 2; /* for reports alone */
	mz_block_info(block)->allocated_at = 99;
	assert_true(same_identity(&then));
	block[20] = 4;
	assert_false(same_identity(&then));
	block[20] = 3;
	mz_block_info(block)->family = MZ_HEAP_NEW;
	assert_false(same_identity(&then));
	struct mz_key other = mz_heap_hash();
	assert_memory_not_equal(&hash, &other, sizeof hash);
	mz_block_info(block)->family = MZ_HEAP_MALLOC;
	assert_true(same_identity(&then));
	allocate(1, 1);
	assert_false(same_identity(&then));
	mz_free(then.bytes);
}

/* Last of all: what is in the image stays. */
static void test_what_was_there_before_the_first_execution(void **unused)
{
	(void)unused;
	uint8_t *kept = allocate(0, 30);
	memset(kept, 5, 30);
	mz_heap_save();
	assert_int_equal(stub_nimage, 3);
	assert_int_equal(stub_image[0].low, (uintptr_t)region_of(0));
	assert_int_equal(stub_image[0].high, (uintptr_t)thread(0)->heap.next);
	assert_int_equal(stub_image[1].low, MZ_LAYOUT_SHADOW);
	assert_int_equal(stub_image[2].low, MZ_LAYOUT_BLOCKS);
	uint8_t *later = allocate(0, 30);
	mz_heap_restore();
	assert_true(mz_block_starts(kept));
	assert_int_equal(kept[29], 5);
	assert_false(mz_block_starts(later));
	assert_ptr_equal(allocate(0, 30), later);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_regions_depend_on_the_thread_alone, reset),
	    cmocka_unit_test_setup(test_blocks_and_gaps_do_not_overlap, reset),
	    cmocka_unit_test_setup(test_gaps_grow_with_blocks, reset),
	    cmocka_unit_test_setup(test_what_does_not_fit, reset),
	    cmocka_unit_test_setup(test_where_regions_are, reset),
	    cmocka_unit_test_setup(test_the_shadow_is_exact, reset),
	    cmocka_unit_test_setup(test_what_is_freed_is_not_allowed, reset),
	    cmocka_unit_test_setup(test_blocks_one_after_another, reset),
	    cmocka_unit_test_setup(test_large_blocks_are_marked_where_they_are_used, reset),
	    cmocka_unit_test_setup(test_last_freed_first_used, reset),
	    cmocka_unit_test_setup(test_an_execution_begins_with_nothing, reset),
	    cmocka_unit_test_setup(test_states_come_back, reset),
	    cmocka_unit_test_setup(test_what_tells_states_apart, reset),
	    cmocka_unit_test_setup(test_what_was_there_before_the_first_execution, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
