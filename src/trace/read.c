/* SPDX-License-Identifier: MIT
 *
 * Reading a trace file (docs/TRACE-FORMAT.md). The file may come from anywhere. Nothing is allocated for a number that
 * the file merely claims: items are added one by one as their lines come. Only what the writer would write is taken,
 * so a file that is read is written again byte for byte.
 *
 * Functions return false once something is wrong; fail() has then written the one line that says what.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "trace/check.h"
#include "trace/trace.h"
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum {
	FIRST_LINE_MAX = 64,      /* a file that is no trace is refused after so many bytes */
	LINE_MAX_BYTES = 1 << 25, /* more than the longest argument list of a program with every byte of it escaped */
	WORD_MAX = 32,
};

struct reader {
	FILE *in;
	struct mz_trace *trace;
	char *line; /* the current line, NUL-terminated, without its newline */
	size_t capacity;
	size_t number;
	bool held;      /* the current line was only looked at: the next line to be read is this one */
	const char *at; /* the next byte of the line to be read */
	char *error;
	size_t error_size;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct reader *r, const char *format, ...)
{
	char what[160];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	snprintf(r->error, r->error_size, "line %zu: %s", r->number, what);
	return false;
}

/* ---- lines ---- */

static bool put_byte(struct reader *r, size_t n, char byte)
{
	if (!mz_array_reserve(&r->line, &r->capacity, n + 1)) return fail(r, "out of memory");
	r->line[n] = byte;
	return true;
}

/* Reads the next line. Refuses a line without a newline, the last one too, so that a file that was cut short is
 * noticed. */
static bool next_line(struct reader *r)
{
	size_t n = 0, limit = r->number == 0 ? FIRST_LINE_MAX : LINE_MAX_BYTES;
	int c;
	if (r->held) {
		r->held = false;
		return true;
	}
	r->number++;
	while ((c = getc_unlocked(r->in)) != EOF && c != '\n') {
		if (c == '\0') return fail(r, "a NUL byte: not a Mazurka trace");
		if (n >= limit) return fail(r, r->number == 1 ? "not a Mazurka trace" : "the line is too long");
		if (!put_byte(r, n++, (char)c)) return false;
	}
	if (c == EOF && ferror(r->in)) return fail(r, "cannot be read");
	if (c == EOF && r->number == 1) return fail(r, "not a Mazurka trace");
	if (c == EOF) return fail(r, n ? "the file ends within a line" : "the file ends before its `end` line");
	if (!put_byte(r, n, '\0')) return false;
	r->at = r->line;
	return true;
}

static bool end_of_line(struct reader *r)
{
	return *r->at == '\0' || fail(r, "something follows at the end of the line");
}

/* ---- fields ---- */

static bool space(struct reader *r, const char *what)
{
	if (*r->at == '\0') return fail(r, "%s is missing", what);
	if (*r->at != ' ') return fail(r, "a space is missing before %s", what);
	r->at++;
	return true;
}

/* Returns whether the field is "-", which stands for nothing, and reads it if so. */
static bool nothing(struct reader *r)
{
	if (r->at[0] != '-' || (r->at[1] != ' ' && r->at[1] != '\0')) return false;
	r->at++;
	return true;
}

/* Reads a word: lower-case letters, digits and '-' up to the next space. */
static bool word(struct reader *r, const char *what, char out[WORD_MAX])
{
	size_t n = strspn(r->at, "abcdefghijklmnopqrstuvwxyz0123456789-");
	if (n == 0 || n >= WORD_MAX || (r->at[n] != ' ' && r->at[n] != '\0')) return fail(r, "%s is malformed", what);
	memcpy(out, r->at, n);
	out[n] = '\0';
	r->at += n;
	return true;
}

static bool number(struct reader *r, const char *what, uint64_t max, uint64_t *out)
{
	uint64_t value = 0;
	const char *start = r->at;
	for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
		uint64_t digit = (uint64_t)(*r->at - '0');
		if (value > (max - digit) / 10) return fail(r, "%s is too large", what);
		value = value * 10 + digit;
	}
	if (r->at == start) return fail(r, "%s is not a number", what);
	if (*start == '0' && r->at - start > 1) return fail(r, "%s starts with a 0", what);
	*out = value;
	return true;
}

static bool number32(struct reader *r, const char *what, uint32_t *out)
{
	uint64_t value;
	if (!space(r, what) || !number(r, what, UINT32_MAX, &value)) return false;
	*out = (uint32_t)value;
	return true;
}

