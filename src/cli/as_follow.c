/* SPDX-License-Identifier: MIT
 *
 * One pass over the lines. A line is split into statements at semicolons; in front of a statement that touches memory
 * goes, on the same line so that lines keep their numbers,
 *
 *     leaq -136(%rsp), %rsp       beyond what a leaf function may keep below its stack pointer
 *     pushq %rdi
 *     leaq OPERAND, %rdi
 *     pushq $CODE
 *     call __mazurka_assembly     which changes no register and no flag, and takes the code off the stack
 *     popq %rdi
 *     leaq 136(%rsp), %rsp
 *
 * None of these changes a flag either, so the instruction finds everything as it was.
 */
#include "cli/as_follow.h"
#include "base/alloc.h"
#include "base/assembly.h"
#include "base/note.h"
#include "cli/as_instruction.h"
#include <string.h>

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)

enum { RED_ZONE = 136, PUSHED = RED_ZONE + 8, FILES = 4096 };

struct pass {
	struct mz_buffer *out;
	struct mz_buffer notes;
	bool by_hand;
	bool intel;      /* the text is in Intel syntax, which is not understood */
	bool inside;     /* the current line is between #APP and #NO_APP */
	bool in_comment; /* the current line is in a comment of several lines */
	bool changed;
	const char *file; /* the source file of the current line, as the compiler says; or NULL */
	size_t file_length;
	unsigned line;
	struct {
		const char *name;
		size_t length;
	} files[FILES]; /* indexed by the numbers that .file gives them */
};

static bool starts(const char *text, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);
	return length >= n && memcmp(text, prefix, n) == 0;
}

static size_t skip_space(const char *text, size_t length)
{
	size_t at = 0;
	while (at < length && (text[at] == ' ' || text[at] == '\t')) at++;
	return at;
}

/* ---- where ---- */

static unsigned read_number(const char *text, size_t length, size_t *at)
{
	unsigned number = 0;
	*at += skip_space(text + *at, length - *at);
	for (; *at < length && text[*at] >= '0' && text[*at] <= '9'; ++*at)
		number = number * 10 + (unsigned)(text[*at] - '0');
	return number;
}

/* Finds the last string in quotes on the line. Returns its length. */
static size_t last_string(const char *text, size_t length, const char **string)
{
	size_t found = 0;
	for (size_t at = 0; at < length; at++) {
		if (text[at] != '"') continue;
		size_t from = ++at;
		while (at < length && text[at] != '"') at++;
		*string = text + from;
		found = at - from;
	}
	return found;
}

/* Reads a marker like `# 7 "p.c" 1`, which says which line of the source follows. Line 0 ends the text of an asm
 * statement, and changes nothing. Returns whether the line is such a marker. */
static bool read_marker(struct pass *pass, const char *text, size_t length)
{
	size_t at = 1;
	if (length < 3 || text[0] != '#' || text[1] != ' ') return false;
	unsigned line = read_number(text, length, &at);
	const char *name = NULL;
	size_t size = last_string(text + at, length - at, &name);
	if (!name || at == 2) return false;
	if (!size || !line) return true;
	pass->file = name;
	pass->file_length = size;
	pass->line = pass->by_hand ? line - 1 : line;
	return true;
}

/* Reads `.file 1 "folder" "p.c"` and `.loc 1 7`, by which the compiler says where the following code comes from. */
static void read_directive(struct pass *pass, const char *text, size_t length)
{
	bool is_file = starts(text, length, ".file"), is_place = starts(text, length, ".loc");
	size_t at = is_file ? 5 : 4;
	if ((!is_file && !is_place) || at >= length || (text[at] != ' ' && text[at] != '\t')) return;
	unsigned number = read_number(text, length, &at);
	if (number >= FILES) return;
	if (is_place) {
		pass->file = pass->files[number].name;
		pass->file_length = pass->files[number].length;
		pass->line = read_number(text, length, &at);
	} else {
		const char *name = NULL;
		size_t size = last_string(text, length, &name);
		if (name) pass->files[number].name = name, pass->files[number].length = size;
	}
}

/* ---- what is added ---- */

static void add_string(struct mz_buffer *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\') mz_buffer_add_string(out, "\\");
		mz_buffer_add(out, "%c", text[i] == '\t' ? ' ' : text[i]);
	}
}

