/* SPDX-License-Identifier: MIT
 *
 * Compares each model (concolic/models) with the function of the C library that it stands for, on random arguments: the
 * result, errno, what is in memory afterwards, and which accesses the model announced. functions ROUNDS [SEED]. Linked with
 * libmazurka-models.a; stands in for the library, with functions_library.c. Texts end where memory that can be read ends.
 */
#include "concolic/abi.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define PAGE 4096
#define PLACES 4
#define ROOM 64 /* bytes of a place that can be used */

uint8_t __mz_sym_active = 1, __mz_sym_steps;

/* ---- memory: places for arguments, twice ---- */

/* The bytes of a place end where a page begins that is not there. */
static char *places[2][PLACES];
static const char *function = "";
static unsigned long round_number;
static char *words;

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *text, ...)
{
	va_list list;
	va_start(list, text);
	printf("%s, round %lu%s: ", function, round_number, __mz_sym_steps ? ", byte by byte" : "");
	vprintf(text, list);
	va_end(list);
	printf("\n");
	fflush(stdout);
	_Exit(1);
}

static void make_places(void)
{
	for (int n = 0; n < 2 * PLACES; n++) {
		char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0) fail("there is no memory");
		places[n / PLACES][n % PLACES] = pages + PAGE - ROOM;
	}
}

/* Bytes of the first places that the model announced, and may have written. */
static bool read_there[PLACES][ROOM], written_there[PLACES][ROOM];
static char before[PLACES][ROOM];

static unsigned pick(unsigned n)
{
	return (unsigned)random() % n;
}

/* Gives both copies of all places the same random content. */
static void begin(const char *name)
{
	function = name;
	for (int p = 0; p < PLACES; p++)
		for (int i = 0; i < ROOM; i++) places[0][p][i] = places[1][p][i] = before[p][i] = (char)pick(256);
	memset(read_there, 0, sizeof read_there);
	memset(written_there, 0, sizeof written_there);
	__mz_sym_steps = pick(2);
}

/* Returns where a text of random characters is that ends with its place. */
static unsigned put_text(int place, const char *characters, unsigned most)
{
	unsigned length = pick(most + 1), start = ROOM - 1 - length;
	for (unsigned i = start; i < ROOM; i++) {
		char c = i == ROOM - 1 ? '\0' : characters[pick((unsigned)strlen(characters))];
		if (characters[0] == '\x80' && c) c = (char)(1 + pick(255));
		places[0][place][i] = places[1][place][i] = before[place][i] = c;
	}
	return start;
}

/* Compares the two copies. Whatever is not as it was the model has announced. */
static void compare_memory(void)
{
	for (int p = 0; p < PLACES; p++)
		for (int i = 0; i < ROOM; i++) {
			if (places[0][p][i] != places[1][p][i])
				fail("byte %d of place %d is %d, not %d", i, p, places[0][p][i], places[1][p][i]);
			if (places[0][p][i] != before[p][i] && !written_there[p][i])
				fail("byte %d of place %d was not announced", i, p);
		}
}

/* Returns a pointer into a place as a number that is the same in both copies. */
static long at(int copy, const void *pointer)
{
	for (int p = 0; p < PLACES && pointer; p++) {
		const char *place = places[copy][p];
		if ((const char *)pointer >= place && (const char *)pointer <= place + ROOM)
			return (p + 1) * 1000 + ((const char *)pointer - place);
	}
	return pointer ? -1 : 0;
}

static void expect_read(int place, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		if (!read_there[place][i]) fail("the read of byte %u of place %d was not announced", i, place);
}

static void expect(long model, long real)
{
	if (model != real) fail("%ld, not %ld", model, real);
}

/* Runs a call with the model, then one with the function. `X` is the function, `c` the copy. */
#define BOTH(name, call)                                                                                               \
	do {                                                                                                           \
		long results[2];                                                                                       \
		int errors[2];                                                                                         \
		for (int c = 0; c < 2; c++) {                                                                          \
			__typeof__(name) *X = c ? name : __mz_model_##name;                                            \
			errno = 0;                                                                                     \
			results[c] = (long)(call);                                                                     \
			errors[c] = errno;                                                                             \
		}                                                                                                      \
		expect(results[0], results[1]);                                                                        \
		if (errors[0] != errors[1]) fail("errno is %d, not %d", errors[0], errors[1]);                         \
		compare_memory();                                                                                      \
	} while (0)
