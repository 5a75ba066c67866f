/* SPDX-License-Identifier: MIT
 *
 * base/hash.h and base/random.h. Hashes are the same everywhere and tell apart what differs in one bit, one word or the
 * length; random numbers are those of splitmix64 as published, and as likely as each other.
 */
#include "base/hash.h"
#include "base/keyset.h"
#include "base/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct mz_key no_seed;

/* ---- hashes ---- */

static void test_mixing_is_one_to_one(void **unused)
{
	(void)unused;
	struct mz_keyset seen = {0};
	for (uint64_t n = 0; n < 10000; n++) {
		bool added[2];
		assert_true(mz_keyset_add(&seen, (struct mz_key){mz_mix(n), 1}, &added[0]));
		assert_true(mz_keyset_add(&seen, (struct mz_key){mz_mix(~n << 30), 2}, &added[1]));
		assert_true(added[0] && added[1]);
	}
	mz_keyset_release(&seen);
	assert_int_equal(mz_mix(0), 0);
}

/* Each bit of what goes in turns over about half of the bits of what comes out. */
static void test_every_bit_reaches_about_half(void **unused)
{
	(void)unused;
	int least = 64, most = 0;
	for (int bit = 0; bit < 64; bit++) {
		int turned = 0;
		for (uint64_t n = 1; n <= 64; n++)
			turned += __builtin_popcountll(mz_mix(n * 0x123456789) ^ mz_mix(n * 0x123456789 ^ 1ULL << bit));
		if (turned / 64 < least) least = turned / 64;
		if (turned / 64 > most) most = turned / 64;
	}
	assert_in_range(least, 24, 40);
	assert_in_range(most, 24, 40);
}

static void test_order_of_two_counts(void **unused)
{
	(void)unused;
	assert_int_not_equal(mz_hash2(1, 2), mz_hash2(2, 1));
	assert_int_equal(mz_hash2(1, 2), mz_hash2(1, 2));
}

static bool is_new(struct mz_keyset *set, struct mz_key key)
{
	bool added;
	assert_true(mz_keyset_add(set, key, &added));
	return added;
}

/* Zeros of every length, and every single bit in every length up to 140 bytes: no two are equal in either half. */
static void test_bytes_tell_apart(void **unused)
{
	(void)unused;
	struct mz_keyset lows = {0}, highs = {0};
	uint8_t bytes[140] = {0};
	for (size_t size = 0; size <= sizeof bytes; size++) {
		for (size_t bit = 0; bit <= 8 * size; bit++) {
			if (bit < 8 * size) bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
			struct mz_key key = mz_hash_bytes(bytes, size, no_seed);
			assert_true(is_new(&lows, (struct mz_key){key.low, 0}));
			assert_true(is_new(&highs, (struct mz_key){key.high, 0}));
			if (bit < 8 * size) bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
	}
	mz_keyset_release(&lows);
	mz_keyset_release(&highs);
}

static void test_only_the_bytes_count(void **unused)
{
	(void)unused;
	uint8_t room[300];
	struct mz_key keys[2];
	for (size_t size = 0; size < 200; size++) {
		for (int i = 0; i < 2; i++) {
			memset(room, 0x55 * i, sizeof room); /* what is around them does not, nor where they are */
			for (size_t n = 0; n < size; n++) room[1 + 16 * i + n] = (uint8_t)(n * 7);
			keys[i] = mz_hash_bytes(room + 1 + 16 * i, size, no_seed);
		}
		assert_memory_equal(&keys[0], &keys[1], sizeof keys[0]);
	}
}

static void test_the_seed_counts(void **unused)
{
	(void)unused;
	const struct mz_key a = mz_hash_bytes("same", 4, (struct mz_key){1, 0}),
	                    b = mz_hash_bytes("same", 4, (struct mz_key){0, 1});
	assert_memory_not_equal(&a, &b, sizeof a);
}

/* ---- random numbers ---- */

/* The first ones of Vigna's splitmix64.c for the seed 1234567, as the Rosetta Code lists them. */
static void test_as_published(void **unused)
{
	(void)unused;
	struct mz_random random = {1234567};
	const uint64_t published[] = {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
	                              4593380528125082431ULL, 16408922859458223821ULL};
	for (int i = 0; i < 5; i++) assert_true(mz_random_word(&random) == published[i]);
}

static void test_below(void **unused)
{
	(void)unused;
	struct mz_random random = {1};
	for (uint32_t n = 1; n < 20; n++) {
		uint32_t counts[20] = {0};
		for (uint32_t i = 0; i < 2000 * n; i++) {
			uint32_t word = mz_random_below(&random, n);
			assert_true(word < n);
			counts[word]++;
		}
		for (uint32_t k = 0; k < n; k++) assert_in_range(counts[k], 1750, 2250); /* over five deviations */
	}
	assert_int_equal(mz_random_below(&random, 1), 0);
}

/* Multiplying 32 bits by 3 * 2^30 hits every third number twice as often as the others: those are drawn again. */
static void test_large_ranges_are_even(void **unused)
{
	(void)unused;
	struct mz_random random = {5};
	uint32_t low = 0;
	for (int i = 0; i < 30000; i++) low += mz_random_below(&random, 3U << 30) % 3 == 0;
	assert_in_range(low, 9600, 10400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_mixing_is_one_to_one),  cmocka_unit_test(test_every_bit_reaches_about_half),
	    cmocka_unit_test(test_order_of_two_counts),   cmocka_unit_test(test_bytes_tell_apart),
	    cmocka_unit_test(test_only_the_bytes_count),  cmocka_unit_test(test_the_seed_counts),
	    cmocka_unit_test(test_as_published),          cmocka_unit_test(test_below),
	    cmocka_unit_test(test_large_ranges_are_even),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
