/* SPDX-License-Identifier: MIT
 *
 * Memory: parts of numbers, unions, structs that are copied, arrays with an index that depends on the input, pointers,
 * the heap, thread-local variables, functions that copy and set, floating-point numbers that are only moved.
 */
#include "checker.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct inner {
	char c;
	short s;
	long l;
};
struct outer {
	int n;
	struct inner in[3];
	double d;
	float f;
};

static int global;
static _Thread_local long local;
static const uint8_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

static void parts(uint64_t x)
{
	union {
		uint64_t whole;
		uint32_t half[2];
		uint8_t bytes[8];
	} u;
	u.whole = x;
	observe(u.half[1] + u.bytes[3]);
	u.bytes[2] = 7;
	u.half[1] ^= 0x1234;
	observe(u.whole);
	uint32_t middle;
	memcpy(&middle, u.bytes + 3, sizeof middle);
	observe(middle);
}

static struct outer filled(int n)
{
	struct outer o = {.n = n};
	for (int i = 0; i < 3; i++) o.in[i] = (struct inner){(char)n, (short)(n * i), n - i};
	return o;
}

static long summed(struct outer o, int i)
{
	return o.n + o.in[i].c + o.in[i].s + o.in[i].l;
}

static void structs(int n)
{
	struct outer a = filled(n), b = a, *heap = malloc(sizeof *heap);
	b.in[1].s++;
	*heap = b;
	observe((uint64_t)summed(*heap, 1));
	observe((uint64_t)summed(a, 2));
	memmove(&heap->in[0], &heap->in[1], 2 * sizeof heap->in[0]);
	observe((uint64_t)heap->in[0].s);
	heap->in[2].l = 5;
	observe((uint64_t)heap->in[2].l);
	free(heap);
}

static void indices(uint8_t i, int8_t j)
{
	int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const uint8_t *at = table + (i & 3);
	observe(table[i & 7]);
	observe(at[1]);
	numbers[i & 7] = j;
	numbers[(j & 3) + 1] += i;
	observe((uint64_t)numbers[2]);
	observe((uint64_t)(&numbers[i & 3] - numbers));
	observe(&numbers[i & 3] < &numbers[j & 3]);
}

static void blocks(uint8_t byte)
{
	uint8_t a[24], b[24], c[9];
	memset(a, byte, sizeof a);
	memset(a + 4, 1, 4);
	memcpy(b, a, sizeof b);
	mempcpy(c, b + 2, 5);
	bzero(b + 9, 3);
	bcopy(a + 1, c + 5, 4);
	uint32_t word;
	memcpy(&word, b + 6, sizeof word);
	observe(word);
	observe(c[0] + c[2] * 2U + c[8]);
	uint8_t variable[(byte & 3) + 1];
	variable[byte & 3] = byte;
	observe(variable[byte & 3]);
}

static void moved(uint32_t bits, uint64_t more)
{
	struct outer o;
	float f;
	double d;
	memcpy(&f, &bits, sizeof f);
	memcpy(&d, &more, sizeof d);
	o.f = f;
	o.d = d;
	struct outer p = o;
	double *q = bits & 1 ? &p.d : &o.d;
	memcpy(&more, q, sizeof more);
	memcpy(&bits, &p.f, sizeof bits);
	observe(bits ^ more);
}

void test(void)
{
	uint64_t x, y;
	INPUT(x);
	INPUT(y);
	parts(x);
	structs((int)y);
	indices((uint8_t)x, (int8_t)y);
	blocks((uint8_t)y);
	moved((uint32_t)x, y);
	global = (int)x;
	local = (long)y;
	int *p = &global;
	*p += 3;
	observe((uint64_t)(global + local));
	void **cell = malloc(sizeof *cell);
	*cell = (void *)(uintptr_t)x;
	observe((uintptr_t)*cell + 1);
	free(cell);
}
