/* SPDX-License-Identifier: MIT
 *
 * Strings and bytes: what searches and compares. Each byte is looked at with a branch of its own, as the first byte
 * that differs, or ends the string, decides. Comparisons return the difference of the first bytes that differ, as the C
 * library's do on this machine.
 */
#include "concolic/models/models.h"
#include <string.h>
#include <strings.h>

size_t MODEL(strlen)(const char *s);
size_t MODEL(strnlen)(const char *s, size_t max);
int MODEL(strcmp)(const char *a, const char *b);
int MODEL(strncmp)(const char *a, const char *b, size_t n);
int MODEL(strcasecmp)(const char *a, const char *b);
int MODEL(strncasecmp)(const char *a, const char *b, size_t n);
int MODEL(memcmp)(const void *a, const void *b, size_t n);
int MODEL(bcmp)(const void *a, const void *b, size_t n);
void *MODEL(memchr)(const void *s, int c, size_t n);
char *MODEL(strchr)(const char *s, int c);
char *MODEL(strrchr)(const char *s, int c);
char *MODEL(strstr)(const char *s, const char *part);
size_t MODEL(strspn)(const char *s, const char *set);
size_t MODEL(strcspn)(const char *s, const char *set);
char *MODEL(strpbrk)(const char *s, const char *set);
char *MODEL(strchrnul)(const char *s, int c);
void *MODEL(memrchr)(const void *s, int c, size_t n);
char *MODEL(strsep)(char **rest, const char *set);
char *MODEL(strtok)(char *s, const char *set);
char *MODEL(strtok_r)(char *s, const char *set, char **rest);
void *MODEL(memmem)(const void *s, size_t n, const void *part, size_t length);

/* ---- lengths ---- */

size_t MODEL(strlen)(const char *s)
{
	if (CONCRETE || is_concrete_text(s, SIZE_MAX, HERE)) GO_ON strlen(s);
	size_t n = decide_length(s, SIZE_MAX, HERE);
	tell_read(s, n + 1, HERE);
	return n;
}

size_t MODEL(strnlen)(const char *s, size_t max)
{
	if (CONCRETE || (KNOWN(max) && is_concrete_text(s, max, HERE))) GO_ON strnlen(s, max);
	size_t n = decide_length(s, max, HERE);
	tell_read(s, looked_at(n, max), HERE);
	return n;
}

/* ---- comparisons ---- */

/* Returns the small letter of a capital one. */
static int small(unsigned char c)
{
	return c + 32 * (c - (unsigned)'A' <= 'Z' - 'A');
}

/* Reports whether no byte that a comparison looks at depends on inputs. */
static bool are_concrete(const char *a, const char *b, size_t n, bool folds, const void *code)
{
	size_t looked = STEPS ? 0 : __mz_sym_compared(a, b, n, folds, code);
	return is_concrete(a, looked) && is_concrete(b, looked);
}

static int compare(const char *a, const char *b, size_t n, bool folds, const void *code)
{
	size_t i = 0;
	int order = 0;
	for (bool more = true; more && i < n; i++) {
		int x = look(a + i, code), y = look(b + i, code);
		if (folds) x = small((unsigned char)x), y = small((unsigned char)y);
		if (x != y) order = x - y;
		more = x == y && x;
	}
	tell_read(a, i, code);
	tell_read(b, i, code);
	return order;
}

int MODEL(strncmp)(const char *a, const char *b, size_t n)
{
	if (CONCRETE || (KNOWN(n) && are_concrete(a, b, n, false, HERE))) GO_ON strncmp(a, b, n);
	return compare(a, b, n, false, HERE);
}

int MODEL(strcmp)(const char *a, const char *b)
{
	if (CONCRETE || are_concrete(a, b, SIZE_MAX, false, HERE)) GO_ON strcmp(a, b);
	return compare(a, b, SIZE_MAX, false, HERE);
}

int MODEL(strncasecmp)(const char *a, const char *b, size_t n)
{
	if (CONCRETE || (KNOWN(n) && are_concrete(a, b, n, true, HERE))) GO_ON strncasecmp(a, b, n);
	return compare(a, b, n, true, HERE);
}

int MODEL(strcasecmp)(const char *a, const char *b)
{
	if (CONCRETE || are_concrete(a, b, SIZE_MAX, true, HERE)) GO_ON strcasecmp(a, b);
	return compare(a, b, SIZE_MAX, true, HERE);
}

