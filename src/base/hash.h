/* SPDX-License-Identifier: MIT
 *
 * Mixing 64-bit words: the finaliser of a multiply-xorshift generator. Good enough to tell graphs apart and to index
 * tables, not meant against an adversary.
 */
#ifndef MZ_BASE_HASH_H
#define MZ_BASE_HASH_H

#include <stdint.h>

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

#endif