#define PLACE(p, i) (places[c][p] + (i))

#define DECLARE(name) extern __typeof__(name) __mz_model_##name;
DECLARE(strlen)
DECLARE(strnlen)
DECLARE(strcmp)
DECLARE(strncmp)
DECLARE(strcasecmp)
DECLARE(strncasecmp)
DECLARE(memcmp)
DECLARE(bcmp)
DECLARE(strchr)
DECLARE(strrchr)
DECLARE(memchr)
DECLARE(strcpy)
DECLARE(stpcpy)
DECLARE(strncpy)
DECLARE(strcat)
DECLARE(strncat)
DECLARE(strstr)
DECLARE(strspn)
DECLARE(strcspn)
DECLARE(strpbrk)
DECLARE(strdup)
DECLARE(strndup)
DECLARE(atoi)
DECLARE(atol)
DECLARE(atoll)
DECLARE(strtol)
DECLARE(strtoll)
DECLARE(strtoul)
DECLARE(strtoull)
DECLARE(abs)
DECLARE(labs)
DECLARE(llabs)
DECLARE(isalnum)
DECLARE(isalpha)
DECLARE(isblank)
DECLARE(iscntrl)
DECLARE(isdigit)
DECLARE(isgraph)
DECLARE(islower)
DECLARE(isprint)
DECLARE(ispunct)
DECLARE(isspace)
DECLARE(isupper)
DECLARE(isxdigit)
DECLARE(tolower)
DECLARE(toupper)
DECLARE(qsort)
DECLARE(bsearch)
DECLARE(strchrnul)
DECLARE(memrchr)
DECLARE(strsep)
DECLARE(strtok)
DECLARE(strtok_r)
DECLARE(memmem)
DECLARE(getopt)
DECLARE(getopt_long)
DECLARE(getopt_long_only)
DECLARE(fgetc)
DECLARE(ungetc)
DECLARE(fgets)
DECLARE(getline)
DECLARE(getdelim)
DECLARE(snprintf)
DECLARE(sscanf)
DECLARE(fscanf)

/* ---- texts ---- */

#define FEW "ab"
#define LETTERS "aAbBzZ[@"
#define ANY "\x80"

static const char *any_alphabet(void)
{
	static const char *const alphabets[] = {FEW, LETTERS, ANY};
	return alphabets[pick(3)];
}

static void test_lengths(void)
{
	begin("strlen");
	unsigned s = put_text(0, ANY, 20), n = pick(24);
	BOTH(strlen, X(PLACE(0, s)));
	expect_read(0, s, ROOM);
	begin("strnlen");
	s = put_text(0, ANY, 20);
	BOTH(strnlen, X(PLACE(0, s), n));
	expect_read(0, s, s + n < ROOM ? s + n : ROOM);
}

static void test_comparisons(void)
{
	const char *alphabet = any_alphabet();
	begin("strcmp");
	unsigned s = put_text(0, alphabet, 6), t = put_text(1, alphabet, 6), n = pick(8);
	size_t most = pick(10) ? n : SIZE_MAX;
	BOTH(strcmp, X(PLACE(0, s), PLACE(1, t)));
	begin("strncmp");
	s = put_text(0, alphabet, 6), t = put_text(1, alphabet, 6);
	BOTH(strncmp, X(PLACE(0, s), PLACE(1, t), most));
	begin("strcasecmp");
	s = put_text(0, alphabet, 6), t = put_text(1, alphabet, 6);
	BOTH(strcasecmp, X(PLACE(0, s), PLACE(1, t)));
	begin("strncasecmp");
	s = put_text(0, alphabet, 6), t = put_text(1, alphabet, 6);
	BOTH(strncasecmp, X(PLACE(0, s), PLACE(1, t), n));
	begin("memcmp");
	put_text(0, alphabet, ROOM - 1), put_text(1, alphabet, ROOM - 1);
	BOTH(memcmp, X(PLACE(0, ROOM - n), PLACE(1, ROOM - n), n));
	function = "bcmp";
	BOTH(bcmp, !X(PLACE(0, ROOM - n), PLACE(1, ROOM - n), n));
}

