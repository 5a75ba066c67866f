/* SPDX-License-Identifier: MIT
 *
 * States as bytes, and the mirror that lets them share what is equal: what is loaded is what was stored, whatever was
 * stored, loaded and dropped in between.
 */
#include "base/alloc.h"
#include "base/chunks.h"
#include "base/random.h"
#include "runtime/core/state.h"
#include "stubs.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MUCH ((size_t)1 << 30)

/* ---- bytes ---- */

static void test_first_in_first_out(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	for (uint32_t n = 0; n < 1000; n++) {
		uint8_t bytes[100];
		memset(bytes, (int)n, sizeof bytes);
		mz_state_put(&state, &n, sizeof n);
		mz_state_put(&state, bytes, n % 100);
	}
	assert_int_equal(state.size, 1000 * 4 + 10 * (99 * 100 / 2));
	for (uint32_t n = 0; n < 1000; n++) {
		uint32_t got;
		mz_state_get(&state, &got, sizeof got);
		assert_int_equal(got, n);
		const uint8_t *bytes = mz_state_next(&state, n % 100);
		for (uint32_t i = 0; i < n % 100; i++) assert_int_equal(bytes[i], n & 0xff);
	}
	assert_int_equal(state.at, state.size);
	mz_free(state.bytes);
}

static void test_memory_without_a_mirror(void **unused)
{
	(void)unused;
	struct mz_state state = {0};
	char memory[] = "some memory";
	mz_state_put_memory(&state, memory, sizeof memory, 5, true);
	assert_int_equal(state.size, sizeof memory); /* all of it */
	memset(memory, 'x', sizeof memory);
	mz_state_get_memory(&state, memory, sizeof memory, 5, true);
	assert_string_equal(memory, "some memory");
	mz_state_align(&state); /* there is nothing to be gained */
	assert_int_equal(state.size, sizeof memory);
	mz_free(state.bytes);
}

static void test_alignment_with_a_mirror(void **unused)
{
	(void)unused;
	struct mz_state state = {.mirror = mz_mirror()};
	mz_state_align(&state);
	assert_int_equal(state.size, 0);
	mz_state_put(&state, "abc", 3);
	mz_state_align(&state);
	assert_int_equal(state.size, MZ_CHUNK_SIZE);
	for (size_t i = 3; i < state.size; i++) assert_int_equal(state.bytes[i], 0);
	mz_state_put(&state, "d", 1);
	mz_state_next(&state, 3);
	mz_state_skip_to_aligned(&state);
	assert_int_equal(*(const char *)mz_state_next(&state, 1), 'd');
	mz_free(state.bytes);
}

/* ---- mirrors ---- */

/* Memory of a program: a part that all threads see, two stacks, one of which is sometimes empty. */
static uint8_t shared[1000], stack[2][3000];

struct memory {
	uint8_t shared[1000], stack[2][3000];
	size_t size;    /* of the second stack */
	size_t dead[2]; /* bytes of stacks that mean nothing */
	char bytes[40]; /* what is put byte by byte */
	uint32_t handle;
};

static void copy_now(struct memory *now)
{
	memcpy(now->shared, shared, sizeof shared);
	memcpy(now->stack, stack, sizeof stack);
}

static uint32_t keep_within(const struct memory *now, size_t most)
{
	struct mz_mirror *mirror = mz_mirror();
	mz_mirror_begin(mirror);
	mz_mirror_put(mirror, shared, sizeof shared, 0, true);
	mz_mirror_put(mirror, stack[0], sizeof stack[0], now->dead[0], false);
	mz_mirror_put(mirror, stack[1], now->size, now->dead[1], false);
	return mz_mirror_keep(mirror, now->bytes, sizeof now->bytes, most);
}

static void load(const struct memory *then)
{
	struct mz_mirror *mirror = mz_mirror();
	assert_memory_equal(mz_mirror_open(mirror, then->handle), then->bytes, sizeof then->bytes);
	mz_mirror_get(mirror, shared, sizeof shared, 0, true);
	mz_mirror_get(mirror, stack[0], sizeof stack[0], then->dead[0], false);
	mz_mirror_get(mirror, stack[1], then->size, then->dead[1], false);
}

static void assert_is(const struct memory *then)
{
	assert_memory_equal(shared, then->shared, sizeof shared);
	assert_memory_equal(stack[0] + then->dead[0], then->stack[0] + then->dead[0], sizeof stack[0] - then->dead[0]);
	assert_memory_equal(stack[1] + then->dead[1], then->stack[1] + then->dead[1], then->size - then->dead[1]);
}

static void scribble(struct mz_random *random, uint8_t *bytes, size_t size)
{
	for (uint32_t n = mz_random_below(random, 4); n; n--)
		bytes[mz_random_below(random, (uint32_t)size)] = (uint8_t)mz_random_below(random, 3);
}

/* Makes something of the memory there is, and keeps that. */
static void keep_another(struct mz_random *random, struct memory *now)
{
	scribble(random, shared, sizeof shared);
	for (int i = 0; i < 2; i++) {
		scribble(random, stack[i], sizeof stack[i]);
		now->dead[i] = mz_random_below(random, 2) ? mz_random_below(random, 700) : 0;
	}
	now->size = mz_random_below(random, 3) ? 700 + mz_random_below(random, 2300) : 0;
	if (!now->size) now->dead[1] = 0;
	for (size_t i = 0; i < sizeof now->bytes; i++) now->bytes[i] = (char)mz_random_below(random, 2);
	copy_now(now);
	now->handle = keep_within(now, MUCH);
	assert_int_not_equal(now->handle, MZ_NO_HANDLE);
}

