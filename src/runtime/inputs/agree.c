/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/agree.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "concolic/simplify.h"
#include "runtime/inputs/table.h"
#include "runtime/inputs/values.h"
#include <string.h>

#define NAME_PART 16 /* bytes of the name of an input in one note */

static struct {
	struct mz_notes notes;
	bool shared;
	uint32_t *own; /* by number: the expression of this worker */
	size_t nown, own_capacity;
	struct mz_table numbers; /* by expression: its number */
	struct mz_table facts;   /* by key: 1 + the place of the value */
	uint64_t *values;
	size_t nvalues, values_capacity;
	char name[sizeof(((struct mz_session_input *)0)->name)]; /* of the next input */
	uint32_t ninputs;
	uint32_t tests;
} known;

void mz_agree_with(const struct mz_notes *notes)
{
	known.notes = *notes;
	known.shared = true;
}

/* ---- reading ---- */

static void distrust(void)
{
	mz_unsupported("what workers tell each other about inputs was overwritten, by a stray write of the program?");
}

static uint32_t own(uint32_t number)
{
	if (number > known.nown) distrust();
	return number ? known.own[number - 1] : 0;
}

static void read_expression(const struct mz_note *note)
{
	const struct mz_expression e = {note->op, note->width, own(note->a), own(note->b), own(note->c), note->key};
	if (!mz_inputs_space) return;
	if (!mz_expression_is_sound(mz_inputs_space, &e, mz_inputs_space->nexpressions + 1)) distrust();
	uint32_t expression = mz_expression_intern(mz_inputs_space, &e);
	if (!expression) mz_unsupported("there is no room left for symbolic expressions");
	mz_array_require(&known.own, &known.own_capacity, known.nown + 1);
	known.own[known.nown++] = expression;
	if (!mz_table_find_or_add(&known.numbers, mz_mix(expression), known.nown)) mz_unsupported("out of memory");
}

static void read_fact(const struct mz_note *note)
{
	mz_array_require(&known.values, &known.values_capacity, known.nvalues + 1);
	known.values[known.nvalues++] = note->value;
	if (!mz_table_find_or_add(&known.facts, note->key, known.nvalues)) mz_unsupported("out of memory");
}

static void read_name(const struct mz_note *note)
{
	if (note->a > sizeof known.name - NAME_PART) distrust();
	MZ_REAL(memcpy)(known.name + note->a, &note->key, NAME_PART);
	known.name[sizeof known.name - 1] = 0;
}

static void read_test(const struct mz_note *note)
{
	known.tests++;
	read_fact(note);
	if (note->value) mz_rt.session->inputs.written = (uint32_t)note->value;
}

static void read(const struct mz_note *note)
{
	switch ((enum mz_note_kind)note->kind) {
	case MZ_NOTE_EXPRESSION: read_expression(note); return;
	case MZ_NOTE_FACT: read_fact(note); return;
	case MZ_NOTE_NAME: read_name(note); return;
	case MZ_NOTE_INPUT: mz_input_set(known.ninputs++, note->a, note->b, note->c, known.name); return;
	case MZ_NOTE_TEST: read_test(note); return;
	}
	distrust();
}

/* Reads what other workers have noted, and this one; all of it if nobody adds to it (`quiet`). */
static void read_all(bool quiet)
{
	const struct mz_note *note;
	while (known.shared && (note = known.notes.next(known.notes.self, quiet))) read(note);
}

/* ---- adding ---- */

void mz_agree_begin(void)
{
	if (known.shared) known.notes.lock(known.notes.self);
	read_all(true);
}

void mz_agree_end(void)
{
	if (known.shared) known.notes.unlock(known.notes.self);
}

static void add(const struct mz_note *note)
{
	if (!known.shared) {
		read(note);
		return;
	}
	if (!known.notes.add(known.notes.self, note)) mz_unsupported("there is no memory left for what workers share");
	read_all(true);
}

/* ---- expressions ---- */

static uint32_t number_of(uint32_t expression)
{
	return (uint32_t)mz_table_find(&known.numbers, mz_mix(expression));
}

/* Puts the operands of an expression that have no number yet on the stack. Returns whether there are any. */
static bool push_operands(const struct mz_expression *e, uint32_t **stack, size_t *capacity, size_t *depth)
{
	const uint32_t operands[] = {e->a, e->b, e->c};
	unsigned n = mz_operator_operands((enum mz_operator)e->op);
	size_t before = *depth;
	for (unsigned i = 0; i < n; i++) {
		if (number_of(operands[i])) continue;
		mz_array_require(stack, capacity, *depth + 1);
		(*stack)[(*depth)++] = operands[i];
	}
	return *depth > before;
}