static void test_characters_in_text(void)
{
	const char *alphabet = any_alphabet();
	int byte = pick(4) ? alphabet[pick((unsigned)strlen(alphabet))] : (int)random();
	begin("strchr");
	unsigned s = put_text(0, alphabet, 12), n = pick(ROOM + 1);
	BOTH(strchr, at(c, X(PLACE(0, s), byte)));
	BOTH(strchr, at(c, X(PLACE(0, s), 0)));
	function = "strrchr";
	BOTH(strrchr, at(c, X(PLACE(0, s), byte)));
	function = "strchrnul";
	BOTH(strchrnul, at(c, X(PLACE(0, s), byte)));
	function = "memchr";
	BOTH(memchr, at(c, X(PLACE(0, ROOM - n), byte, n)));
	BOTH(memchr, at(c, X(PLACE(0, s), 0, SIZE_MAX)));
	function = "memrchr";
	BOTH(memrchr, at(c, X(PLACE(0, ROOM - n), byte, n)));
}

static void test_parts(void)
{
	const char *alphabet = pick(2) ? FEW : LETTERS;
	begin("strstr");
	unsigned s = put_text(0, alphabet, 12), t = put_text(1, alphabet, 4);
	BOTH(strstr, at(c, X(PLACE(0, s), PLACE(1, t))));
	function = "memmem";
	BOTH(memmem, at(c, X(PLACE(0, s), ROOM - s, PLACE(1, t), ROOM - 1 - t)));
	function = "strspn";
	BOTH(strspn, X(PLACE(0, s), PLACE(1, t)));
	function = "strcspn";
	BOTH(strcspn, X(PLACE(0, s), PLACE(1, t)));
	function = "strpbrk";
	BOTH(strpbrk, at(c, X(PLACE(0, s), PLACE(1, t))));
}

static void test_copies(void)
{
	begin("strcpy");
	unsigned s = put_text(0, ANY, 15), to = 20 + pick(20), n = pick(24);
	BOTH(strcpy, at(c, X(PLACE(1, ROOM - (ROOM - s)), PLACE(0, s))));
	begin("stpcpy");
	s = put_text(0, ANY, 15);
	BOTH(stpcpy, at(c, X(PLACE(1, to), PLACE(0, s))));
	begin("strncpy");
	s = put_text(0, ANY, 15);
	BOTH(strncpy, at(c, X(PLACE(1, to), PLACE(0, s), n)));
	begin("strcat");
	s = put_text(0, ANY, 15);
	places[0][1][to] = places[1][1][to] = before[1][to] = 0;
	BOTH(strcat, at(c, X(PLACE(1, to - (to > 20)), PLACE(0, s))));
	begin("strncat");
	s = put_text(0, ANY, 15);
	places[0][1][to] = places[1][1][to] = before[1][to] = 0;
	BOTH(strncat, at(c, X(PLACE(1, to), PLACE(0, s), n)));
}

/* Returns a hash of a text that was allocated, and frees that. */
static long content(char *text, bool line)
{
	long hash = text ? 17 : 0;
	for (const char *each = text; each && *each; each++) hash = hash * 31 + *each;
	(void)line;
	free(text);
	return hash;
}

static void test_duplicates(void)
{
	begin("strdup");
	unsigned s = put_text(0, ANY, 15), n = pick(20);
	BOTH(strdup, content(X(PLACE(0, s)), false));
	function = "strndup";
	BOTH(strndup, content(X(PLACE(0, s), n), false));
}

