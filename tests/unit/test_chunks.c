/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/chunks.h"
#include "base/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t put(struct mz_chunks *chunks, const void *bytes, enum mz_chunk_kind kind)
{
	return mz_chunks_put(chunks, bytes, mz_chunk_hash(bytes), kind);
}

static void fill(uint8_t *bytes, unsigned seed)
{
	struct mz_random random = {seed};
	for (size_t i = 0; i < MZ_CHUNK_SIZE; i++) bytes[i] = (uint8_t)mz_random_word(&random);
}

static void test_equal_ones_are_one(void **unused)
{
	(void)unused;
	struct mz_chunks chunks = {0};
	uint8_t a[MZ_CHUNK_SIZE], b[MZ_CHUNK_SIZE];
	fill(a, 1);
	fill(b, 2);
	uint32_t first = put(&chunks, a, MZ_CHUNK_BYTES), second = put(&chunks, b, MZ_CHUNK_BYTES);
	assert_int_not_equal(first, second);
	assert_int_equal(put(&chunks, a, MZ_CHUNK_BYTES), first);
	assert_memory_equal(mz_chunks_bytes(&chunks, first), a, sizeof a);
	assert_memory_equal(mz_chunks_bytes(&chunks, second), b, sizeof b);
	assert_int_equal(chunks.count, 2);
	mz_chunks_drop(&chunks, first);
	assert_int_equal(chunks.count, 2); /* there is another reference */
	mz_chunks_drop(&chunks, first);
	assert_int_equal(chunks.count, 1);
	assert_int_equal(put(&chunks, b, MZ_CHUNK_BYTES), second);
	mz_chunks_release(&chunks);
}

static void test_zero_takes_nothing(void **unused)
{
	(void)unused;
	struct mz_chunks chunks = {0};
	const uint8_t zero[MZ_CHUNK_SIZE] = {0};
	assert_int_equal(put(&chunks, zero, MZ_CHUNK_BYTES), 0);
	mz_chunks_hold(&chunks, 0);
	mz_chunks_drop(&chunks, 0);
	assert_int_equal(mz_chunks_memory(&chunks), 0);
	struct mz_key hash = mz_chunks_hash(&chunks, 0);
	assert_true(hash.low == 0 && hash.high == 0);
	uint8_t nearly[MZ_CHUNK_SIZE] = {0};
	nearly[MZ_CHUNK_SIZE - 1] = 1;
	assert_int_not_equal(put(&chunks, nearly, MZ_CHUNK_BYTES), 0);
	mz_chunks_release(&chunks);
}

/* A list holds what it lists; bytes that look like it do not. */
static void test_lists_hold(void **unused)
{
	(void)unused;
	struct mz_chunks chunks = {0};
	uint8_t a[MZ_CHUNK_SIZE];
	fill(a, 1);
	uint32_t numbers[MZ_CHUNK_NUMBERS] = {0, put(&chunks, a, MZ_CHUNK_BYTES)};
	uint32_t list = put(&chunks, numbers, MZ_CHUNK_LIST), bytes = put(&chunks, numbers, MZ_CHUNK_BYTES);
	assert_int_not_equal(list, bytes);
	mz_chunks_drop(&chunks, bytes);
	mz_chunks_drop(&chunks, numbers[1]);
	assert_int_equal(chunks.count, 2);
	assert_memory_equal(mz_chunks_bytes(&chunks, numbers[1]), a, sizeof a);
	mz_chunks_drop(&chunks, list);
	assert_int_equal(chunks.count, 0);
	mz_chunks_release(&chunks);
}

/* Many chunks come and go: each is what it was, as long as anybody refers to it. */
static void test_random(void **unused)
{
	(void)unused;
	enum { KINDS = 700, ROUNDS = 40000 };
	static uint32_t numbers[KINDS], references[KINDS];
	struct mz_chunks chunks = {0};
	struct mz_random random = {7};
	uint8_t bytes[MZ_CHUNK_SIZE];
	uint32_t alive = 0;
	memset(references, 0, sizeof references);
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t which = mz_random_below(&random, KINDS);
		fill(bytes, which + 1);
		if (references[which])
			assert_memory_equal(mz_chunks_bytes(&chunks, numbers[which]), bytes, sizeof bytes);
		if (references[which] && mz_random_below(&random, 2)) {
			mz_chunks_drop(&chunks, numbers[which]);
			alive -= --references[which] == 0;
		} else {
			uint32_t number = put(&chunks, bytes, MZ_CHUNK_BYTES);
			if (references[which]) assert_int_equal(number, numbers[which]);
			numbers[which] = number;
			alive += references[which]++ == 0;
		}
		assert_int_equal(chunks.count, alive);
	}
	mz_chunks_release(&chunks);
}

