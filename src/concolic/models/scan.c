/* SPDX-License-Identifier: MIT
 *
 * Scanning of integers, characters and texts, from streams that are inputs and from texts. Formats that ask for
 * anything else (floating point, %p, %m, wide characters) are left to the C library, and what it reads there is counted
 * as lost. Of a text only what is looked at counts as read, although the C library looks for its end: else every byte
 * of it would decide about something.
 */
#include "concolic/models/models.h"
#include <stdarg.h>
#include <stdio.h>

#define LONGEST 1024 /* characters of a number that are looked at */

long MODEL(read_signed)(const char *text, int base);
unsigned long MODEL(read_unsigned)(const char *text, int base);

/* Functions of the C library would announce that they read the format, or memory of ours. */
static bool is_one_of(char c, const char *characters)
{
	for (; *characters; characters++)
		if (*characters == c) return true;
	return false;
}

static bool is_space(int c)
{
	return (c == ' ') | ((unsigned)c - '\t' <= '\r' - '\t');
}

/* ---- formats ---- */

struct conversion {
	bool stores;
	unsigned width; /* 0: none is given */
	unsigned size;  /* in bytes, of an integer; 0: the letter is not known */
	char type;
	const char *set; /* of %[: what follows the bracket */
};

static unsigned read_size(const char **at)
{
	static const struct {
		char name[3];
		unsigned size;
	} sizes[] = {{"hh", 1}, {"h", 2}, {"ll", 8}, {"l", 8}, {"q", 8}, {"j", 8}, {"z", 8}, {"t", 8}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t length = 1 + (sizes[i].name[1] != 0);
		if ((*at)[0] != sizes[i].name[0] || (length == 2 && (*at)[1] != sizes[i].name[1])) continue;
		*at += length;
		return sizes[i].size;
	}
	return 4;
}

/* Returns the end of a set; a bracket that is its first character belongs to it. */
static const char *past_set(const char *at)
{
	if (*at == '^') at++;
	if (*at) at++;
	while (*at && *at != ']') at++;
	return *at ? at + 1 : at;
}

/* Parses what follows a percent sign. */
static struct conversion parse(const char **at)
{
	struct conversion conversion = {.stores = **at != '*'};
	if (!conversion.stores) ++*at;
	while (**at >= '0' && **at <= '9') conversion.width = conversion.width * 10 + (unsigned)(*(*at)++ - '0');
	conversion.size = read_size(at);
	conversion.type = **at;
	if (**at) ++*at;
	conversion.set = *at;
	if (conversion.type == '[') *at = past_set(*at);
	return conversion;
}

/* Reports whether a set has an end. */
static bool is_closed(const char *set)
{
	const char *first = set + (*set == '^'), *end = past_set(set);
	return end > first + 1 && end[-1] == ']';
}

static bool is_known(const struct conversion *conversion)
{
	if (!conversion->type) return false;
	if (is_one_of(conversion->type, "sc["))
		return conversion->size == 4 && (conversion->type != '[' || is_closed(conversion->set));
	return is_one_of(conversion->type, "diouxXn%");
}

/* Reports whether the format asks only for what is modelled. */
static bool is_modelled(const char *format)
{
	for (const char *at = format; *at;) {
		if (*at++ != '%') continue;
		const struct conversion conversion = parse(&at);
		if (!is_known(&conversion)) return false;
	}
	return true;
}

/* ---- what is scanned ---- */

/* What was taken from a stream. A stream is scanned twice: first to take as much as will be read, without a branch, because
 * nobody else reads from the stream in between; then again from the record, where each byte has its shadow. */
struct record {
	char *bytes;
	int *at; /* of each byte, and of the end, what __mz_sym_there() is to be told */
	int count;
	bool ended; /* the end was found */
};

struct source {
	FILE *stream; /* NULL: a text, or a record */
	struct record *record;
	const char *start, *text;
	size_t looked; /* bytes of the text that were looked at */
	int taken;     /* characters */
	const void *code;
};

static int next_of_text(struct source *source)
{
	unsigned char c = look(source->text, source->code);
	size_t looked = (size_t)(source->text - source->start) + 1;
	if (looked > source->looked) source->looked = looked;
	if (c) source->text++;
	return c ? c : EOF;
}

/* Takes a byte from the stream into the record, unless one was taken back. What is done with it depends on no input. */
static int next_of_stream(struct source *source)
{
	struct record *record = source->record;
	if (source->taken == record->count && !record->ended) {
		record->ended = !__mz_sym_take(record->bytes + record->count, record->at + record->count,
		                               source->stream, source->code);
		record->count += !record->ended;
	}
	return source->taken < record->count ? (int)__mz_sym_plain(record->bytes + source->taken) : EOF;
}