/* Memory counts as looked at as a whole, wherever the first difference is. */
static int compare_memory(const unsigned char *a, const unsigned char *b, size_t n, const void *code)
{
	tell_read(a, n, code);
	tell_read(b, n, code);
	for (size_t i = 0; i < n; i++) {
		int x = look(a + i, code), y = look(b + i, code);
		if (x != y) return x - y;
	}
	return 0;
}

int MODEL(memcmp)(const void *a, const void *b, size_t n)
{
	if (CONCRETE || (is_concrete(a, n) && is_concrete(b, n))) GO_ON memcmp(a, b, n);
	return compare_memory(a, b, n, HERE);
}

int MODEL(bcmp)(const void *a, const void *b, size_t n)
{
	if (CONCRETE || (is_concrete(a, n) && is_concrete(b, n))) GO_ON bcmp(a, b, n);
	return compare_memory(a, b, n, HERE);
}

/* ---- single characters ---- */

void *MODEL(memchr)(const void *s, int c, size_t n)
{
	const unsigned char *bytes = s;
	if (CONCRETE || (KNOWN(c) && KNOWN(n) && is_concrete(s, n))) GO_ON memchr(s, c, n);
	size_t i = 0;
	while (i < n && look(bytes + i, HERE) != (unsigned char)c) i++;
	tell_read(bytes, looked_at(i, n), HERE);
	return i < n ? (void *)(bytes + i) : NULL;
}

void *MODEL(memrchr)(const void *s, int c, size_t n)
{
	const unsigned char *bytes = s;
	if (CONCRETE || (KNOWN(c) && is_concrete(s, n))) GO_ON memrchr(s, c, n);
	tell_read(bytes, n, HERE);
	while (n > 0)
		if (look(bytes + --n, HERE) == (unsigned char)c) return (void *)(bytes + n);
	return NULL;
}

/* Returns the place of the first character that is `c`, or of the end; what is there goes to `found`. */
static char *seek(const char *s, char c, char *found, const void *code)
{
	const char *at = s;
	for (char here; (here = *found = (char)look(at, code)) != c && here; at++) {}
	tell_read(s, (size_t)(at - s) + 1, code);
	return (char *)at;
}

char *MODEL(strchrnul)(const char *s, int c)
{
	char found;
	if (CONCRETE || (KNOWN(c) && is_concrete_text(s, SIZE_MAX, HERE))) GO_ON strchrnul(s, c);
	return seek(s, (char)c, &found, HERE);
}

char *MODEL(strchr)(const char *s, int c)
{
	char found;
	if (CONCRETE || (KNOWN(c) && is_concrete_text(s, SIZE_MAX, HERE))) GO_ON strchr(s, c);
	char *at = seek(s, (char)c, &found, HERE);
	return found == (char)c ? at : NULL;
}

char *MODEL(strrchr)(const char *s, int c)
{
	const char *last = NULL, *at = s;
	if (CONCRETE || (KNOWN(c) && is_concrete_text(s, SIZE_MAX, HERE))) GO_ON strrchr(s, c);
	for (char here = 1; here; at++) {
		here = (char)look(at, HERE);
		if (here == (char)c) last = at;
	}
	tell_read(s, (size_t)(at - s), HERE);
	return (char *)last;
}

/* ---- parts ---- */

/* Reports whether the `length` bytes of `part` are at `s`. */
static bool is_there(const char *s, const char *part, size_t length, const void *code)
{
	for (size_t i = 0; i < length; i++)
		if (look(s + i, code) != look(part + i, code)) return false;
	return true;
}

char *MODEL(strstr)(const char *s, const char *part)
{
	if (CONCRETE || (is_concrete_text(s, SIZE_MAX, HERE) && is_concrete_text(part, SIZE_MAX, HERE)))
		GO_ON strstr(s, part);
	size_t length = decide_length(part, SIZE_MAX, HERE), i = 0;
	bool found;
	while (!(found = is_there(s + i, part, length, HERE)) && look(s + i, HERE)) i++;
	tell_read(s, found ? i + length : i + 1, HERE);
	tell_read(part, length + 1, HERE);
	return found ? (char *)s + i : NULL;
}

