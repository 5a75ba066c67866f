/* SPDX-License-Identifier: MIT
 *
 * Ten sequential programs over few bytes of input. PROGRAM says which one this is, SIZE how many bytes there are. Built with
 * `mazurka cc --symbolic`, main takes one input. With BRUTE, it tries every one, and counts how many paths there are: a path is
 * the outcomes of all branches.
 */
#include <mazurka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef BRUTE
static uint64_t path;
#define B(c) ((c) ? (path = path * 3 + 2, 1) : (path = path * 3 + 1, 0))
#else
/* not `?:`, of which compilers make a select */
#define B(c)                                                                                                           \
	__extension__({                                                                                                \
		int outcome = 0;                                                                                       \
		if (c) outcome = 1;                                                                                    \
		outcome;                                                                                               \
	})
#endif

static int nested(const uint8_t *s)
{
	if (B(s[0] < 10)) return B(s[1] < s[0]) ? B(s[0] + s[1] == 15) : 0;
	return B(s[1] == 200);
}

static int number(const uint8_t *s)
{
	int n = 0;
	for (int i = 0; i < 3 && B(s[i] != 0); i++) {
		if (B(s[i] < '0')) return -1;
		if (B(s[i] > '9')) return -1;
		n = n * 10 + s[i] - '0';
	}
	return B(n == 137);
}

static int checksum(const uint8_t *s)
{
	if (B((uint8_t)(s[0] + 3 * s[1]) != s[2])) return 0;
	return B(s[0] == 'A');
}

static int machine(const uint8_t *s)
{
	int state = 0;
	for (int i = 0; i < 3; i++) {
		if (B(s[i] == 'a'))
			state = state == 2 ? 3 : 1;
		else if (B(s[i] == 'b'))
			state = state == 1 ? 2 : 0;
		else
			state = 0;
	}
	return state == 3;
}

static int sort(const uint8_t *s)
{
	uint8_t a[3] = {s[0], s[1], s[2]};
	for (int i = 1; i < 3; i++) {
		uint8_t moved = a[i];
		int j = i;
		for (; j > 0 && B(a[j - 1] > moved); j--) a[j] = a[j - 1];
		a[j] = moved;
	}
	return a[0];
}

static int hash(const uint8_t *s)
{
	uint32_t h = 5381;
	for (int i = 0; i < 3; i++) h = (h << 5) + h + s[i];
	return B(h == 193495042);
}

static int divide(const uint8_t *s)
{
	if (B(s[1] == 0)) return -1;
	if (B(s[0] / s[1] == 12)) return 1;
	return B(s[0] % s[1] == 7);
}

static int overflow(const uint8_t *s)
{
	uint16_t a = (uint16_t)(s[0] | s[1] << 8), product = (uint16_t)(a * 3);
	if (B(product < a)) return B(product == 7);
	return B((int16_t)product < 0);
}

static int tokens(const uint8_t *s)
{
	int words = 0, inside = 0;
	for (int i = 0; i < 3; i++) {
		if (B(s[i] == ' ')) {
			inside = 0;
		} else {
			if (B(s[i] < '!')) return -1;
			if (B(s[i] > '~')) return -1;
			words += !inside;
			inside = 1;
		}
	}
	return words;
}

static int magic(const uint8_t *s)
{
	return B(s[0] == 'M') && B(s[1] == 'Z') && B(s[2] == 'K') && B(s[3] == '!');
}

#ifdef BRUTE
enum { PATHS = 4096 };

int main(void)
{
	static uint64_t paths[PATHS];
	int count = 0;
	for (uint64_t n = 0; n < (uint64_t)1 << 8 * SIZE; n++) {
		uint8_t s[8];
		int i = 0;
		for (int b = 0; b < SIZE; b++) s[b] = (uint8_t)(n >> 8 * b);
		path = 0;
		PROGRAM(s);
		for (i = (int)(path % PATHS); paths[i] && paths[i] != path; i = (i + 1) % PATHS) {}
		count += !paths[i];
		paths[i] = path;
	}
	printf("%d\n", count);
	return 0;
}
#else
int main(void)
{
	uint8_t s[SIZE];
	mz_symbolic(s, sizeof s, "s");
	PROGRAM(s);
	return 0;
}
#endif