/* Without memory it says so, and what is there stays as it is. */
static void test_no_memory(void **unused)
{
	(void)unused;
	for (uint64_t failing = 1; failing < 12; failing++) {
		struct mz_chunks chunks = {0};
		uint8_t bytes[MZ_CHUNK_SIZE];
		uint32_t failed = 0;
		mz_alloc_fail_at(failing);
		for (unsigned n = 1; n <= 2000; n++) {
			fill(bytes, n);
			failed += put(&chunks, bytes, MZ_CHUNK_BYTES) == MZ_CHUNK_NONE;
		}
		mz_alloc_fail_at(0);
		assert_int_equal(chunks.count, 2000 - failed);
		for (unsigned n = 1; n <= 2000; n++) {
			fill(bytes, n);
			assert_int_not_equal(put(&chunks, bytes, MZ_CHUNK_BYTES), MZ_CHUNK_NONE);
		}
		assert_int_equal(chunks.count, 2000);
		mz_chunks_release(&chunks);
	}
}

/* ---- hashes ---- */

static int by_both(const void *a, const void *b)
{
	const struct mz_key *x = a, *y = b;
	if (x->low != y->low) return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

static int by_high(const void *a, const void *b)
{
	const struct mz_key *x = a, *y = b;
	return (x->high > y->high) - (x->high < y->high);
}

/* No two are equal, and not even in one half. */
static void require_different(struct mz_key *keys, size_t n)
{
	qsort(keys, n, sizeof *keys, by_both);
	for (size_t i = 1; i < n; i++) assert_true(keys[i].low != keys[i - 1].low);
	qsort(keys, n, sizeof *keys, by_high);
	for (size_t i = 1; i < n; i++) assert_true(keys[i].high != keys[i - 1].high);
}

#define WORDS 32

static struct mz_key hash_of(const uint64_t *words, size_t size)
{
	return mz_hash_bytes(words, size, (struct mz_key){0, 0});
}

/* Any two bits of a small state, in all pairs: what differs in two places does not cancel. */
static void test_two_bits(void **unused)
{
	(void)unused;
	enum { BITS = WORDS * 64 };
	struct mz_key *keys = malloc((size_t)BITS * (BITS + 1) / 2 * sizeof *keys);
	uint64_t words[WORDS] = {0};
	size_t n = 0;
	for (unsigned a = 0; a < BITS; a++) {
		words[a / 64] ^= 1ULL << a % 64;
		keys[n++] = hash_of(words, sizeof words);
		for (unsigned b = 0; b < a; b++) {
			words[b / 64] ^= 1ULL << b % 64;
			keys[n++] = hash_of(words, sizeof words);
			words[b / 64] ^= 1ULL << b % 64;
		}
		words[a / 64] ^= 1ULL << a % 64;
	}
	require_different(keys, n);
	free(keys);
}

/* Small numbers in two words: sums, differences and products of theirs are the same for many. */
static void test_small_numbers(void **unused)
{
	(void)unused;
	enum { MOST = 40 };
	struct mz_key *keys = malloc((size_t)(WORDS - 1) * MOST * MOST * sizeof *keys + sizeof *keys);
	uint64_t words[WORDS] = {0};
	size_t n = 0;
	for (unsigned at = 1; at < WORDS; at++) {
		for (uint64_t a = 1; a < MOST; a++) {
			for (uint64_t b = 1; b < MOST; b++) {
				words[0] = a;
				words[at] = b;
				keys[n++] = hash_of(words, sizeof words);
			}
		}
		words[at] = 0;
	}
	require_different(keys, n);
	free(keys);
}

/* Zeros of all lengths, and the same bytes after different seeds. */
static void test_lengths_and_seeds(void **unused)
{
	(void)unused;
	static const uint64_t words[WORDS];
	struct mz_key keys[sizeof words + 1 + 128];
	size_t n = 0;
	for (size_t size = 0; size <= sizeof words; size++) keys[n++] = hash_of(words, size);
	for (unsigned bit = 0; bit < 128; bit++) {
		struct mz_key seed = {bit < 64 ? 1ULL << bit : 0, bit < 64 ? 0 : 1ULL << (bit - 64)};
		keys[n++] = mz_hash_bytes(words, sizeof words, seed);
	}
	require_different(keys, n);
}

/* About half of all bits change with each. */
static void test_avalanche(void **unused)
{
	(void)unused;
	uint64_t words[WORDS];
	fill((uint8_t *)words, 3);
	struct mz_key before = hash_of(words, sizeof words);
	for (unsigned bit = 0; bit < WORDS * 64; bit++) {
		words[bit / 64] ^= 1ULL << bit % 64;
		struct mz_key after = hash_of(words, sizeof words);
		words[bit / 64] ^= 1ULL << bit % 64;
		int low = __builtin_popcountll(before.low ^ after.low);
		int high = __builtin_popcountll(before.high ^ after.high);
		assert_in_range(low, 10, 54);
		assert_in_range(high, 10, 54);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_equal_ones_are_one), cmocka_unit_test(test_zero_takes_nothing),
	    cmocka_unit_test(test_lists_hold),         cmocka_unit_test(test_random),
	    cmocka_unit_test(test_no_memory),          cmocka_unit_test(test_two_bits),
	    cmocka_unit_test(test_small_numbers),      cmocka_unit_test(test_lengths_and_seeds),
	    cmocka_unit_test(test_avalanche)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