static void add_note(struct pass *pass, const char *text, size_t length)
{
	struct mz_buffer *notes = &pass->notes;
	mz_buffer_add_string(
	    notes, "\t.balign 4\n\t.long 2f-1f, 4f-3f, " NAME_OF(MZ_ASSEMBLY_NOTE) "\n1:\t.asciz \"" MZ_NOTE_NAME
	                                                                           "\"\n2:\t.balign 4\n3:\t.asciz \"");
	if (pass->file) {
		add_string(notes, pass->file, pass->file_length);
		mz_buffer_add(notes, ":%u", pass->line);
	}
	mz_buffer_add_string(notes, "\"\n\t.asciz \"");
	add_string(notes, text, length);
	mz_buffer_add_string(notes, "\"\n4:\t.balign 4\n");
}

/* Adds the operand, corrected for the stack pointer's having been moved. */
static void add_operand(struct mz_buffer *out, const char *operand, size_t length)
{
	const char *base = memmem(operand, length, "(%rsp", 5);
	size_t displacement = base ? (size_t)(base - operand) : 0;
	if (base) mz_buffer_add(out, "%d%s", PUSHED, displacement ? "+" : "");
	mz_buffer_add_bytes(out, operand, length);
}

static void add_call(struct pass *pass, const struct mz_instruction *instruction)
{
	struct mz_buffer *out = pass->out;
	mz_buffer_add(out, "leaq -%d(%%rsp), %%rsp; pushq %%rdi; leaq ", RED_ZONE);
	add_operand(out, instruction->operand, instruction->length);
	mz_buffer_add(
	    out, ", %%rdi; pushq $%u; call " NAME_OF(MZ_ASSEMBLY_FUNCTION) "@PLT; popq %%rdi; leaq %d(%%rsp), %%rsp; ",
	    instruction->code, RED_ZONE);
	pass->changed = true;
}

/* ---- statements ---- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
	       c == '$' || c == '\\' || c == '@';
}

/* Returns the length of the labels in front of the instruction, with the space around them. */
static size_t skip_labels(const char *text, size_t length)
{
	size_t at = skip_space(text, length);
	for (;;) {
		size_t end = at;
		while (end < length && is_name(text[end])) end++;
		if (end == at || end >= length || text[end] != ':') return at;
		at = end + 1;
		at += skip_space(text + at, length - at);
	}
}

/* Returns the length of the prefixes in front of the instruction. Sets `*locked` if `lock` is among them. */
static size_t skip_prefixes(const char *text, size_t length, bool *locked)
{
	size_t at = 0;
	for (;;) {
		size_t end = at;
		while (end < length && is_name(text[end])) end++;
		if (!mz_instruction_is_prefix(text + at, end - at)) return at;
		if (end - at == 4 && memcmp(text + at, "lock", 4) == 0) *locked = true;
		at = end + skip_space(text + end, length - end);
		if (at == length) return at;
	}
}

static void read_syntax(struct pass *pass, const char *text, size_t length)
{
	if (starts(text, length, ".intel_syntax")) pass->intel = true;
	if (starts(text, length, ".att_syntax")) pass->intel = false;
}

/* Returns the length of a statement without its comment and the space before that. */
static size_t without_comment(const char *text, size_t length)
{
	const char *comment = memmem(text, length, "/*", 2);
	if (comment) length = (size_t)(comment - text);
	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r')) length--;
	return length;
}

/* A prefix that stands alone, on a line of its own, belongs to the next statement: a call that is inserted for that
 * statement goes in front of the prefix. */
struct held_prefix {
	size_t length; /* length of the prefix, which is the end of the output so far */
	bool locked;
};

static char *copied(const char *text, size_t length)
{
	struct mz_buffer copy = {0};
	mz_buffer_add_bytes(&copy, text, length);
	return mz_buffer_take(&copy);
}

