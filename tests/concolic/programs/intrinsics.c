/* SPDX-License-Identifier: MIT
 *
 * Operations that the compiler knows by name.
 */
#include "checker.h"
#include <stdlib.h>

#define OVERFLOWS(name, type)                                                                                          \
	static void name(type a, type b)                                                                               \
	{                                                                                                              \
		type result;                                                                                           \
		observe(__builtin_add_overflow(a, b, &result));                                                        \
		observe((uint64_t)result);                                                                             \
		observe(__builtin_sub_overflow(a, b, &result));                                                        \
		observe((uint64_t)result);                                                                             \
		observe(__builtin_mul_overflow(a, b, &result));                                                        \
		observe((uint64_t)result);                                                                             \
	}

OVERFLOWS(overflows_i8, int8_t)
OVERFLOWS(overflows_u8, uint8_t)
OVERFLOWS(overflows_i16, int16_t)
OVERFLOWS(overflows_i32, int32_t)
OVERFLOWS(overflows_u32, uint32_t)
OVERFLOWS(overflows_i64, int64_t)
OVERFLOWS(overflows_u64, uint64_t)

static void bits(uint32_t x, uint64_t y)
{
	observe(__builtin_bswap16((uint16_t)x));
	observe(__builtin_bswap32(x));
	observe(__builtin_bswap64(y));
	observe((uint64_t)__builtin_popcount(x) + (uint64_t)__builtin_popcountll(y) * 64);
	observe(x ? (uint64_t)__builtin_clz(x) : 99);
	observe(y ? (uint64_t)__builtin_ctzll(y) : 99);
	observe((uint64_t)__builtin_ffs((int)x));
	observe((uint64_t)__builtin_parity(x));
	observe(__builtin_rotateleft32(x, 7));
	observe(__builtin_rotateright64(y, x));
	observe(__builtin_rotateleft16((uint16_t)x, (uint16_t)y));
	observe(__builtin_bitreverse32(x));
	observe((uint64_t)__builtin_elementwise_max((int)x, (int)y));
	observe((uint64_t)__builtin_elementwise_min((int)x, (int)y));
	observe(__builtin_elementwise_max(x, (uint32_t)y));
	observe((uint64_t)__builtin_elementwise_abs((int)x));
}

void test(void)
{
	uint64_t a, b;
	INPUT(a);
	INPUT(b);
	overflows_i8((int8_t)a, (int8_t)b);
	overflows_u8((uint8_t)a, (uint8_t)b);
	overflows_i16((int16_t)a, (int16_t)b);
	overflows_i32((int32_t)a, (int32_t)b);
	overflows_u32((uint32_t)a, (uint32_t)b);
	overflows_i64((int64_t)a, (int64_t)b);
	overflows_u64(a, b);
	overflows_i64((int32_t)a, (int32_t)b);
	overflows_i64((int64_t)a, -10);
	overflows_i64(INT64_MIN, (int8_t)b);
	overflows_u64((uint16_t)a, 1ULL << 49);
	overflows_u64(10, b >> 3);
	overflows_u64(0, b);
	bits((uint32_t)a, b);
	if (__builtin_expect(a > b, 0)) observe(1);
	observe((uint64_t)llabs((long long)a));
	/* Where shadows end, what was computed is still right. */
	double d = (double)(int)a;
	observe((uint64_t)(int64_t)(d / 2));
	unsigned __int128 wide = (unsigned __int128)a * b;
	observe((uint64_t)(wide >> 64));
}
