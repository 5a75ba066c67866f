/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, comparisons and conversions of integers of all widths and signs; divisions; choices without a branch.
 */
#include "checker.h"
#include <stdbool.h>

#define ALL(name, type)                                                                                                \
	static void name(type a, type b)                                                                               \
	{                                                                                                              \
		observe((uint64_t)(type)(a + b));                                                                      \
		observe((uint64_t)(type)(a - b));                                                                      \
		observe((uint64_t)(type)(a * b));                                                                      \
		observe((uint64_t)(type)(a & b));                                                                      \
		observe((uint64_t)(type)(a | b));                                                                      \
		observe((uint64_t)(type)(a ^ b));                                                                      \
		observe((uint64_t)(type)(~a - 1));                                                                     \
		observe((uint64_t)(type)(a << 3));                                                                     \
		observe((uint64_t)(type)(a >> 3));                                                                     \
		observe((uint64_t)(type)(a >> (b & 7)));                                                               \
		observe((uint64_t)(type)(a << (b & 7)));                                                               \
		if (b != 0 && b != (type)-1) {                                                                         \
			observe((uint64_t)(type)(a / b));                                                              \
			observe((uint64_t)(type)(a % b));                                                              \
		}                                                                                                      \
		observe((uint64_t)(type)(a / 7));                                                                      \
		observe((uint64_t)(type)(a % 10));                                                                     \
		observe((a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b));          \
		observe((uint64_t)(type)(a < b ? a : b));                                                              \
		observe((uint64_t)(type)(!a));                                                                         \
		observe((uint64_t)(int8_t)a);                                                                          \
		observe((uint64_t)(uint8_t)a);                                                                         \
		observe((uint64_t)(int16_t)b);                                                                         \
		observe((uint64_t)(uint32_t)b);                                                                        \
		observe((uint64_t)(int64_t)a);                                                                         \
	}

ALL(all_i8, int8_t)
ALL(all_u8, uint8_t)
ALL(all_i16, int16_t)
ALL(all_u16, uint16_t)
ALL(all_i32, int32_t)
ALL(all_u32, uint32_t)
ALL(all_i64, int64_t)
ALL(all_u64, uint64_t)

static void bits(uint32_t x)
{
	struct {
		unsigned a : 3, b : 21;
		signed c : 5;
		bool d : 1;
	} f = {0};
	f.a = x;
	f.b = x >> 3;
	f.c = (int)(x >> 24);
	f.d = x & 4;
	observe(f.a + f.b * 3U + (unsigned)f.c * 5U + f.d);
	volatile struct {
		unsigned a : 24;
		unsigned char b;
	} g;
	g.a = x;
	g.b = (unsigned char)(x >> 16);
	observe(g.a * 3U + g.b);
}

static void loops(uint8_t n)
{
	uint64_t sum = 0, product = 1;
	for (unsigned i = 0; i < (n & 15U); i++) {
		sum += i ^ n;
		product = product * (n | 1) + i;
	}
	observe(sum);
	observe(product);
}

void test(void)
{
	uint64_t a, b;
	INPUT(a);
	INPUT(b);
	all_i8((int8_t)a, (int8_t)b);
	all_u8((uint8_t)a, (uint8_t)b);
	all_i16((int16_t)a, (int16_t)b);
	all_u16((uint16_t)a, (uint16_t)b);
	all_i32((int32_t)a, (int32_t)b);
	all_u32((uint32_t)a, (uint32_t)b);
	all_i64((int64_t)a, (int64_t)b);
	all_u64(a, b);
	bits((uint32_t)a);
	loops((uint8_t)b);
	bool flag = a > b, other = (int64_t)a > (int64_t)b;
	observe(flag != other);
	observe(flag & other);
}
