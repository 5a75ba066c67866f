/* SPDX-License-Identifier: MIT
 *
 * Operations on bits that are single instructions elsewhere (__builtin_popcount and the like), in terms of operators
 * that expressions have, without branches. Values have 64 bits, of which the lowest `width` count; the rest is 0.
 */
#include "concolic/models/models.h"

uint64_t MODEL(ctpop)(uint64_t value, uint32_t width);
uint64_t MODEL(ctlz)(uint64_t value, uint32_t width);
uint64_t MODEL(cttz)(uint64_t value, uint32_t width);
uint64_t MODEL(bitreverse)(uint64_t value, uint32_t width);

uint64_t MODEL(ctpop)(uint64_t value, uint32_t width)
{
	(void)width;
	if (CONCRETE) return (uint64_t)__builtin_popcountll(value);
	value -= value >> 1 & 0x5555555555555555;
	value = (value & 0x3333333333333333) + (value >> 2 & 0x3333333333333333);
	value = (value + (value >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return value * 0x0101010101010101 >> 56;
}

/* Spreads the highest bit that is set to all below it, and counts those that are left. */
uint64_t MODEL(ctlz)(uint64_t value, uint32_t width)
{
	if (CONCRETE) return value ? (uint64_t)__builtin_clzll(value) + width - 64 : width;
	for (unsigned shift = 1; shift < 64; shift *= 2) value |= value >> shift;
	return width - MODEL(ctpop)(value, 64);
}

/* Counts the bits below the lowest that is set; for 0, all of them. */
uint64_t MODEL(cttz)(uint64_t value, uint32_t width)
{
	if (CONCRETE) return value ? (uint64_t)__builtin_ctzll(value) : width;
	uint64_t all = width < 64 ? (1ULL << width) - 1 : ~0ULL;
	return MODEL(ctpop)(~value & (value - 1) & all, 64);
}

uint64_t MODEL(bitreverse)(uint64_t value, uint32_t width)
{
	uint64_t result = 0;
	for (uint32_t i = 0; i < width; i++) result |= (value >> i & 1) << (width - 1 - i);
	return result;
}