static int next_of_record(struct source *source)
{
	const struct record *record = source->record;
	bool is_there = source->taken < record->count;
	if (is_there || record->ended) __mz_sym_there(record->at[source->taken], source->code);
	return is_there ? (unsigned char)record->bytes[source->taken] : EOF;
}

static int next(struct source *source)
{
	int c = source->stream   ? next_of_stream(source)
	        : source->record ? next_of_record(source)
	                         : next_of_text(source);
	if (c != EOF) source->taken++;
	return c;
}

/* Takes a character back. It has its shadow when it is read again. */
static void back(struct source *source, int c)
{
	if (c == EOF) return;
	source->taken--;
	if (!source->record) source->text--;
}

static int skip_space(struct source *source)
{
	int c = next(source);
	while (c != EOF && is_space(c)) c = next(source);
	return c;
}

/* ---- conversions: they return 1 if something was stored, 0 if nothing fits, and EOF ---- */

static int digit(int c)
{
	if (c >= '0' && c <= '9') return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 36;
}

static int base_of(char type)
{
	return type == 'i' ? 0 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
}

/* Gathers the characters of a number, of which the first is `c`. Returns how many; 0 if there is no digit. The character
 * behind the last one is looked at, also where no more may be taken: that can be the end. */
static unsigned gather(struct source *source, int c, int base, unsigned most, char *number)
{
	unsigned n = 0;
	bool digits = false;
	if (c == '+' || c == '-') {
		number[n++] = (char)c;
		c = next(source);
	}
	if ((base == 0 || base == 16) && c == '0' && n < most) {
		number[n++] = (char)c;
		digits = true;
		c = next(source);
		if (c != EOF && n < most && (c | 32) == 'x') {
			number[n++] = (char)c;
			base = 16;
			c = next(source);
		} else if (base == 0) {
			base = 8;
		}
	}
	if (base == 0) base = 10;
	while (c != EOF && n < most && digit(c) < base) {
		digits = true;
		number[n++] = (char)c;
		c = next(source);
	}
	back(source, c);
	number[n] = 0;
	return digits ? n : 0;
}

static void store(void *to, unsigned size, unsigned long long value, const void *code)
{
	__mz_sym_touch(to, size, 1, code);
	switch (size) {
	case 1: *(unsigned char *)to = (unsigned char)value; break;
	case 2: *(unsigned short *)to = (unsigned short)value; break;
	case 4: *(unsigned *)to = (unsigned)value; break;
	default: *(unsigned long long *)to = value;
	}
}

static int scan_number(struct source *source, const struct conversion *conversion, void *to)
{
	char number[LONGEST + 1];
	unsigned most = conversion->width && conversion->width < LONGEST ? conversion->width : LONGEST;
	int base = base_of(conversion->type), c = skip_space(source);
	if (c == EOF) return EOF;
	if (!gather(source, c, base, most, number)) return 0;
	bool is_signed = conversion->type == 'd' || conversion->type == 'i';
	unsigned long long value =
	    is_signed ? (unsigned long long)MODEL(read_signed)(number, base) : MODEL(read_unsigned)(number, base);
	if (to) store(to, conversion->size, value, source->code);
	return 1;
}

/* A dash between two characters, of which the first is not greater, stands for those from the first on; the second one
 * stands for itself, and can begin another range. A bracket or a dash that comes first is a character. */
static bool is_in_set(const char *set, int c)
{
	bool not = *set == '^', found = false;
	const char *at = set + not, *first = at;
	for (; *at && (*at != ']' || at == first); at++) {
		const unsigned char *here = (const unsigned char *)at;
		bool is_range = at > first && *at == '-' && at[1] && at[1] != ']' && here[-1] <= here[1];
		found |= is_range ? here[-1] <= c && c < here[1] : *here == c;
	}
	return found != not ;
}

static bool belongs(const struct conversion *conversion, int c)
{
	if (conversion->type == 'c') return true;
	return conversion->type == 's' ? !is_space(c) : is_in_set(conversion->set, c);
}

static int scan_text(struct source *source, const struct conversion *conversion, char *to)
{
	unsigned n = 0, most = conversion->width ? conversion->width : conversion->type == 'c' ? 1 : UINT32_MAX;
	int c = conversion->type == 's' ? skip_space(source) : next(source);
	if (c == EOF) return EOF;
	for (; c != EOF && belongs(conversion, c); c = next(source)) {
		if (to) to[n] = (char)c;
		if (++n == most) break;
	}
	if (n < most) back(source, c);
	if (n == 0) return 0;
	bool ends = conversion->type != 'c';
	if (to) __mz_sym_touch(to, n + ends, 1, source->code);
	if (to && ends) __mz_sym_zero(to + n, 1, source->code);
	return 1;
}

/* Reads what is no conversion. Returns whether it was there; EOF at the end. */
static int scan_literal(struct source *source, char wanted)
{
	int c = next(source);
	if (c == EOF) return EOF;
	if (c == (unsigned char)wanted) return 1;
	back(source, c);
	return 0;
}