static void test_taking_apart(void)
{
	const char *alphabet = pick(2) ? FEW : "a,;";
	char *rest[2];
	begin("strtok_r");
	unsigned s = put_text(0, alphabet, 12), t = put_text(1, alphabet + 1, 3);
	BOTH(strtok_r, at(c, X(PLACE(0, s), PLACE(1, t), &rest[c])));
	for (int i = 0; i < 14; i++) {
		expect(at(0, rest[0]), at(1, rest[1]));
		BOTH(strtok_r, at(c, X(NULL, PLACE(1, t), &rest[c])));
	}
	begin("strtok");
	s = put_text(0, alphabet, 12), t = put_text(1, alphabet + 1, 3);
	BOTH(strtok, at(c, X(PLACE(0, s), PLACE(1, t))));
	for (int i = 0; i < 14; i++) BOTH(strtok, at(c, X(NULL, PLACE(1, t))));
	begin("strsep");
	s = put_text(0, alphabet, 12), t = put_text(1, alphabet + 1, 3);
	rest[0] = places[0][0] + s, rest[1] = places[1][0] + s;
	for (int i = 0; i < 14; i++) {
		BOTH(strsep, at(c, X(&rest[c], PLACE(1, t))));
		expect(at(0, rest[0]), at(1, rest[1]));
	}
}

/* ---- numbers ---- */

static unsigned put_number(int place)
{
	static const char *const beginnings[] = {"",
	                                         " ",
	                                         "-",
	                                         "\t\n+",
	                                         "0x",
	                                         "0X",
	                                         " -0x",
	                                         "9223372036854775807",
	                                         "-9223372036854775808",
	                                         "18446744073709551615",
	                                         "0",
	                                         "\v\f\r 0",
	                                         "- 1",
	                                         "+-",
	                                         "0x0x",
	                                         "\xa0"};
	const char *first = beginnings[pick(sizeof beginnings / sizeof *beginnings)];
	char text[ROOM];
	unsigned s = put_text(place, pick(2) ? "0123456789" : "0189afgzAFZx_ ", 14);
	size_t length = (size_t)snprintf(text, sizeof text, "%s%s", first, places[0][place] + s);
	s = (unsigned)(ROOM - 1 - length);
	memcpy(places[0][place] + s, text, length + 1);
	memcpy(places[1][place] + s, text, length + 1);
	memcpy(before[place] + s, text, length + 1);
	return s;
}

#define TEST_NUMBER(name)                                                                                              \
	function = #name;                                                                                              \
	BOTH(name, X(PLACE(0, s), NULL, base));                                                                        \
	ends[0] = ends[1] = NULL;                                                                                      \
	BOTH(name, X(PLACE(0, s), &ends[c], base));                                                                    \
	expect(at(0, ends[0]), at(1, ends[1]));

static void test_numbers(void)
{
	char *ends[2];
	int base = pick(3) ? (int[]){0, 8, 10, 16, 36, 2}[pick(6)] : (int)pick(42) - 3;
	if (!pick(50)) base = pick(2) ? INT_MIN : INT_MAX;
	begin("");
	unsigned s = put_number(0);
	TEST_NUMBER(strtol)
	TEST_NUMBER(strtoll)
	TEST_NUMBER(strtoul)
	TEST_NUMBER(strtoull)
	function = "atoi";
	BOTH(atoi, X(PLACE(0, s)));
	BOTH(atol, X(PLACE(0, s)));
	BOTH(atoll, X(PLACE(0, s)));
}

#define TEST_KIND(name)                                                                                                \
	function = #name;                                                                                              \
	for (int i = -128; i < 256; i++) BOTH(name, X(i));

static void test_kinds(void)
{
	begin("");
	TEST_KIND(isalnum)
	TEST_KIND(isalpha)
	TEST_KIND(isblank)
	TEST_KIND(iscntrl)
	TEST_KIND(isdigit)
	TEST_KIND(isgraph)
	TEST_KIND(islower)
	TEST_KIND(isprint)
	TEST_KIND(ispunct)
	TEST_KIND(isspace)
	TEST_KIND(isupper)
	TEST_KIND(isxdigit)
	TEST_KIND(tolower)
	TEST_KIND(toupper)
	for (int i = 256; i < 1000; i++) {
		BOTH(tolower, X(i) + X(-i));
		BOTH(toupper, X(i) + X(-i));
	}
}

uint64_t __mz_model_ctpop(uint64_t value, uint32_t width);
uint64_t __mz_model_ctlz(uint64_t value, uint32_t width);
uint64_t __mz_model_cttz(uint64_t value, uint32_t width);
uint64_t __mz_model_bitreverse(uint64_t value, uint32_t width);

