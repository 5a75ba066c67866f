/* SPDX-License-Identifier: MIT
 *
 * Random numbers that are the same everywhere: splitmix64 (Steele, Lea, Flood 2014). One word of state, any seed is
 * good.
 */
#ifndef MZ_BASE_RANDOM_H
#define MZ_BASE_RANDOM_H

#include <stdint.h>

struct mz_random {
	uint64_t state;
};

static inline uint64_t mz_random_word(struct mz_random *random)
{
	uint64_t x = random->state += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* Returns a number from 0 to n-1, all equally likely; n must not be 0. */
static inline uint32_t mz_random_below(struct mz_random *random, uint32_t n)
{
	uint64_t product = (mz_random_word(random) >> 32) * n;
	if ((uint32_t)product < n) { /* below -n % n it would make small numbers likelier (Lemire 2019) */
		uint32_t least = -n % n;
		while ((uint32_t)product < least) product = (mz_random_word(random) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

#endif