static int scan_one(struct source *source, const struct conversion *conversion, void *to)
{
	if (conversion->type == '%') {
		back(source, skip_space(source));
		return scan_literal(source, '%');
	}
	if (is_one_of(conversion->type, "sc[")) return scan_text(source, conversion, to);
	return scan_number(source, conversion, to);
}

static void skip_all_space(struct source *source, const char **at)
{
	while (is_space((unsigned char)**at)) ++*at;
	back(source, skip_space(source));
}

static int scan(struct source *source, const char *format, va_list arguments)
{
	int n = 0, got = 1;
	for (const char *at = format; *at && got == 1;) {
		if (is_space((unsigned char)*at)) {
			skip_all_space(source, &at);
			continue;
		}
		if (*at != '%') {
			got = scan_literal(source, *at++);
			continue;
		}
		at++;
		const struct conversion conversion = parse(&at);
		void *to = conversion.stores && conversion.type != '%' ? va_arg(arguments, void *) : NULL;
		if (source->stream) to = NULL;
		if (conversion.type == 'n') {
			if (to) store(to, conversion.size, (unsigned long long)source->taken, source->code);
			continue;
		}
		got = scan_one(source, &conversion, to);
		n += got == 1 && to;
	}
	return got == EOF && n == 0 ? EOF : n;
}

static int scan_twice(FILE *stream, const char *format, va_list arguments, const void *code)
{
	size_t most = __mz_sym_left(stream) + 1;
	char bytes[most];
	int at[most];
	struct record record = {.bytes = bytes, .at = at};
	struct source source = {.stream = stream, .record = &record, .code = code};
	va_list first;
	va_copy(first, arguments);
	scan(&source, format, first);
	va_end(first);
	for (int n = record.count; n-- > source.taken;) __mz_sym_untake(bytes + n, stream);
	int result = scan(&(struct source){.record = &record, .code = code}, format, arguments);
	__mz_sym_taken();
	__mz_sym_forget(bytes, most);
	return result;
}

/* ---- the functions: with names of models, so that calls of what they stand for are left alone ---- */

static int MODEL(scan_stream)(FILE *stream, const char *format, va_list arguments, const void *code)
{
	if (!CONCRETE && __mz_sym_is_input(stream) && is_modelled(format)) {
		__mz_sym_use(stream, 0, code);
		return scan_twice(stream, format, arguments, code);
	}
	__mz_sym_place(code);
	int n = vfscanf(stream, format, arguments);
	__mz_sym_place(NULL);
	return n;
}

static int MODEL(scan_string)(const char *text, const char *format, va_list arguments, const void *code)
{
	if (!CONCRETE && is_modelled(format)) {
		struct source source = {.start = text, .text = text, .code = code};
		__mz_sym_length(text, 1, code);
		int n = scan(&source, format, arguments);
		tell_read(text, source.looked, code);
		return n;
	}
	__mz_sym_place(code);
	int n = vsscanf(text, format, arguments);
	__mz_sym_place(NULL);
	return n;
}

#define CALLER __builtin_return_address(0)

/* Each function has several names, because the meaning of formats differs between standards; not that of these ones. */
#define SCAN(prefix, name, parameters, call)                                                                           \
	int MODEL(prefix##name) parameters;                                                                            \
	int MODEL(prefix##name) parameters                                                                             \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, format);                                                                           \
		int n = call;                                                                                          \
		va_end(arguments);                                                                                     \
		return n;                                                                                              \
	}
#define VSCAN(prefix, name, parameters, call)                                                                          \
	int MODEL(prefix##name) parameters;                                                                            \
	int MODEL(prefix##name) parameters                                                                             \
	{                                                                                                              \
		return call;                                                                                           \
	}
#define ALL(prefix)                                                                                                    \
	SCAN(prefix, scanf, (const char *format, ...), MODEL(scan_stream)(stdin, format, arguments, CALLER))           \
	SCAN(prefix, fscanf, (FILE * stream, const char *format, ...),                                                 \
	     MODEL(scan_stream)(stream, format, arguments, CALLER))                                                    \
	SCAN(prefix, sscanf, (const char *text, const char *format, ...),                                              \
	     MODEL(scan_string)(text, format, arguments, CALLER))                                                      \
	VSCAN(prefix, vscanf, (const char *format, va_list arguments),                                                 \
	      MODEL(scan_stream)(stdin, format, arguments, CALLER))                                                    \
	VSCAN(prefix, vfscanf, (FILE * stream, const char *format, va_list arguments),                                 \
	      MODEL(scan_stream)(stream, format, arguments, CALLER))                                                   \
	VSCAN(prefix, vsscanf, (const char *text, const char *format, va_list arguments),                              \
	      MODEL(scan_string)(text, format, arguments, CALLER))

ALL()
ALL(__isoc99_)
