/* SPDX-License-Identifier: MIT
 *
 * Damaged trace files: each is refused with one line, or read, printed as `mazurka show` does, and written again byte
 * for byte; never with more than a small multiple of its size. Arguments: how many, a seed, a folder for those that are
 * accepted and differ from their origin (for `mazurka replay`; - for none), how many of these, and the files to start
 * from.
 */
#include "base/bug.h"
#include "base/random.h"
#include "report/text.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SIZE_MOST (1 << 20)

static struct mz_random chance;

static size_t roll(size_t n)
{
	return mz_random_word(&chance) % (n ? n : 1);
}

struct text {
	size_t size;
	char bytes[SIZE_MOST];
};

static void read_text(struct text *text, const char *path)
{
	FILE *in = fopen(path, "rb");
	MZ_REQUIRE(in != NULL);
	text->size = fread(text->bytes, 1, SIZE_MOST / 2, in);
	fclose(in);
}

/* ---- damage ---- */

static void replace(struct text *text, size_t from, size_t to, const char *with, size_t length)
{
	if (text->size - (to - from) + length > SIZE_MOST) return;
	memmove(text->bytes + from + length, text->bytes + to, text->size - to);
	memmove(text->bytes + from, with, length);
	text->size = text->size - (to - from) + length;
}

static size_t line_start(const struct text *text, size_t at)
{
	while (at > 0 && text->bytes[at - 1] != '\n') at--;
	return at;
}

static size_t line_end(const struct text *text, size_t at)
{
	while (at < text->size && text->bytes[at] != '\n') at++;
	return at < text->size ? at + 1 : at;
}

/* The field around a place: what spaces and ends of lines separate. */
static void find_field(const struct text *text, size_t at, size_t *from, size_t *to)
{
	*from = *to = at;
	while (*from > 0 && text->bytes[*from - 1] != ' ' && text->bytes[*from - 1] != '\n') --*from;
	while (*to < text->size && text->bytes[*to] != ' ' && text->bytes[*to] != '\n') ++*to;
}

static void change_field(struct text *text, size_t at)
{
	static const char *const fields[] = {"-",
	                                     "0",
	                                     "1",
	                                     "2",
	                                     "7",
	                                     "4095",
	                                     "4096",
	                                     "65535",
	                                     "4294967294",
	                                     "4294967295",
	                                     "4294967296",
	                                     "18446744073709551615",
	                                     "99999999999999999999",
	                                     "\"\"",
	                                     "\"-\"",
	                                     "\"/dev/zero\"",
	                                     "\"/dev/stdin\"",
	                                     "\"/\"",
	                                     "yes",
	                                     "no",
	                                     "all",
	                                     "reuse",
	                                     "read",
	                                     "write",
	                                     "lock",
	                                     "choose",
	                                     "preemption",
	                                     "\"malloc,mmap\"",
	                                     "end",
	                                     ""};
	size_t from, to;
	find_field(text, at, &from, &to);
	const char *field = fields[roll(sizeof fields / sizeof *fields)];
	replace(text, from, to, field, strlen(field));
}

static void move_line(struct text *text, size_t at, bool copy)
{
	char line[4096];
	size_t from = line_start(text, at), to = line_end(text, at), length = to - from;
	if (length > sizeof line) return;
	memcpy(line, text->bytes + from, length);
	if (!copy) replace(text, from, to, "", 0);
	size_t where = line_start(text, roll(text->size));
	replace(text, where, where, line, length);
}

static void damage(struct text *text)
{
	size_t at = roll(text->size), length = roll(32);
	char bytes[32];
	if (text->size == 0) return;
	switch (roll(10)) {
	case 0: text->bytes[at] = (char)roll(256); break;
	case 1: text->bytes[at] ^= (char)(1 << roll(8)); break;
	case 2: move_line(text, at, true); break;
	case 3: move_line(text, at, false); break;
	case 4: replace(text, line_start(text, at), line_end(text, at), "", 0); break;
	case 5: text->size = at; break;
	case 6:
		for (size_t i = 0; i < length; i++) bytes[i] = (char)roll(256);
		replace(text, at, at, bytes, length);
		break;
	default: change_field(text, at); break;
	}
}

/* ---- trying ---- */

static void show(const struct mz_trace *trace)
{
	char *words = NULL;
	size_t length = 0;
	struct mz_text text = {.out = open_memstream(&words, &length), .all = true};
	MZ_REQUIRE(mz_text_write_trace(&text, trace, NULL) == 0);
	fclose(text.out);
	free(words);
}

static void require_same(const struct mz_trace *trace, const struct text *from)
{
	char *words = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&words, &length);
	MZ_REQUIRE(mz_trace_write(trace, out) == 0);
	fclose(out);
	MZ_REQUIRE(length == from->size && memcmp(words, from->bytes, length) == 0);
	free(words);
}

/* Whether it was accepted. */
static bool try(struct text *text)
{
	struct mz_trace trace;
	char error[200] = "";
	if (text->size == 0) return false;
	FILE *in = fmemopen(text->bytes, text->size, "r");
	int result = mz_trace_read(&trace, in, error, sizeof error);
	fclose(in);
	if (result == 0) {
		show(&trace);
		require_same(&trace, text);
	} else {
		MZ_REQUIRE(strncmp(error, "line ", 5) == 0 && !strchr(error, '\n'));
	}
	mz_trace_release(&trace);
	return result == 0;
}

static void keep(const struct text *text, const char *folder, size_t n)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%zu.trace", folder, n);
	FILE *out = fopen(path, "wb");
	MZ_REQUIRE(out && fwrite(text->bytes, 1, text->size, out) == text->size);
	fclose(out);
}

/* Memory that was freed is not kept for long: what is taken shows. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8";
}

int main(int argc, char **argv)
{
	static struct text origin, text;
	MZ_REQUIRE(argc > 5);
	size_t times = strtoul(argv[1], NULL, 10), most = strtoul(argv[4], NULL, 10), accepted = 0, kept = 0;
	chance.state = strtoul(argv[2], NULL, 10);
	for (size_t i = 0; i < times; i++) {
		read_text(&origin, argv[5 + i % (size_t)(argc - 5)]);
		text.size = origin.size;
		memcpy(text.bytes, origin.bytes, origin.size);
		for (size_t n = 1 + roll(3); n > 0; n--) damage(&text);
		bool same = text.size == origin.size && memcmp(text.bytes, origin.bytes, text.size) == 0;
		bool good = try(&text);
		accepted += good;
		if (good && !same && kept < most && strcmp(argv[3], "-") != 0) keep(&text, argv[3], kept++);
	}
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu damaged traces, %zu accepted, %zu kept, %ld kB\n", times, accepted, kept, usage.ru_maxrss);
	return usage.ru_maxrss > 100000;
}