static void test_bits(void)
{
	unsigned width = 1 + pick(64), spare = 64 - width;
	uint64_t value =
	    ((uint64_t)random() << 40 ^ (uint64_t)random() << 20 ^ (uint64_t)random()) >> pick(64) << spare >> spare;
	uint64_t reversed = 0;
	for (unsigned i = 0; i < width; i++) reversed |= (value >> i & 1) << (width - 1 - i);
	begin("bits");
	expect((long)__mz_model_ctpop(value, width), __builtin_popcountll(value));
	expect((long)__mz_model_ctlz(value, width), value ? __builtin_clzll(value) - (int)spare : (int)width);
	expect((long)__mz_model_cttz(value, width), value ? __builtin_ctzll(value) : (int)width);
	expect((long)__mz_model_bitreverse(value, width), (long)reversed);
	long number = (long)((uint64_t)random() << 33 ^ (uint64_t)random() << 2);
	BOTH(abs, X((int)number));
	BOTH(labs, X(number));
	BOTH(llabs, X(number));
	BOTH(llabs, X(LLONG_MIN));
}

/* ---- sorting ---- */

#define MOST_ITEMS 300
#define MOST_SIZE 300
static char items[2][MOST_ITEMS * MOST_SIZE], *sorted;
static size_t item_size;
static unsigned long calls, order_seed;

static int compare_items(const void *a, const void *b)
{
	const unsigned char *x = a, *y = b;
	calls = calls * 31 + (unsigned long)((const char *)a - sorted) * 7 + (unsigned long)((const char *)b - sorted);
	if (order_seed > 1) return (int)((*x * order_seed ^ *y * 77 * order_seed) >> 9 & 3) - 1; /* no order at all */
	return order_seed ? *y / 4 - *x / 4 : *x - *y;
}

static long sort(void (*function_of)(void *, size_t, size_t, int (*)(const void *, const void *)), int copy, size_t n)
{
	calls = 0;
	sorted = items[copy];
	function_of(items[copy], n, item_size, compare_items);
	return (long)calls;
}

static const void *search(__typeof__(bsearch) *function_of, const void *key, int copy, size_t n)
{
	sorted = items[copy];
	return function_of(key, items[copy], n, item_size, compare_items);
}

static void test_sort(void)
{
	size_t n = pick(20) ? pick(40) : pick(MOST_ITEMS);
	char key = (char)pick(256);
	begin("qsort");
	item_size = pick(10) ? 1 + pick(40) : pick(MOST_SIZE);
	order_seed = pick(3) ? pick(2) : 2 + pick(1000);
	for (size_t i = 0; i < sizeof items[0]; i++) items[0][i] = items[1][i] = (char)random();
	BOTH(qsort, sort(X, c, n));
	if (memcmp(items[0], items[1], sizeof items[0]) != 0) fail("the order is another one");
	function = "bsearch";
	BOTH(bsearch, ({
		     const char *found = search(X, &key, c, item_size ? n : 0);
		     found ? found - items[c] : -1;
	     }));
}

/* ---- options ---- */

static const struct option longs[] = {
    {"all", no_argument, NULL, 'a'}, {"also", required_argument, NULL, 1}, {"b", optional_argument, NULL, 2}, {0}};

static long parse(int copy, unsigned way, char *const *texts)
{
	char *arguments[6] = {(char *)"p", texts[0], texts[1], texts[2], texts[3], NULL};
	const char *shorts = (const char *[]){"ab:c", ":a:b", "+ab", "-ab"}[way / 3];
	long hash = 0;
	int result = 0, index = 0;
	optind = 0;
	opterr = 0;
	for (int i = 0; i < 8 && result != -1; i++) {
		if (way % 3 == 0)
			result = (copy ? getopt : __mz_model_getopt)(5, arguments, shorts);
		else if (way % 3 == 1)
			result = (copy ? getopt_long : __mz_model_getopt_long)(5, arguments, shorts, longs, &index);
		else
			result = (copy ? getopt_long_only : __mz_model_getopt_long_only)(5, arguments, shorts, longs,
			                                                                 &index);
		hash =
		    hash * 31 + result + 7 * optind + 97 * index + (result == '?' || result == ':' ? 991 * optopt : 0);
		if (result != -1 && optarg) hash = hash * 31 + content(strdup(optarg), false);
	}
	return hash;
}

