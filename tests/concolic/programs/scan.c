/* SPDX-License-Identifier: MIT
 *
 * Scanning of text that depends on the input: by the model, and by the C library, which has to do the same.
 */
#include "checker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by their addresses, these are the C library's own. What they make of values has no shadow. */
static int (*volatile library)(const char *, const char *, ...) = sscanf;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;

struct scanned {
	long number;
	int small, at, n;
	unsigned short tiny;
	char text[18];
};

static void check(const struct scanned *by_model, const struct scanned *by_library)
{
	if (compare(by_model, by_library, sizeof *by_model) != 0) abort();
	observe((uint64_t)by_model->n);
	observe((uint64_t)by_model->number);
	observe((uint64_t)by_model->small + (uint64_t)by_model->at + by_model->tiny + (uint64_t)by_model->text[1]);
}

#define SCAN(format, ...)                                                                                              \
	{                                                                                                              \
		struct scanned results[2] = {0}, *to = &results[0];                                                    \
		to->n = sscanf(s, format, __VA_ARGS__);                                                                \
		to = &results[1];                                                                                      \
		to->n = library(s, format, __VA_ARGS__);                                                               \
		check(&results[0], &results[1]);                                                                       \
	}

static void scan(const char *s)
{
	SCAN("%ld", &to->number)
	SCAN("%d%n", &to->small, &to->at)
	SCAN("%2d%hx", &to->small, &to->tiny)
	SCAN("%i,%s", &to->small, to->text)
	SCAN(" %c%2s", to->text, to->text + 4)
	SCAN("%3[0-9+]%n", to->text, &to->at)
	SCAN("%[^ ]%ho", to->text, &to->tiny)
	SCAN("%*d %lu", &to->number)
	SCAN("1%% %u", &to->small)
	SCAN("%2c%o", to->text, (unsigned *)&to->small)
}

void test(void)
{
	unsigned char bytes[5];
	char text[6];
	INPUT(bytes);
	for (int i = 0; i < 5; i++) text[i] = (char)(' ' + (bytes[i] & (i & 1 ? 0x1f : 0x5f)));
	text[5] = 0;
	scan(text);
	for (int i = 0; i < 5; i++) text[i] = (char)('*' + (bytes[i] & 0xf));
	scan(text);
}