void *MODEL(memmem)(const void *s, size_t n, const void *part, size_t length)
{
	const char *bytes = s;
	if (CONCRETE || (is_concrete(s, n) && is_concrete(part, length))) GO_ON memmem(s, n, part, length);
	tell_read(s, n, HERE);
	tell_read(part, length, HERE);
	for (; n >= length; bytes++, n--)
		if (is_there(bytes, part, length, HERE)) return (void *)bytes;
	return NULL;
}

/* ---- sets ---- */

/* A set of characters. */
struct set {
	const char *characters;
	size_t length;
};

static struct set decide_set(const char *characters, const void *code)
{
	return (struct set){characters, decide_length(characters, SIZE_MAX, code)};
}

static bool has(const struct set *set, char c, const void *code)
{
	for (size_t i = 0; i < set->length; i++)
		if ((char)look(set->characters + i, code) == c) return true;
	return false;
}

/* How many characters at the beginning of a string are in a set, or are not, and the first one behind them. */
struct span {
	size_t length;
	char stop;
};

static struct span span(const char *s, const struct set *set, bool in, const void *code)
{
	struct span span = {0, 0};
	while ((span.stop = (char)look(s + span.length, code)) && has(set, span.stop, code) == in) span.length++;
	return span;
}

static struct span tell_span(const char *s, const char *characters, bool in, const void *code)
{
	const struct set set = decide_set(characters, code);
	struct span found = span(s, &set, in, code);
	tell_read(s, found.length + 1, code);
	tell_read(characters, set.length + 1, code);
	return found;
}

#define ARE_CONCRETE(s, set)                                                                                           \
	(CONCRETE || (is_concrete_text(s, SIZE_MAX, HERE) && is_concrete_text(set, SIZE_MAX, HERE)))

size_t MODEL(strspn)(const char *s, const char *set)
{
	if (ARE_CONCRETE(s, set)) GO_ON strspn(s, set);
	return tell_span(s, set, true, HERE).length;
}

size_t MODEL(strcspn)(const char *s, const char *set)
{
	if (ARE_CONCRETE(s, set)) GO_ON strcspn(s, set);
	return tell_span(s, set, false, HERE).length;
}

char *MODEL(strpbrk)(const char *s, const char *set)
{
	if (ARE_CONCRETE(s, set)) GO_ON strpbrk(s, set);
	struct span before = tell_span(s, set, false, HERE);
	return before.stop ? (char *)s + before.length : NULL;
}

/* ---- taking strings apart ---- */

/* Ends a part at `end` with NUL, unless the string ends there, and tells what was looked at from `s` on. Returns where
 * the next part begins. */
static char *cut(const char *s, const struct set *set, char *end, bool is_last, const void *code)
{
	tell_read(set->characters, set->length + 1, code);
	tell_read(s, (size_t)(end - s) + 1, code);
	if (is_last) return end;
	tell_write(end, 1, code);
	if (STEPS)
		put(end, '\0', code);
	else
		__mz_sym_zero(end, 1, code);
	return end + 1;
}

char *MODEL(strsep)(char **rest, const char *set)
{
	char *start = *rest;
	if (CONCRETE || !start || ARE_CONCRETE(start, set)) GO_ON strsep(rest, set);
	const struct set separators = decide_set(set, HERE);
	struct span part = span(start, &separators, false, HERE);
	char *next = cut(start, &separators, start + part.length, !part.stop, HERE);
	*rest = part.stop ? next : NULL;
	return start;
}

static char *take_part(char *s, const char *set, char **rest, const void *code)
{
	const struct set separators = decide_set(set, code);
	char *start = s + span(s, &separators, true, code).length;
	struct span part = span(start, &separators, false, code);
	*rest = cut(s, &separators, start + part.length, !part.stop, code);
	return part.length ? start : NULL;
}

char *MODEL(strtok_r)(char *s, const char *set, char **rest)
{
	if (CONCRETE || ARE_CONCRETE(s ? s : *rest, set)) GO_ON strtok_r(s, set, rest);
	return take_part(s ? s : *rest, set, rest, HERE);
}

/* Where the last call ended has no shadow: the C library keeps it. */
char *MODEL(strtok)(char *s, const char *set)
{
	if (CONCRETE || ARE_CONCRETE(s ? s : *__mz_sym_words(NULL), set)) GO_ON strtok(s, set);
	char **rest = __mz_sym_words(HERE);
	return take_part(s ? s : *rest, set, rest, HERE);
}
