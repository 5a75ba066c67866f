/* SPDX-License-Identifier: MIT
 *
 * Compiled and run by test_values.c: marks objects of its own as inputs, and prints for each what the runtime would
 * record and, in its own words, how its value should be shown.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour { RED, GREEN = 5, BLUE = -1 };
enum large { SMALL, HUGE = 0x80000000u };
typedef char word[4];
typedef const volatile word *unused;
typedef struct point {
	int x, y;
} point_alias;

struct record {
	point_alias at[2];
	unsigned low : 3;
	int high : 5;
	bool yes : 1;
	union {
		float real;
		uint32_t whole;
	};
	struct {
		char letter;
		enum colour colour;
	} inner;
	const char *next;
};

static word global = "MAZ!";
static struct record records[2] = {
    {{{1, -2}, {3, 4}}, 5, -3, true, {1}, {'a', GREEN}, NULL},
    {.inner = {'\n', (enum colour)7}, .next = (const char *)0xbeef},
};
static int grid[2][3] = {{1, 2, 3}, {-4, 5, 6}};
static char *shared;
static char names[2][4] = {"ab", "c"};
static int many[40];
static char text[100] = "0123456789012345678901234567890123456789012345678901234567890123456789";

static void print_bytes(const void *object, size_t size)
{
	for (size_t i = 0; i < size; i++) printf("%02x", ((const uint8_t *)object)[i]);
}

/* `name` has no space; `expected` is "-" if nobody can tell. */
__attribute__((noinline)) static void mark(const void *object, size_t size, const char *name, const char *expected)
{
	const uintptr_t *frame = __builtin_frame_address(0);
	printf("value %lx %lx %lx %lx %s ", (unsigned long)object, (unsigned long)__builtin_return_address(0),
	       (unsigned long)__builtin_dwarf_cfa(), (unsigned long)*frame, name);
	print_bytes(object, size);
	printf(" %s\n", expected);
	__asm__ volatile("");
}

#define SHOW(type, initial, expected)                                                                                  \
	do {                                                                                                           \
		type shown = initial;                                                                                  \
		mark(&shown, sizeof shown, "?", expected);                                                             \
	} while (0)

static void numbers(void)
{
	SHOW(int8_t, -2, "-2");
	SHOW(uint8_t, 254, "254");
	SHOW(short, -300, "-300");
	SHOW(unsigned short, 65535, "65535");
	SHOW(int, INT32_MIN, "-2147483648");
	SHOW(unsigned, UINT32_MAX, "4294967295");
	SHOW(long, INT64_MIN, "-9223372036854775808");
	SHOW(uint64_t, UINT64_MAX, "18446744073709551615");
	SHOW(unsigned __int128, 0x1f, "0x0000000000000000000000000000001f");
	SHOW(float, 0.1F, "0.1");
	SHOW(double, 0.1, "0.1");
	SHOW(double, 1.0 / 3, "0.3333333333333333");
	SHOW(double, -1e300, "-1e+300");
	SHOW(long double, 2.5L, "2.5");
}

static void words(void)
{
	SHOW(char, '+', "'+'");
	SHOW(char, '\'', "'\\''");
	SHOW(char, '\\', "'\\\\'");
	SHOW(char, '"', "'\"'");
	SHOW(char, '\n', "10");
	SHOW(char, -1, "-1");
	SHOW(bool, true, "true");
	SHOW(bool, false, "false");
	SHOW(enum colour, GREEN, "GREEN");
	SHOW(enum colour, BLUE, "BLUE");
	SHOW(enum colour, (enum colour)(-7), "-7");
	SHOW(enum large, HUGE, "HUGE");
	SHOW(enum large, (enum large)0x80000001u, "2147483649");
	SHOW(void *, NULL, "0x0");
	SHOW(unused, (unused)0x7ffe, "0x7ffe");
	SHOW(struct point, {.x = 1}, "{x = 1, y = 0}");
	SHOW(point_alias *, NULL, "0x0");
}

