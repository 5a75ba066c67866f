/* SPDX-License-Identifier: MIT
 *
 * Control flow: nested conditions, switches of all kinds, computed jumps, loops that depend on the input.
 */
#include "checker.h"

static int classified(int x)
{
	switch (x) {
	case -5: return 1;
	case 0 ... 9: return 2;
	case 100: x++; /* fall through */
	case 101: return x;
	default: return x < 0 ? 3 : 4;
	}
}

static int of_character(char c)
{
	switch (c) {
	case '(':
	case ')': return 1;
	case '\xff': return 2;
	}
	return 0;
}

static int of_long(uint64_t x)
{
	switch (x) {
	case 1ULL << 40: return 1;
	case 0xffffffffffffffff: return 2;
	case 7: return 3;
	}
	return 0;
}

static int jumped(unsigned x)
{
	static void *const places[] = {&&a, &&b, &&c, &&a};
	goto *places[x & 3];
a:
	return 1;
b:
	x++;
c:
	return (int)x;
}

/* A state machine: words, numbers and the rest. */
static unsigned parsed(const char *text, unsigned n)
{
	enum { NONE, WORD, NUMBER } state = NONE;
	unsigned words = 0, numbers = 0, value = 0;
	for (unsigned i = 0; i < n; i++) {
		char c = text[i];
		if ((c | 32) >= 'a' && (c | 32) <= 'z') {
			if (state != WORD) words++;
			state = WORD;
		} else if (c >= '0' && c <= '9') {
			if (state != NUMBER) numbers++;
			value = value * 10 + (unsigned)(c - '0');
			state = NUMBER;
		} else {
			state = NONE;
		}
	}
	return words * 100 + numbers * 10 + value;
}

void test(void)
{
	int x;
	uint64_t y;
	char text[6];
	INPUT(x);
	INPUT(y);
	INPUT(text);
	if (x > 10 && (x < 100 || y == 3)) observe(1);
	if (!(x & 1) || y > 1000) observe(2);
	observe((uint64_t)classified(x % 128));
	observe((uint64_t)classified((int)y));
	observe((uint64_t)of_character(text[0]));
	observe((uint64_t)of_long(y));
	observe((uint64_t)jumped((unsigned)x));
	observe(parsed(text, sizeof text));
	unsigned n = 0;
	for (uint32_t z = (uint32_t)y & 0xff; z; z &= z - 1) n++;
	observe(n);
	do n += 3;
	while (n < (y & 31));
	observe(n);
	const char *name = x & 8 ? "eight" : "other";
	observe((uint64_t)name[x & 3]);
}