static void test_options(void)
{
	static char *texts[] = {(char *)"-a",     (char *)"-b", (char *)"-abx",  (char *)"-x",       (char *)"--",
	                        (char *)"-",      (char *)"x",  (char *)"--all", (char *)"--al",     (char *)"--also=1",
	                        (char *)"--also", (char *)"-c", (char *)"-all",  (char *)"--nothing"};
	char *chosen[4];
	unsigned way = pick(12);
	begin("getopt");
	for (int i = 0; i < 4; i++) chosen[i] = texts[pick(sizeof texts / sizeof *texts)];
	long model = parse(0, way, chosen);
	expect(model, parse(1, way, chosen));
}

/* ---- scanning and streams ---- */

static const char *const pieces[] = {
    "%d",       "%i",    "%u",     "%x",  "%o",  "%c", "%3c", "%5s", "%[a-c]", "%[^a]",   "%2[]x]", "%[z-a]",
    "%[a-c-e]", "%[-a]", "%[^]b]", "%*d", "%n",  "%%", " ",   "a",   "%hhd",   "%hd",     "%ld",    "%lld",
    "%2d",      "%*s",   "%X",     "%1i", "%3x", ",",  "%*n", "%*c", "%[a-]",  "%[b-bc]", "%zu",    "%1d"};

static void make_format(char *format)
{
	*format = 0;
	for (unsigned n = 1 + pick(4); n > 0; n--) strcat(format, pieces[pick(sizeof pieces / sizeof *pieces)]);
}

#define SLOTS(c) PLACE(1, 0), PLACE(1, 24), PLACE(2, 0), PLACE(2, 24)

static void test_scan(void)
{
	char format[64];
	make_format(format);
	begin("sscanf");
	unsigned s = put_text(0, pick(2) ? "01 9-+xXab" : "abcz,]-% \t0", 20);
	for (unsigned i = s; i < ROOM && pick(30) == 0; i++) places[0][0][i] = places[1][0][i];
	BOTH(sscanf, X(PLACE(0, s), format, SLOTS(c)));
	FILE *streams[2];
	for (int c = 0; c < 2; c++) streams[c] = fmemopen(places[c][0] + s, s == ROOM - 1 ? 1 : ROOM - 1 - s, "r");
	begin("fscanf");
	BOTH(fscanf, X(streams[c], format, SLOTS(c)));
	expect(ftell(streams[0]), ftell(streams[1]));
	expect(feof(streams[0]) != 0, feof(streams[1]) != 0);
	for (int c = 0; c < 2; c++) fclose(streams[c]);
}

/* ---- printing: the model composes by itself what the function prints ---- */

static unsigned resembled;
static bool numbers_are_known;

int __mz_sym_print(char *to, uint64_t size, uint64_t room, const char *format, va_list list, const void *code)
{
	va_list again;
	(void)room;
	va_copy(again, list);
	size_t length = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	__mz_sym_touch(to, length < size ? length : size, 1, code);
	return vsnprintf(to, size, format, list);
}

void __mz_sym_resemble(char *to, const char *from, uint64_t size, const void *code)
{
	(void)code;
	resembled++;
	if (memcmp(to, from, size) != 0) fail("'%.*s' was composed, not '%.*s'", (int)size, from, (int)size, to);
}

/* Adds a conversion to a format, and its arguments. Returns how many these are. */
static unsigned add_conversion(char *format, long *arguments, const char *text)
{
	static const char *const sizes[] = {"", "", "", "hh", "h", "l", "ll", "j", "z", "t"};
	char number[8], type = (numbers_are_known ? "diouxXcs%p" : "diouxXcs%")[pick(numbers_are_known ? 10 : 9)];
	unsigned n = 0;
	strcat(format, "%");
	for (unsigned flags = pick(3); flags > 0; flags--) strncat(format, &"-+ #0"[pick(5)], 1);
	for (int part = 0; part < 2; part++) {
		if (pick(2)) continue;
		if (part) strcat(format, ".");
		snprintf(number, sizeof number, "%u", pick(26));
		bool given = numbers_are_known && pick(2);
		if (given) arguments[n++] = (long)pick(50) - 25;
		strcat(format, given ? "*" : part || *number != '0' ? number : "");
	}
	if (strchr("diouxX", type)) strcat(format, sizes[pick(sizeof sizes / sizeof *sizes)]);
	strncat(format, &type, 1);
	if (type == '%') return n;
	arguments[n] = (long)((unsigned long)random() << 33 ^ (unsigned long)random() << 8 ^ (unsigned long)pick(256));
	arguments[n] >>= pick(64);
	if (type == 'p' && pick(4) == 0) arguments[n] = 0;
	if (type == 's') arguments[n] = pick(8) ? (long)text : 0;
	return n + 1;
}