static void add_expression(const struct mz_expression *e)
{
	unsigned n = mz_operator_operands((enum mz_operator)e->op);
	const struct mz_note note = {.kind = MZ_NOTE_EXPRESSION,
	                             .op = e->op,
	                             .width = e->width,
	                             .a = n > 0 ? number_of(e->a) : 0,
	                             .b = n > 1 ? number_of(e->b) : 0,
	                             .c = n > 2 ? number_of(e->c) : 0,
	                             .key = e->number};
	add(&note);
}

/* Notes an expression, after all that it consists of. Expressions may be deep, so there is no recursion. */
static void add_all(uint32_t expression)
{
	static uint32_t *stack;
	static size_t capacity;
	size_t depth = 0;
	mz_array_require(&stack, &capacity, 1);
	stack[depth++] = expression;
	while (depth) {
		const struct mz_expression *e = &mz_inputs_space->expressions[stack[depth - 1]];
		if (number_of(stack[depth - 1])) {
			depth--;
		} else if (!push_operands(e, &stack, &capacity, &depth)) {
			add_expression(e);
			depth--;
		}
	}
}

uint32_t mz_agree_number(uint32_t expression)
{
	if (!known.shared) return expression;
	uint32_t number = number_of(expression);
	if (number) return number;
	mz_agree_begin();
	add_all(expression);
	mz_agree_end();
	return number_of(expression);
}

uint32_t mz_agree_expression(uint32_t number)
{
	if (!known.shared) return number;
	/* one that this worker has not met is in the trunk, and nobody changes that while it is looked at */
	if (number > known.nown) read_all(true);
	return own(number);
}

/* ---- inputs ---- */

static void add_name(const char *name)
{
	char padded[sizeof known.name] = "";
	for (size_t i = 0; name && name[i] && i < sizeof padded - 1; i++) padded[i] = name[i];
	for (uint32_t at = 0; at < sizeof padded; at += NAME_PART) {
		struct mz_note note = {.kind = MZ_NOTE_NAME, .a = at};
		MZ_REAL(memcpy)(&note.key, padded + at, NAME_PART);
		add(&note);
	}
}

struct mz_session_input *mz_agree_input(uint32_t thread, uint32_t nth, size_t size, const char *name)
{
	struct mz_session_input *input = mz_input_find(thread, nth, size, name);
	if (input) return input;
	mz_agree_begin();
	bool fits = mz_input_fits(size, mz_rt.session->configuration.max_input_bytes);
	if (fits && !mz_input_find(thread, nth, size, name)) {
		const struct mz_note note = {.kind = MZ_NOTE_INPUT, .a = thread, .b = nth, .c = (uint32_t)size};
		add_name(name);
		add(&note);
	}
	mz_agree_end();
	return mz_input_find(thread, nth, size, name);
}

/* ---- facts ---- */

static bool find_read(uint64_t key, uint64_t *value)
{
	uint64_t place = mz_table_find(&known.facts, key);
	if (place) *value = known.values[place - 1];
	return place != 0;
}

bool mz_agree_find(enum mz_subject subject, uint64_t key, uint64_t *value)
{
	uint64_t whole = mz_hash2(key, subject);
	if (find_read(whole, value)) return true;
	read_all(false);
	return find_read(whole, value);
}

void mz_agree_add(enum mz_subject subject, uint64_t key, uint64_t value)
{
	const struct mz_note note = {.kind = MZ_NOTE_FACT, .key = mz_hash2(key, subject), .value = value};
	add(&note);
}

uint64_t mz_agree_on(enum mz_subject subject, uint64_t key, uint64_t value)
{
	mz_agree_begin();
	if (!find_read(mz_hash2(key, subject), &value)) mz_agree_add(subject, key, value);
	mz_agree_end();
	return value;
}

/* ---- tests ---- */

void mz_agree_add_test(uint64_t text, bool written)
{
	const struct mz_note note = {.kind = MZ_NOTE_TEST,
	                             .key = mz_hash2(text, MZ_SUBJECT_TEXT),
	                             .value = written ? mz_rt.session->inputs.written + 1 : 0};
	add(&note);
}

uint32_t mz_agree_tests(void)
{
	return known.tests;
}
