/* SPDX-License-Identifier: MIT
 *
 * Hashes: of one or two words by the finaliser of a multiply-xorshift generator, of any bytes by XXH3. Good enough to
 * tell states and graphs apart and to index tables, not meant against an adversary.
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

/* Hashes `size` bytes, and `seed` with them. */
struct mz_key mz_hash_bytes(const void *bytes, size_t size, struct mz_key seed);

#endif
