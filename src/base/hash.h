/* SPDX-License-Identifier: MIT
 *
 * Mixing 64-bit words: the finaliser of a multiply-xorshift generator. Good enough to tell graphs apart and to index
 * tables, not meant against an adversary.
 */
#ifndef MZ_BASE_HASH_H
#define MZ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct mz_key {
	uint64_t low;
	uint64_t high;
};

static inline uint64_t mz_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	return x ^ x >> 32;
}

static inline uint64_t mz_hash2(uint64_t a, uint64_t b)
{
	return mz_mix(a + 0x9e3779b97f4a7c15ULL * mz_mix(b + 0x632be59bd9b4e019ULL));
}

/* ---- 128 bits ---- */

#define MZ_HASH_FACTOR 0x9fb21c651e98df25ULL

/* Returns the two halves of the product xored: each bit of either factor reaches nearly all bits of the result. */
static inline uint64_t mz_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Continues a hash with two words. Both halves see every word, in different company, so that no two differences cancel
 * in both. */
static inline struct mz_key mz_hash_pair(struct mz_key hash, uint64_t x, uint64_t y)
{
	return (struct mz_key){mz_fold(x ^ 0x8bb84b93962eacc9ULL, y ^ hash.low) + hash.high,
	                       mz_fold(y ^ 0x4b33a62ed433d4a3ULL, x ^ hash.high) + MZ_HASH_FACTOR};
}

static inline struct mz_key mz_hash_end(struct mz_key hash)
{
	return (struct mz_key){mz_mix(hash.low ^ mz_fold(hash.high, MZ_HASH_FACTOR)),
	                       mz_mix(hash.high + mz_fold(hash.low, 0xd6e8feb86659fd93ULL))};
}

static inline struct mz_key mz_hash_words(struct mz_key hash, const uint8_t *at)
{
	uint64_t words[2];
	__builtin_memcpy(words, at, sizeof words);
	return mz_hash_pair(hash, words[0], words[1]);
}

/* Hashes `size` bytes, and `seed` with them. Four hashes are computed side by side, since each has to wait for its own
 * multiplications. */
static inline struct mz_key mz_hash_bytes(const void *bytes, size_t size, struct mz_key seed)
{
	const uint8_t *at = (const uint8_t *)bytes;
	struct mz_key hash = mz_hash_pair(seed, size, MZ_HASH_FACTOR);
	if (size >= 64) {
		struct mz_key b = {seed.low, 1}, c = {seed.low, 2}, d = {seed.low, 3};
		for (; size >= 64; at += 64, size -= 64) {
			hash = mz_hash_words(hash, at);
			b = mz_hash_words(b, at + 16);
			c = mz_hash_words(c, at + 32);
			d = mz_hash_words(d, at + 48);
		}
		hash = mz_hash_pair(mz_hash_pair(hash, b.low, b.high), c.low, c.high);
		hash = mz_hash_pair(hash, d.low, d.high);
	}
	for (; size >= 16; at += 16, size -= 16) hash = mz_hash_words(hash, at);
	if (size) {
		uint8_t rest[16] = {0};
		for (size_t i = 0; i < size; i++) rest[i] = at[i];
		hash = mz_hash_words(hash, rest);
	}
	return mz_hash_end(hash);
}

#endif