static void test_what_was_stored_is_loaded(void **unused)
{
	(void)unused;
	static struct memory kept[30];
	struct mz_random random = {2};
	for (int i = 0; i < 30; i++) keep_another(&random, &kept[i]);
	for (int i = 0; i < 3000; i++) {
		struct memory *one = &kept[mz_random_below(&random, 30)];
		load(one);
		assert_is(one);
		if (mz_random_below(&random, 3)) continue;
		one = &kept[mz_random_below(&random, 30)];
		mz_mirror_drop(mz_mirror(), one->handle);
		keep_another(&random, one);
	}
	for (int i = 0; i < 30; i++) mz_mirror_drop(mz_mirror(), kept[i].handle);
}

static void test_what_is_dead_stays_and_counts_as_zero(void **unused)
{
	(void)unused;
	struct memory now = {.size = 3000};
	memset(shared, 1, sizeof shared);
	memset(stack, 2, sizeof stack);
	mz_mirror_drop(mz_mirror(), keep_within(&now, MUCH)); /* all of it was alive once */
	now.dead[0] = 600;
	copy_now(&now);
	now.handle = keep_within(&now, MUCH);
	size_t memory = mz_mirror_memory(mz_mirror());
	memset(stack[0], 3, 600);
	uint32_t again = keep_within(&now, MUCH);
	assert_in_range(mz_mirror_memory(mz_mirror()) - memory, 1,
	                64); /* all chunks are shared: it is a list of them */
	memset(stack[0], 4, sizeof stack[0]);
	load(&now);
	for (size_t i = 0; i < sizeof stack[0]; i++) assert_int_equal(stack[0][i], i < 600 ? 4 : 2);
	now.dead[0] = 0;
	load(&now);
	for (size_t i = 0; i < sizeof stack[0]; i++) assert_int_equal(stack[0][i], i < 600 ? 0 : 2);
	mz_mirror_drop(mz_mirror(), now.handle);
	mz_mirror_drop(mz_mirror(), again);
}

static void test_what_is_dropped_takes_nothing(void **unused)
{
	(void)unused;
	struct memory now = {.size = 3000};
	memset(stack, 0, sizeof stack);
	memset(shared, 0, sizeof shared);
	uint32_t first = keep_within(&now, MUCH), handles[20];
	size_t before = mz_mirror_memory(mz_mirror());
	for (int i = 0; i < 20; i++) {
		memset(stack[1], i + 1, sizeof stack[1]);
		handles[i] = keep_within(&now, MUCH);
	}
	assert_true(mz_mirror_memory(mz_mirror()) >= before + 20 * MZ_CHUNK_SIZE);
	for (int i = 0; i < 20; i++) mz_mirror_drop(mz_mirror(), handles[i]);
	memset(stack[1], 0, sizeof stack[1]);
	uint32_t again = keep_within(&now, MUCH); /* what the mirror itself holds is of the last one stored */
	mz_mirror_drop(mz_mirror(), again);
	assert_int_equal(mz_mirror_memory(mz_mirror()), before);
	again = keep_within(&now, before);
	assert_int_not_equal(again, MZ_NO_HANDLE);
	mz_mirror_drop(mz_mirror(), again);
	assert_int_equal(keep_within(&now, before - 1), MZ_NO_HANDLE); /* it would be more than is allowed */
	mz_mirror_drop(mz_mirror(), first);
}

static struct mz_key plus(struct mz_key a, struct mz_key b)
{
	return (struct mz_key){a.low + b.low, a.high + b.high};
}

/* The sum over what is shared is the same however it came to be, and of its bytes and where they are alone. */
static void test_sums(void **unused)
{
	(void)unused;
	struct mz_mirror *mirror = mz_mirror();
	struct mz_random random = {9};
	static uint8_t other[600];
	for (int i = 0; i < 500; i++) {
		scribble(&random, shared, sizeof shared);
		scribble(&random, other, sizeof other);
		scribble(&random, stack[0], sizeof stack[0]);
		mz_mirror_begin(mirror);
		mz_mirror_put(mirror, shared, sizeof shared, 0, true);
		mz_mirror_put(mirror, stack[0], sizeof stack[0], 0, false);
		mz_mirror_put(mirror, other, sizeof other, 0, true);
		struct mz_key sum = mz_mirror_sum(mirror), whole = plus(mz_mirror_sum_of(shared, sizeof shared, shared),
		                                                        mz_mirror_sum_of(other, sizeof other, other));
		assert_memory_equal(&sum, &whole, sizeof sum);
	}
	memset(other, 0, sizeof other);
	struct mz_key zero = mz_mirror_sum_of(other, sizeof other, other);
	assert_true(zero.low == 0 && zero.high == 0);
	other[0] = 1;
	struct mz_key here = mz_mirror_sum_of(other, sizeof other, other),
	              there = mz_mirror_sum_of(other, sizeof other, shared);
	assert_memory_not_equal(&here, &there, sizeof here);
}

static int reset(void **unused)
{
	(void)unused;
	stub_reset();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_first_in_first_out, reset),
	    cmocka_unit_test_setup(test_memory_without_a_mirror, reset),
	    cmocka_unit_test_setup(test_alignment_with_a_mirror, reset),
	    cmocka_unit_test_setup(test_what_was_stored_is_loaded, reset),
	    cmocka_unit_test_setup(test_what_is_dead_stays_and_counts_as_zero, reset),
	    cmocka_unit_test_setup(test_what_is_dropped_takes_nothing, reset),
	    cmocka_unit_test_setup(test_sums, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