static void arrays(void)
{
	char local[4] = "a\0\n", digits[5] = "\0001", none[3] = "";
	unsigned char bytes[2] = {'x', 200};
	int16_t small[3] = {1, -2, 3};
	mark(global, sizeof global, "in", "\"MAZ!\"");
	mark(local, sizeof local, "?", "\"a\\0\\n\"");
	mark(digits, sizeof digits, "?", "\"\\0001\"");
	mark(none, sizeof none, "?", "\"\"");
	mark(bytes, sizeof bytes, "?", "\"x\\310\"");
	mark(small, sizeof small, "?", "{1, -2, 3}");
	mark(grid, sizeof grid, "?", "{{1, 2, 3}, {-4, 5, 6}}");
	mark(names, sizeof names, "?", "{\"ab\", \"c\"}");
	mark(text, sizeof text, "?",
	     "\"0123456789012345678901234567890123456789012345678901234567890123\"... (70 bytes)");
	for (int i = 0; i < 40; i++) many[i] = i % 10;
	mark(many, sizeof many, "?",
	     "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, "
	     "6, 7, 8, 9, 0, 1, ...}");
}

static void parts(void)
{
	struct record local = records[0];
	mark(&records[0], sizeof records[0], "?",
	     "{at = {{x = 1, y = -2}, {x = 3, y = 4}}, low = 5, high = -3, yes = true, {real = 1, whole = 1065353216}, "
	     "inner = {letter = 'a', colour = GREEN}, next = 0x0}");
	mark(&records[1].inner, sizeof records[1].inner, "?", "{letter = 10, colour = 7}");
	mark(&records[1].next, sizeof records[1].next, "?", "0xbeef");
	mark(&records[0].at[1].y, 4, "?", "4");
	mark(&local.at[1], sizeof local.at[1], "?", "{x = 3, y = 4}");
	mark(&local.at, sizeof local.at, "?", "{{x = 1, y = -2}, {x = 3, y = 4}}");
	mark(&local.inner.letter, 1, "?", "'a'");
	mark(&local.inner.colour, 4, "?", "GREEN");
	mark(grid[1], sizeof grid[1], "?", "{-4, 5, 6}");
	mark(&grid[1][1], 8, "?", "{5, 6}");
	mark(names[0], sizeof names[0], "?", "\"ab\"");
	mark(global + 1, 2, "?", "\"AZ\"");
	mark(&grid[1][1], 3, "?", "-");
	mark((char *)&records[0].at[0].x + 2, 4, "?", "-");
}

static void pointed_to(const char *argument, size_t size)
{
	mark(argument, size, "argument", "\"heap\"");
}

static void by_name(size_t n)
{
	char *pointer = malloc(8), *argument = pointer, vla[n];
	point_alias *point = malloc(sizeof *point);
	long decoy = 0;
	static long hidden;
	memcpy(pointer, "heap\0\0\0\0", 8);
	memset(vla, 0, n);
	memcpy(vla, "vla", 3);
	*point = (struct point){7, 8};
	mark(pointer, 8, "pointer", "\"heap\"");
	shared = pointer;
	mark(shared, 5, "shared", "\"heap\"");
	mark(argument, 4, "?", "-");
	mark(argument, 4, "global", "-");
	mark(pointer, 8, "decoy", "-");
	mark(pointer, 8, "hidden", "-");
	mark(vla, n, "vla", "\"vla\"");
	mark(point, sizeof *point, "point", "{x = 7, y = 8}");
	mark(point, 3, "point", "-");
	pointed_to(pointer, 4);
	mark(&decoy, sizeof decoy, "?", "0");
	mark(&hidden, sizeof hidden, "?", "0");
	{
		short shorts[2] = {1, 2}, *pointer = malloc(sizeof shorts);
		memcpy(pointer, shorts, sizeof shorts);
		mark(pointer, sizeof shorts, "pointer", "{1, 2}");
		mark(shorts, sizeof shorts, "pointer", "{1, 2}");
		free(pointer);
	}
	free(pointer);
	free(point);
}

static inline __attribute__((always_inline)) void inlined(int16_t start)
{
	int16_t object = start;
	mark(&object, sizeof object, "?", start < 0 ? "-5" : "5");
}

static int module(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !info->dlpi_name[0]; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
		unsigned long start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		printf("module %lx %lx %lx %s\n", (unsigned long)info->dlpi_addr, start,
		       start + (unsigned long)info->dlpi_phdr[i].p_memsz, (const char *)path);
	}
	return 0;
}

int main(int argc, char **argv)
{
	dl_iterate_phdr(module, argv[0]);
	numbers();
	words();
	arrays();
	parts();
	by_name((size_t)argc + 4);
	inlined(-5);
	inlined(5);
	return 0;
}