/* Reads the number of a thread; "-" stands for no thread. */
static bool thread_number(struct reader *r, const char *what, uint32_t *out)
{
	uint64_t value = MZ_NO_THREAD;
	if (!space(r, what)) return false;
	if (!nothing(r) && !number(r, what, MZ_NO_THREAD - 1, &value)) return false;
	*out = (uint32_t)value;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9') return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the byte that two hexadecimal digits stand for. Returns -1 if they are not there, or if the byte could be
 * written in another way. */
static int hex_byte(const char *at)
{
	int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
	int byte = high * 16 + low;
	bool plain = (byte >= 0x20 && byte <= 0x7e) || byte == '\n' || byte == '\t' || byte == 0;
	return low < 0 || plain ? -1 : byte;
}

/* Reads what follows a backslash. Returns the byte that it stands for, or -1. */
static int escaped(const char **at)
{
	char letter = **at;
	*at += letter != '\0';
	switch (letter) {
	case '\\':
	case '"': return letter;
	case 'n': return '\n';
	case 't': return '\t';
	case 'x': break;
	default: return -1;
	}
	int byte = hex_byte(*at);
	*at += byte < 0 ? 0 : 2;
	return byte;
}

/* Reads a string in quotes into `out`, which has room for it. Returns its length, or -1 if it is malformed. */
static long unescape(struct reader *r, const char *what, char *out)
{
	long n = 0;
	for (r->at++; *r->at != '"';) {
		int byte = (unsigned char)*r->at++;
		if (byte == '\0') r->at--;
		if (byte == '\\')
			byte = escaped(&r->at);
		else if (byte < 0x20 || byte > 0x7e)
			byte = -1;
		if (byte < 0) {
			fail(r, "%s is not a well-formed string", what);
			return -1;
		}
		out[n++] = (char)byte;
	}
	r->at++;
	out[n] = '\0';
	return n;
}

/* Returns the length of the string in quotes at `at`, up to the quote that ends it: at least as much as its text
 * takes. */
static size_t quoted_length(const char *at)
{
	size_t n = 1;
	while (at[n] && at[n] != '"') n += at[n] == '\\' && at[n + 1] ? 2 : 1;
	return n;
}

static bool string(struct reader *r, const char *what, char **out)
{
	if (!space(r, what)) return false;
	if (nothing(r)) return true;
	if (*r->at != '"') return fail(r, "%s is not a string in quotes", what);
	char *text = mz_alloc(quoted_length(r->at) + 1);
	if (!text) return fail(r, "out of memory");
	long n = unescape(r, what, text);
	char *fitted = n < 0 ? NULL : mz_realloc(text, (size_t)n + 1);
	*out = fitted ? fitted : text;
	return n >= 0;
}

static bool place(struct reader *r, struct mz_place *out)
{
	return string(r, "the function", &out->function) && string(r, "the file", &out->file) &&
	       number32(r, "the line number", &out->line) && end_of_line(r);
}

/* ---- the head: fixed lines in a fixed order ---- */

static bool first_line(struct reader *r)
{
	static const char mark[] = "mazurka-trace ";
	uint64_t version;
	if (!next_line(r)) return false;
	if (strncmp(r->line, mark, sizeof mark - 1) != 0) return fail(r, "not a Mazurka trace");
	r->at = r->line + sizeof mark - 1;
	if (!number(r, "the version", UINT64_MAX, &version) || !end_of_line(r)) return false;
	if (version == MZ_TRACE_VERSION) return true;
	return fail(r, "the trace is of version %" PRIu64 ", this build of Mazurka reads version %d", version,
	            MZ_TRACE_VERSION);
}

static bool head_line(struct reader *r, const char *key)
{
	size_t n = strlen(key);
	if (!next_line(r)) return false;
	if (strncmp(r->line, key, n) != 0 || r->line[n] != ' ') return fail(r, "expected `%s`", key);
	r->at = r->line + n;
	return true;
}

/* ---- the options ---- */

/* Fails with a message that lists the words there are: "`points` is neither sync nor all". */
static bool fail_words(struct reader *r, const struct mz_option *option)
{
	char all[128] = "", text[MZ_NAME_SIZE];
	size_t used = 0;
	for (uint32_t n = 0; mz_option_word(option, n, text) && used < sizeof all; n++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", n ? " nor " : "", text);
	return fail(r, "`%s` is neither %s", option->key, all);
}

static bool option_word(struct reader *r, const struct mz_option *option, uint32_t *out)
{
	char text[WORD_MAX];
	if (!space(r, option->key) || !word(r, option->key, text)) return false;
	return mz_option_find_word(option, text, out) || (end_of_line(r) && fail_words(r, option));
}

static bool option_switch(struct reader *r, const struct mz_option *option, uint32_t *out)
{
	char text[WORD_MAX];
	if (!space(r, option->key) || !word(r, option->key, text)) return false;
	*out = strcmp(text, "yes") == 0;
	return *out || strcmp(text, "no") == 0 ||
	       (end_of_line(r) && fail(r, "`%s` is neither yes nor no", option->key));
}

static bool option_number(struct reader *r, const struct mz_option *option, void *out)
{
	const char *what = *option->key ? option->key : "the limit";
	if (option->kind == MZ_OPTION_NUMBER32) return number32(r, what, out);
	return space(r, what) && number(r, what, UINT64_MAX, out);
}

static bool option_faults(struct reader *r, char out[MZ_FAIL_SIZE])
{
	char *list = NULL;
	bool good = string(r, "the list", &list);
	if (good && list && strlen(list) >= MZ_FAIL_SIZE) good = fail(r, "the list is too long");
	if (good && list && !*list) good = fail(r, "`fails` names something that cannot");
	if (good && list) strcpy(out, list);
	mz_free(list);
	return good;
}

static bool option_value(struct reader *r, const struct mz_option *option, void *field)
{
	switch (option->kind) {
	case MZ_OPTION_FLAG:
	case MZ_OPTION_UNFLAG: return option_switch(r, option, field);
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_NUMBER32: return option_number(r, option, field);
	case MZ_OPTION_WORD: return option_word(r, option, field);
	case MZ_OPTION_FAULTS: return option_faults(r, field);
	default: return fail(r, "`%s` cannot be read", option->key);
	}
}

/* Reads the options of the head from number `place` up to, but not including, number `end`. */
static bool head_options(struct reader *r, unsigned place, unsigned end)
{
	struct mz_configuration *configuration = &r->trace->configuration;
	const struct mz_option *option = mz_configuration_kept(place), *next;
	for (; option && place < end; option = next) {
		next = mz_configuration_kept(++place);
		if (*option->key && !head_line(r, option->key)) return false;
		if (!option_value(r, option, (char *)configuration + option->offset)) return false;
		if ((!next || *next->key) && !end_of_line(r)) return false;
	}
	return true;
}

static bool checked(struct reader *r, const char *wrong)
{
	return !wrong || fail(r, "%s", wrong);
}

/* ---- the rest of the head ---- */

static bool head_number(struct reader *r, const char *key, uint64_t max, uint64_t *out)
{
	return head_line(r, key) && space(r, key) && number(r, key, max, out) && end_of_line(r);
}

static bool head_program(struct reader *r)
{
	size_t n = 0, capacity = 0;
	if (!head_line(r, "program")) return false;
	do {
		if (!mz_array_reserve(&r->trace->program, &capacity, n + 2)) return fail(r, "out of memory");
		char **program = r->trace->program;
		program[n] = program[n + 1] = NULL;
		if (!string(r, "the program", &program[n])) return false;
		if (!program[n++]) return fail(r, "an argument of the program is missing");
	} while (*r->at != '\0');
	return true;
}

/* Reads any number of `file` lines. */
static bool head_files(struct reader *r)
{
	size_t n = 0, capacity = 0;
	for (;;) {
		if (!next_line(r)) return false;
		if (strncmp(r->line, "file ", 5) != 0) break;
		r->at = r->line + 4;
		if (!mz_array_reserve(&r->trace->files, &capacity, n + 2)) return fail(r, "out of memory");
		char **files = r->trace->files;
		files[n] = files[n + 1] = NULL;
		if (!string(r, "the file", &files[n]) || !end_of_line(r)) return false;
		if (!files[n++]) return fail(r, "the name of a file is missing");
	}
	r->held = true;
	return true;
}

static bool head_numbers(struct reader *r)
{
	uint64_t check, preemptions;
	if (!head_number(r, "check", UINT32_MAX, &check) ||
	    !head_number(r, "execution", UINT64_MAX, &r->trace->execution) ||
	    !head_number(r, "preemptions", UINT32_MAX, &preemptions))
		return false;
	r->trace->check = (uint32_t)check;
	r->trace->preemptions = (uint32_t)preemptions;
	return true;
}

static bool head(struct reader *r)
{
	struct mz_trace *trace = r->trace;
	trace->configuration = mz_configuration_default();
	if (!first_line(r) || !head_program(r)) return false;
	if (!head_line(r, "identity") || !string(r, "identity", &trace->identity) || !end_of_line(r)) return false;
	return head_options(r, 1, MZ_TRACE_FILES) && checked(r, mz_trace_check_faults(&trace->configuration)) &&
	       head_files(r) && head_options(r, MZ_TRACE_FILES, UINT_MAX) && head_numbers(r);
}

/* ---- the items ---- */

static bool process_signal(struct reader *r)
{
	uint32_t number;
	if (!number32(r, "the signal", &number)) return false;
	if (number < 1 || number > 64) return fail(r, "there is no signal of that number");
	r->trace->process_signals |= (uint64_t)1 << (number & 63);
	return true;
}

static bool requests_line(struct reader *r)
{
	char text[WORD_MAX];
	if (!space(r, "the request") || !word(r, "the request", text)) return false;
	if (strcmp(text, "process") == 0) return process_signal(r) && end_of_line(r);
	bool *asked = strcmp(text, "cancel") == 0     ? &r->trace->cancels
	              : strcmp(text, "signal") == 0   ? &r->trace->signals
	              : strcmp(text, "exit") == 0     ? &r->trace->exits
	              : strcmp(text, "ignored") == 0  ? &r->trace->ignored
	              : strcmp(text, "handlers") == 0 ? &r->trace->handlers
	                                              : NULL;
	if (!asked) return fail(r, "`requests` is none of cancel, signal, process, exit, ignored, handlers");
	*asked = true;
	return end_of_line(r);
}

static bool limits_line(struct reader *r)
{
	struct mz_configuration *configuration = &r->trace->configuration;
	return number32(r, "the limit on threads", &configuration->max_threads) &&
	       number32(r, "the limit on expirations", &configuration->max_expirations) && end_of_line(r);
}

static bool thread_line(struct reader *r)
{
	struct mz_trace_thread *thread = mz_trace_add_thread(r->trace);
	if (!thread) return fail(r, "out of memory");
	return thread_number(r, "the parent", &thread->parent) && number32(r, "the child's number", &thread->nth) &&
	       string(r, "the function", &thread->function) && end_of_line(r) &&
	       checked(r, mz_trace_check_thread(r->trace, r->trace->nthreads - 1));
}

/* Reads pairs of hexadecimal digits; "-" stands for none. */
static bool input_bytes(struct reader *r, struct mz_trace_input *input)
{
	if (!space(r, "the value")) return false;
	if (nothing(r)) return true;
	size_t digits = strspn(r->at, "0123456789abcdef");
	if (!digits || digits % 2 || (r->at[digits] && r->at[digits] != ' ')) return fail(r, "the value is malformed");
	if (!(input->bytes = mz_alloc(digits / 2))) return fail(r, "out of memory");
	for (; digits; r->at += 2, digits -= 2)
		input->bytes[input->size++] = (uint8_t)(hex_digit(r->at[0]) << 4 | hex_digit(r->at[1]));
	return true;
}

/* Reads the text of an input, if its line has one. */
static bool input_text(struct reader *r, struct mz_trace_input *input)
{
	if (!*r->at) return true;
	return string(r, "the text", &input->text) && end_of_line(r) &&
	       (input->text || fail(r, "a text that is not there is left out"));
}

static bool input_line(struct reader *r)
{
	struct mz_trace_input *input = mz_trace_add_input(r->trace);
	if (!input) return fail(r, "out of memory");
	return thread_number(r, "the thread", &input->thread) && number32(r, "the input's number", &input->nth) &&
	       string(r, "the name", &input->name) && input_bytes(r, input) && input_text(r, input) &&
	       checked(r, mz_trace_check_input(r->trace, r->trace->ninputs - 1));
}

static bool step_words(struct reader *r, struct mz_trace_step *step)
{
	char text[WORD_MAX];
	if (!space(r, "the operation") || !word(r, "the operation", text)) return false;
	step->op = mz_op_from_name(text);
	if (step->op == MZ_OP_COUNT) return fail(r, "there is no operation `%s`", text);
	if (!space(r, "the kind of access") || !word(r, "the kind of access", text)) return false;
	int kind = mz_access_kind_from_name(text);
	if (kind < 0) return fail(r, "there is no kind of access `%s`", text);
	step->kind = (enum mz_access_kind)kind;
	if (!space(r, "the preemption")) return false;
	if (nothing(r)) return true;
	step->preemption = true;
	if (!word(r, "the preemption", text)) return false;
	return strcmp(text, "preemption") == 0 || fail(r, "neither `preemption` nor `-`");
}

static bool step_value(struct reader *r, struct mz_trace_step *step)
{
	if (!number32(r, "the length", &step->length) || !space(r, "the value")) return false;
	step->has_value = !nothing(r);
	return !step->has_value || number(r, "the value", UINT64_MAX, &step->value);
}

static bool step_line(struct reader *r)
{
	struct mz_trace_step *step = mz_trace_add_step(r->trace);
	if (!step) return fail(r, "out of memory");
	return number32(r, "the thread", &step->step.thread) && number32(r, "the choice", &step->step.choice) &&
	       number32(r, "the number of alternatives", &step->alternatives) && step_words(r, step) &&
	       step_value(r, step) && string(r, "the object", &step->object) && place(r, &step->place) &&
	       checked(r, mz_trace_check_step(r->trace, r->trace->nsteps - 1));
}

static bool finding_line(struct reader *r)
{
	char text[WORD_MAX];
	struct mz_trace_finding *finding = mz_trace_add_finding(r->trace);
	if (!finding) return fail(r, "out of memory");
	if (!space(r, "the kind of finding") || !word(r, "the kind of finding", text)) return false;
	finding->kind = mz_finding_from_name(text);
	if (finding->kind == MZ_FINDING_COUNT) return fail(r, "there is no kind of finding `%s`", text);
	return thread_number(r, "the thread", &finding->thread) && number32(r, "the step", &finding->step) &&
	       string(r, "the message", &finding->message) && place(r, &finding->place) &&
	       checked(r, mz_trace_check_finding(r->trace, r->trace->nfindings - 1));
}

static bool detail_line(struct reader *r)
{
	if (r->trace->nfindings == 0) return fail(r, "a detail without a finding");
	struct mz_trace_detail *detail = mz_trace_add_detail(&r->trace->findings[r->trace->nfindings - 1]);
	if (!detail) return fail(r, "out of memory");
	if (!string(r, "the text", &detail->text) || !place(r, &detail->place)) return false;
	return detail->text || fail(r, "a detail has a text");
}

static const struct item {
	const char *key;
	unsigned section; /* in a file, never less than that of the line before */
	bool (*read)(struct reader *r);
} items[] = {{"requests", 0, requests_line}, {"limits", 0, limits_line}, {"thread", 1, thread_line},
             {"input", 2, input_line},       {"step", 3, step_line},     {"finding", 4, finding_line},
             {"detail", 4, detail_line}};

static const struct item *item_of(const char *key)
{
	for (size_t i = 0; i < sizeof items / sizeof *items; i++)
		if (strcmp(items[i].key, key) == 0) return &items[i];
	return NULL;
}

static bool body(struct reader *r)
{
	unsigned section = 0;
	for (;;) {
		char key[WORD_MAX];
		if (!next_line(r) || !word(r, "the line", key)) return false;
		if (strcmp(key, "end") == 0) return end_of_line(r);
		const struct item *item = item_of(key);
		if (!item) return fail(r, "there is no item `%s`", key);
		if (item->section < section) return fail(r, "`%s` comes too late", key);
		section = item->section;
		if (!item->read(r)) return false;
	}
}

static bool end_of_file(struct reader *r)
{
	r->number++;
	return getc_unlocked(r->in) == EOF || fail(r, "something follows after `end`");
}

int mz_trace_read(struct mz_trace *trace, FILE *in, char *error, size_t error_size)
{
	struct reader r = {.in = in, .trace = trace, .error = error, .error_size = error_size};
	memset(trace, 0, sizeof *trace);
	trace->configuration.max_threads = MZ_MAX_THREADS;
	trace->configuration.max_expirations = MZ_EXPIRATIONS;
	bool good = head(&r) && body(&r) && end_of_file(&r);
	mz_free(r.line);
	if (!good) mz_trace_release(trace);
	return good ? 0 : -1;
}