static void add_statement(struct pass *pass, const char *text, size_t length, struct held_prefix *held)
{
	size_t labels = skip_labels(text, length);
	const char *body = text + labels;
	bool locked = held->locked;
	size_t bare = without_comment(body, length - labels), prefixes = skip_prefixes(body, bare, &locked);
	struct mz_instruction found = {.effect = MZ_INSTRUCTION_NOTHING};
	read_syntax(pass, body, bare);
	if (prefixes < bare) found = mz_instruction_read(body + prefixes, bare - prefixes, locked);
	/* Inline, it may be a variable that others know of; the runtime sees whether it is. */
	if (found.on_stack && (pass->by_hand || found.effect == MZ_INSTRUCTION_LIST))
		found.effect = MZ_INSTRUCTION_NOTHING;
	if (pass->intel && found.effect == MZ_INSTRUCTION_FOLLOW) found.effect = MZ_INSTRUCTION_LIST;
	if (pass->intel && memchr(body, '[', bare)) found.effect = MZ_INSTRUCTION_LIST;
	if (found.effect == MZ_INSTRUCTION_LIST) add_note(pass, body, bare);
	if (found.effect == MZ_INSTRUCTION_FOLLOW) {
		char *prefix = NULL;
		if (held->length && !pass->out->failed) {
			pass->out->length -= held->length;
			prefix = copied(pass->out->text + pass->out->length, held->length);
		} else {
			mz_buffer_add_bytes(pass->out, text, labels);
			text += labels, length -= labels;
		}
		add_call(pass, &found);
		if (prefix) mz_buffer_add_string(pass->out, prefix);
		mz_free(prefix);
	}
	size_t before = pass->out->length;
	mz_buffer_add_bytes(pass->out, text, length);
	bool holds = bare && prefixes == bare;
	held->length = holds ? held->length + pass->out->length - before : 0;
	held->locked = holds && locked;
}

static size_t statement_end(const char *text, size_t length)
{
	bool quoted = false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' && (!i || text[i - 1] != '\\')) quoted = !quoted;
		if (!quoted && (text[i] == ';' || text[i] == '#')) return i;
	}
	return length;
}

static void add_statements(struct pass *pass, const char *text, size_t length, struct held_prefix *held)
{
	while (length) {
		size_t end = statement_end(text, length);
		add_statement(pass, text, end, held);
		bool comment = end < length && text[end] == '#';
		size_t rest = comment ? length - end : end < length;
		mz_buffer_add_bytes(pass->out, text + end, rest);
		if (held->length) held->length += rest;
		text += end + rest, length -= end + rest;
	}
}

static bool is_looked_at(const struct pass *pass)
{
	return (pass->by_hand || pass->inside) && !pass->in_comment;
}

static void track_comment(struct pass *pass, const char *text, size_t length)
{
	const char *end = text + length;
	for (const char *at = text; at && at < end;) {
		at = memmem(at, (size_t)(end - at), pass->in_comment ? "*/" : "/*", 2);
		if (!at) break;
		pass->in_comment = !pass->in_comment;
		at += 2;
	}
}

static void add_line(struct pass *pass, const char *text, size_t length, struct held_prefix *held)
{
	size_t at = skip_space(text, length);
	const char *body = text + at;
	size_t size = length - at;
	if (pass->by_hand) pass->line++;
	if (starts(body, size, "#APP")) pass->inside = true;
	if (starts(body, size, "#NO_APP")) pass->inside = false;
	bool marker = !pass->in_comment && read_marker(pass, body, size);
	if (!marker && size && body[0] == '.') read_directive(pass, body, size);
	if (marker || !size || body[0] == '#' || !is_looked_at(pass)) {
		mz_buffer_add_bytes(pass->out, text, length);
		if (held->length) held->length += length;
	} else {
		add_statements(pass, text, length, held);
	}
	track_comment(pass, text, length);
}

static void add_notes(struct pass *pass)
{
	char *notes = mz_buffer_take(&pass->notes);
	if (notes)
		mz_buffer_add(pass->out, "\t.pushsection " MZ_ASSEMBLY_SECTION ",\"a\",@note\n%s\t.popsection\n",
		              notes);
	else
		pass->out->failed = true;
	mz_free(notes);
}

bool mz_as_follow(struct mz_buffer *out, const char *text, size_t length, bool by_hand)
{
	static struct pass pass;
	struct held_prefix held = {0};
	pass = (struct pass){.out = out, .by_hand = by_hand};
	while (length) {
		const char *newline = memchr(text, '\n', length);
		size_t line = newline ? (size_t)(newline - text) : length;
		add_line(&pass, text, line, &held);
		mz_buffer_add_string(out, "\n");
		if (held.length) held.length++;
		line += newline != NULL;
		text += line, length -= line;
	}
	bool listed = pass.notes.length != 0;
	if (listed) add_notes(&pass);
	return listed || pass.changed;
}
