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

FOR_ALL_INTEGERS(ALL)

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
	uint64_t x, y;
	INPUT(x);
	INPUT(y);
	FOR_ALL_INTEGERS(CALL_WITH_X_AND_Y)
	bits((uint32_t)x);
	loops((uint8_t)y);
	bool flag = x > y, other = (int64_t)x > (int64_t)y;
	observe(flag != other);
	observe(flag & other);
}
