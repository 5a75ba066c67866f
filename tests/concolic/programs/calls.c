/* SPDX-License-Identifier: MIT
 *
 * Calls: recursion, function pointers, structs as arguments and results, variable arguments, callbacks of the C
 * library, functions that are told to have no effects, and code that does not return where it was called.
 */
#include "checker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
	long a, b;
};
struct small {
	int a;
	char b;
};
struct large {
	int numbers[12];
	char c[3];
};

static long factorial(long n)
{
	return n <= 1 ? 1 : n * factorial(n - 1);
}

static int ackermann(int m, int n)
{
	if (m == 0) return n + 1;
	return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__attribute__((noinline)) static struct pair swapped(struct pair p)
{
	return (struct pair){p.b, p.a};
}

__attribute__((noinline)) static struct small grown(struct small s)
{
	s.a++;
	s.b = (char)(s.b * 2);
	return s;
}

__attribute__((noinline)) static struct large changed(struct large l, int at)
{
	l.numbers[at]++;
	l.c[2] = l.c[1];
	return l;
}

static int add(int x)
{
	return x + 1;
}

static int twice(int x)
{
	return x * 2;
}

static int negated(int x)
{
	return -x;
}

static int (*const functions[])(int) = {add, twice, negated, add};

__attribute__((const, noinline)) static int pure(int x)
{
	return x * x;
}

static int sum(int n, ...)
{
	va_list list;
	int all = n;
	va_start(list, n);
	for (int i = 0; i < 2; i++) all += va_arg(list, int);
	va_end(list);
	return all;
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static jmp_buf place;

static void leave(int n)
{
	if (n > 100) longjmp(place, 1);
}

static int weighted(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}

void test(void)
{
	int x, y;
	INPUT(x);
	INPUT(y);
	observe((uint64_t)factorial((x & 7) + 1));
	observe((uint64_t)ackermann(x & 1, y & 3));
	struct pair p = swapped((struct pair){x, y});
	observe((uint64_t)(p.a * 3 + p.b));
	struct small s = grown((struct small){x, (char)y});
	observe((uint64_t)(s.a + s.b));
	struct large l = {{x, y}, {(char)x, (char)y, 0}};
	l = changed(l, 1);
	observe((uint64_t)(l.numbers[0] + l.numbers[1] * 2 + l.c[2]));
	observe((uint64_t)functions[x & 3](y));
	observe((uint64_t)(pure(x) + pure(y) + pure(x)));
	observe((uint64_t)sum(x, 1, 2));
	char text[16];
	observe((uint64_t)snprintf(text, sizeof text, "%d", 7));
	observe((uint64_t)weighted(1, x, 2, y, 3, x, 4, y, x));
	int numbers[4] = {x, y, 7, x ^ y};
	qsort(numbers, 4, sizeof *numbers, compare);
	for (int i = 0; i < 4; i++) observe((uint64_t)numbers[i]);
	int *found = bsearch(&x, numbers, 4, sizeof *numbers, compare);
	observe((uint64_t)(found - numbers));
	volatile int kept = x;
	if (!setjmp(place)) leave(y);
	observe((uint64_t)kept);
}