static void test_print(void)
{
	char format[256] = "";
	long a[16] = {0};
	begin("snprintf");
	numbers_are_known = pick(2);
	unsigned n = 0, parts = 1 + pick(3), s = put_text(0, ANY, 20), size = pick(ROOM + 1);
	for (unsigned i = 0; i < parts; i++) {
		if (pick(3) == 0) strcat(format, "a ");
		n += add_conversion(format, a + n, places[0][0] + s);
	}
	strcat(format, "%s");
	a[n] = (long)(places[0][0] + s);
	resembled = 0;
	BOTH(snprintf,
	     X(PLACE(1, ROOM - size), size, format, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]));
	if (!numbers_are_known && resembled != 1) fail("%s was not composed", format);
	numbers_are_known = false;
}

static void test_streams(void)
{
	char text[80], *lines[2] = {NULL, NULL};
	size_t sizes[2] = {0, 0};
	FILE *streams[2];
	unsigned n = 1 + pick(79);
	for (unsigned i = 0; i < n; i++) text[i] = "ab\n\xff"[pick(4)];
	begin("streams");
	for (int c = 0; c < 2; c++) streams[c] = fmemopen(text, n, "r");
	for (int i = 0; i < 6; i++) {
		unsigned what = pick(5), size = pick(12);
		long length = 0;
		function = (const char *[]){"fgets", "fgetc", "getline", "getdelim", "ungetc"}[what];
		if (what == 0) BOTH(fgets, at(c, X(PLACE(0, 10), (int)size, streams[c])));
		if (what == 1) BOTH(fgetc, X(streams[c]));
		if (what == 2) BOTH(getline, length = X(&lines[c], &sizes[c], streams[c]));
		if (what == 3) BOTH(getdelim, length = X(&lines[c], &sizes[c], 'a', streams[c]));
		if (what == 4 && ftell(streams[0]) > 0) BOTH(ungetc, X('x', streams[c]));
		if (length > 0 && (what == 2 || what == 3)) expect(strcmp(lines[0], lines[1]), 0);
		expect((long)sizes[0], (long)sizes[1]);
		expect(ftell(streams[0]), ftell(streams[1]));
		expect(feof(streams[0]) != 0, feof(streams[1]) != 0);
	}
	for (int c = 0; c < 2; c++) free(lines[c]), fclose(streams[c]);
}

/* ---- the library's part ---- */

void __mz_sym_touch(const void *address, uint64_t size, uint32_t writes, const void *code)
{
	(void)code;
	long where = at(0, address);
	if (where <= 0) return;
	for (uint64_t i = 0; i < size; i++) {
		long place = where / 1000 - 1, offset = where % 1000 + (long)i;
		if (offset >= ROOM) fail("an access beyond place %ld was announced", place);
		(writes ? written_there : read_there)[place][offset] = true;
	}
}

int __mz_sym_depends(const void *address, uint64_t size)
{
	(void)address;
	return !numbers_are_known || (size != sizeof(int) && size != sizeof(long));
}

char **__mz_sym_words(const void *code)
{
	(void)code;
	return &words;
}

/* ---- */

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	srandom(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
	make_places();
	test_kinds();
	for (round_number = 0; round_number < rounds; round_number++) {
		test_lengths();
		test_comparisons();
		test_characters_in_text();
		test_parts();
		test_copies();
		test_duplicates();
		test_taking_apart();
		test_numbers();
		test_bits();
		test_sort();
		test_options();
		test_scan();
		test_print();
		test_streams();
	}
	printf("%lu rounds\n", rounds);
	return 0;
}
