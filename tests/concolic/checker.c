/* SPDX-License-Identifier: MIT
 *
 * A stand-in for the library's part of symbolic execution (concolic/abi.h) that believes nothing. It is linked into a
 * program that `mazurka cc --symbolic` built and that defines test(), and runs test() several times with random inputs.
 *
 *  - Every shadow that it is given is an expression whose value it computes by itself: that must be the value given
 *    with it. A byte in memory must have the value that its shadow has.
 *  - The expressions of one run say what the next one, with other inputs, will do: which way its branches go, up to
 *    the first that goes another way, and what it observes (observe()). So a shadow that got lost is found, too.
 */
#include "concolic/abi.h"
#include "concolic/operators.h"
#include <mazurka.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_EXPRESSIONS (1U << 15)
#define MAX_EVENTS (1U << 14)
#define MAX_INPUTS 4096
#define MAX_PASSED 4096
#define MEMORY (1U << 16)

uint8_t __mz_sym_active, __mz_sym_steps;
void test(void);
void observe(uint64_t value);

struct expression {
	uint32_t op, width, a, b, c;
	uint64_t number, value;
};
static struct expression expressions[MAX_EXPRESSIONS];
static uint32_t nexpressions;

static uint8_t inputs[MAX_INPUTS];
static uint32_t ninputs;
static uint64_t checks;

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *text, ...)
{
	va_list list;
	va_start(list, text);
	vprintf(text, list);
	va_end(list);
	printf("\n");
	fflush(stdout);
	_Exit(1);
}

/* --- expressions --- */

static uint64_t mask(uint32_t width)
{
	return width >= 64 ? ~0ULL : (1ULL << width) - 1;
}

static int64_t extended(uint32_t width, uint64_t value)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t divide(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
	int64_t x = extended(width, a), y = extended(width, b);
	bool quotient = op == MZ_OPERATOR_UDIV || op == MZ_OPERATOR_SDIV;
	if (op == MZ_OPERATOR_UDIV) return b ? a / b : ~0ULL;
	if (op == MZ_OPERATOR_UREM) return b ? a % b : a;
	if (b == 0) return !quotient ? a : x < 0 ? 1 : ~0ULL;
	if (y == -1) return quotient ? -a : 0;
	return (uint64_t)(quotient ? x / y : x % y);
}

static uint64_t compute(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
	int64_t x = extended(width, a), y = extended(width, b);
	switch (op) {
	case MZ_OPERATOR_ADD: return a + b;
	case MZ_OPERATOR_SUB: return a - b;
	case MZ_OPERATOR_MUL: return a * b;
	case MZ_OPERATOR_SHL: return b >= width ? 0 : a << b;
	case MZ_OPERATOR_LSHR: return b >= width ? 0 : a >> b;
	case MZ_OPERATOR_ASHR: return (uint64_t)(x >> (b >= width ? width - 1 : b));
	case MZ_OPERATOR_AND: return a & b;
	case MZ_OPERATOR_OR: return a | b;
	case MZ_OPERATOR_XOR: return a ^ b;
	case MZ_OPERATOR_EQ: return a == b;
	case MZ_OPERATOR_NE: return a != b;
	case MZ_OPERATOR_ULT: return a < b;
	case MZ_OPERATOR_ULE: return a <= b;
	case MZ_OPERATOR_UGT: return a > b;
	case MZ_OPERATOR_UGE: return a >= b;
	case MZ_OPERATOR_SLT: return x < y;
	case MZ_OPERATOR_SLE: return x <= y;
	case MZ_OPERATOR_SGT: return x > y;
	case MZ_OPERATOR_SGE: return x >= y;
	default: return divide(op, width, a, b);
	}
}

/* Returns the value of an expression for those of the expressions below it. */
static uint64_t evaluate(const struct expression *e)
{
	uint64_t a = expressions[e->a].value, b = expressions[e->b].value, c = expressions[e->c].value;
	switch (e->op) {
	case MZ_OPERATOR_CONSTANT: return e->number;
	case MZ_OPERATOR_INPUT: return inputs[e->number];
	case MZ_OPERATOR_ZEXT: return a;
	case MZ_OPERATOR_SEXT: return (uint64_t)extended(expressions[e->a].width, a) & mask(e->width);
	case MZ_OPERATOR_TRUNC: return a & mask(e->width);
	case MZ_OPERATOR_EXTRACT: return a >> e->number & mask(e->width);
	case MZ_OPERATOR_CONCAT: return a << expressions[e->b].width | b;
	case MZ_OPERATOR_ITE: return a ? b : c;
	default: return compute(e->op, expressions[e->a].width, a, b) & mask(e->width);
	}
}

/* A run with too many expressions or events ends early: it is long enough. */
static jmp_buf end_of_run;

static uint32_t make(struct expression e)
{
	if (nexpressions + 1 >= MAX_EXPRESSIONS) longjmp(end_of_run, 1);
	expressions[++nexpressions] = e;
	expressions[nexpressions].value = evaluate(&e);
	return nexpressions;
}

static uint32_t constant(uint32_t width, uint64_t value)
{
	return make((struct expression){.op = MZ_OPERATOR_CONSTANT, .width = width, .number = value & mask(width)});
}

/* A shadow that the program gives must be an expression of this width with this value. */
static void expect(const char *what, uint32_t shadow, uint32_t width, uint64_t value)
{
	checks++;
	if (shadow == 0 || shadow > nexpressions) fail("%s: there is no expression %u", what, shadow);
	const struct expression *e = &expressions[shadow];
	if (e->width != width) fail("%s: expression %u has %u bits, not %u", what, shadow, e->width, width);
	if (e->value != (value & mask(width)))
		fail("%s: expression %u (operator %u, %u bits) is %#lx, the program has %#lx", what, shadow, e->op,
		     width, e->value, value & mask(width));
}

static uint32_t operand(const char *what, uint32_t shadow, uint32_t width, uint64_t value)
{
	if (!shadow) return constant(width, value);
	expect(what, shadow, width, value);
	return shadow;
}

/* --- events: what one run says about the next --- */

enum kind { BRANCH, SETTLED, OBSERVED, LOST };
static const char *const kinds[] = {"branch", "settled", "observed", "lost"};

struct event {
	enum kind kind;
	uint32_t shadow;
	uint64_t value;
};
static struct event events[MAX_EVENTS + 1], predictions[MAX_EVENTS + 1];
static size_t nevents, npredictions;

static void happen(enum kind kind, uint32_t shadow, uint64_t value)
{
	if (nevents == MAX_EVENTS) longjmp(end_of_run, 1);
	events[nevents++] = (struct event){kind, shadow, value};
}

/* --- memory --- */

/* A byte of memory and its shadow: byte `offset` of an expression. */
static struct byte {
	uintptr_t address;
	uint32_t expression, offset;
} memory[MEMORY];
static uint32_t nbytes;

static struct byte *find(uintptr_t address)
{
	uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15ULL >> 32) % MEMORY;
	while (memory[at].address && memory[at].address != address) at = (at + 1) % MEMORY;
	return &memory[at];
}

static void put(uintptr_t address, uint32_t expression, uint32_t offset)
{
	struct byte *byte = find(address);
	if (!expression && !byte->address) return;
	if (!byte->address && ++nbytes > MEMORY / 2) fail("too much memory has a shadow");
	*byte = (struct byte){address, expression, offset};
}

/* Returns the expression of a byte in memory, or 0. */
static uint32_t get(uintptr_t address, uint8_t value)
{
	const struct byte *byte = find(address);
	if (!byte->address || !byte->expression) return 0;
	uint32_t width = expressions[byte->expression].width;
	if (width == 8) {
		expect("a byte in memory", byte->expression, 8, value);
		return byte->expression;
	}
	struct expression part = {
	    .op = MZ_OPERATOR_EXTRACT, .width = 8, .a = byte->expression, .number = 8 * byte->offset};
	uint32_t made = make(part);
	expect("a part of a number in memory", made, 8, value);
	return made;
}

/* Returns the expression that was stored, if it is read as it was stored. */
static uint32_t get_whole(const void *address, uint32_t size)
{
	uint32_t expression = find((uintptr_t)address)->expression;
	if (!expression || expressions[expression].width != 8 * size) return 0;
	for (uint32_t i = 0; i < size; i++) {
		const struct byte *byte = find((uintptr_t)address + i);
		if (byte->expression != expression || byte->offset != i) return 0;
	}
	return expression;
}

uint32_t __mz_sym_load(const void *address, uint32_t size, uint64_t value)
{
	uint32_t whole = get_whole(address, size), any = 0, sum = 0;
	if (whole) {
		expect("a number in memory", whole, 8 * size, value);
		return whole;
	}
	for (uint32_t i = 0; i < size; i++) {
		uint32_t part = get((uintptr_t)address + i, (uint8_t)(value >> 8 * i));
		any |= part;
		part = operand("a byte", part, 8, value >> 8 * i);
		if (i)
			part = make(
			    (struct expression){.op = MZ_OPERATOR_CONCAT, .width = 8 * i + 8, .a = part, .b = sum});
		sum = part;
	}
	return any ? sum : 0;
}

void __mz_sym_store(void *address, uint32_t size, uint32_t shadow, uint64_t value)
{
	if (shadow) expect("a store", shadow, 8 * size, value);
	if (memcmp(address, &value, size) != 0) fail("a store told of a value that is not in memory");
	for (uint32_t i = 0; i < size; i++) put((uintptr_t)address + i, shadow, i);
}

void __mz_sym_copy(void *to, const void *from, uint64_t size)
{
	struct byte *copies = malloc(size * sizeof *copies + 1);
	for (uint64_t i = 0; i < size; i++) copies[i] = *find((uintptr_t)from + i);
	for (uint64_t i = 0; i < size; i++) put((uintptr_t)to + i, copies[i].expression, copies[i].offset);
	free(copies);
}

void __mz_sym_set(void *to, uint64_t size, uint32_t shadow)
{
	if (shadow && size) expect("a byte that fills memory", shadow, 8, *(uint8_t *)to);
	for (uint64_t i = 0; i < size; i++) put((uintptr_t)to + i, shadow, 0);
}

/* --- operations --- */

static bool is_comparison(uint32_t op)
{
	return op >= MZ_OPERATOR_EQ && op <= MZ_OPERATOR_SGE;
}

uint32_t __mz_sym_binary(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb, uint64_t result)
{
	if (!a && !b) fail("an operation without shadows");
	uint32_t x = operand("first operand", a, width, va), y = operand("second operand", b, width, vb);
	uint32_t to = is_comparison(op) ? 1 : width;
	uint32_t made = make((struct expression){.op = op, .width = to, .a = x, .b = y});
	expect("result", made, to, result);
	return made;
}

uint32_t __mz_sym_convert(uint32_t op, uint32_t from, uint32_t to, uint32_t a, uint64_t result)
{
	if (expressions[a].width != from) fail("a conversion from %u bits of %u bits", from, expressions[a].width);
	if (op == MZ_OPERATOR_TRUNC ? to >= from : to <= from) fail("a conversion from %u to %u bits", from, to);
	uint32_t made = make((struct expression){.op = op, .width = to, .a = a});
	expect("a conversion", made, to, result);
	return made;
}

uint32_t __mz_sym_select(uint32_t width, uint32_t condition, uint32_t a, uint32_t b, uint64_t va, uint64_t vb)
{
	if (expressions[condition].width != 1) fail("a choice by %u bits", expressions[condition].width);
	uint32_t x = operand("first choice", a, width, va), y = operand("second choice", b, width, vb);
	return make((struct expression){.op = MZ_OPERATOR_ITE, .width = width, .a = condition, .b = x, .c = y});
}

void __mz_sym_division(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb)
{
	if (!a && !b) fail("a division without shadows");
	if (op < MZ_OPERATOR_UDIV || op > MZ_OPERATOR_SREM) fail("operator %u is no division", op);
	operand("dividend", a, width, va);
	operand("divisor", b, width, vb);
}

void __mz_sym_branch(uint32_t shadow, uint32_t value)
{
	expect("a branch", shadow, 1, value);
	happen(BRANCH, shadow, value);
}

void __mz_sym_switch(uint32_t shadow, uint32_t width, uint64_t value, uint32_t ncases, const uint64_t *cases)
{
	expect("a switch", shadow, width, value);
	for (uint32_t i = 0; i < ncases; i++) {
		uint32_t same = make(
		    (struct expression){.op = MZ_OPERATOR_EQ, .width = 1, .a = shadow, .b = constant(width, cases[i])});
		happen(BRANCH, same, expressions[same].value);
		if (expressions[same].value) return;
	}
}

void __mz_sym_settle(uint32_t shadow, uint32_t width, uint64_t value)
{
	expect("a value to settle", shadow, width, value);
	happen(SETTLED, shadow, value);
}

void __mz_sym_lost(uint32_t shadow, uint32_t kind, const char *what)
{
	expect("a value that is lost", shadow, expressions[shadow].width, expressions[shadow].value);
	if (kind > MZ_SYM_LOST_OTHER || (!what[0] && kind != MZ_SYM_LOST_VARIABLE))
		fail("a value is lost without a reason");
	happen(LOST, shadow, 0);
}

void __mz_sym_printed(uint64_t to, uint32_t stream)
{
	(void)to, (void)stream;
}

int __mz_sym_is_input(const void *stream)
{
	(void)stream;
	return 0;
}

void __mz_sym_put_back(const void *byte)
{
	(void)byte;
}

void __mz_sym_place(const void *code)
{
	(void)code;
}

/* --- what models are made of --- */

void __mz_sym_touch(const void *address, uint64_t size, uint32_t writes, const void *code)
{
	(void)address, (void)size, (void)writes, (void)code;
}

int __mz_sym_depends(const void *address, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (find((uintptr_t)address + i)->expression) return 1;
	return 0;
}

uint64_t __mz_sym_length(const char *text, uint64_t most, const void *code)
{
	(void)code;
	return strnlen(text, most);
}

uint64_t __mz_sym_compared(const char *a, const char *b, uint64_t most, uint32_t folds, const void *code)
{
	uint64_t n = 0;
	(void)code;
	while (n < most && a[n] && (folds ? strncasecmp(a + n, b + n, 1) == 0 : a[n] == b[n])) n++;
	return n < most ? n + 1 : most;
}

uint64_t __mz_sym_number(const char *text, int base, const void *code)
{
	(void)base, (void)code;
	return strlen(text) + 1;
}

void __mz_sym_move(void *to, const void *from, uint64_t size, const void *code)
{
	(void)code;
	memmove(to, from, size);
	__mz_sym_copy(to, from, size);
}

void __mz_sym_zero(void *to, uint64_t size, const void *code)
{
	(void)code;
	memset(to, 0, size);
	__mz_sym_set(to, size, 0);
}

void __mz_sym_forget(void *at, uint64_t size)
{
	__mz_sym_set(at, size, 0);
}

char *__mz_sym_duplicate(const char *text, uint64_t length, const void *code)
{
	char *copy = strndup(text, length);
	(void)code;
	if (copy) __mz_sym_copy(copy, text, length);
	return copy;
}

void *__mz_sym_borrow(uint64_t size, const void *code)
{
	(void)code;
	return malloc(size);
}

void __mz_sym_give_back(void *memory, const void *code)
{
	(void)code;
	free(memory);
}

void __mz_sym_use(void *stream, uint32_t one, const void *code)
{
	(void)stream, (void)one, (void)code;
	fail("a stream is used that is no input");
}

int __mz_sym_take(void *to, int *at, void *stream, const void *code)
{
	(void)to, (void)at, (void)stream, (void)code;
	fail("a stream is used that is no input");
}

void __mz_sym_there(int at, const void *code)
{
	(void)at, (void)code;
	fail("a stream is used that is no input");
}

void __mz_sym_taken(void)
{
	fail("a stream is used that is no input");
}

uint32_t __mz_sym_plain(const void *byte)
{
	(void)byte;
	fail("a stream is used that is no input");
}

void __mz_sym_untake(const void *byte, void *stream)
{
	(void)byte, (void)stream;
	fail("a stream is used that is no input");
}

uint64_t __mz_sym_left(void *stream)
{
	(void)stream;
	fail("a stream is used that is no input");
}

char *__mz_sym_line(char **line, size_t *size, uint64_t length, const void *code)
{
	(void)line, (void)size, (void)length, (void)code;
	fail("a stream is used that is no input");
}

char **__mz_sym_words(const void *code)
{
	static char *words;
	(void)code;
	return &words;
}

/* As in the library, the model and the function go on at the same place. */
char *strtok(char *text, const char *separators)
{
	return strtok_r(text, separators, __mz_sym_words(NULL));
}

/* --- calls --- */

static __thread struct passed {
	const void *function;
	uint32_t index, shadow;
} passed[MAX_PASSED], returned[MAX_PASSED];
static __thread size_t npassed, nreturned;

void __mz_sym_pass(const void *callee, uint32_t index, uint32_t shadow)
{
	if (!shadow) fail("an argument without a shadow was passed");
	if (npassed == MAX_PASSED) fail("too many arguments");
	if (npassed && passed[0].function != callee) npassed = 0;
	passed[npassed++] = (struct passed){callee, index, shadow};
}

void __mz_sym_reaches(const void *callee, const void *pointer, uint64_t size, uint64_t count, const char *name)
{
	(void)callee, (void)pointer, (void)size, (void)count, (void)name;
}

/* Returns the expression of the lowest `width` bits of what was passed. */
static uint32_t narrow(uint32_t shadow, uint64_t value, uint32_t width)
{
	uint32_t has = expressions[shadow].width;
	return has > width ? __mz_sym_convert(MZ_OPERATOR_TRUNC, has, width, shadow, value) : shadow;
}

uint32_t __mz_sym_parameter(const void *self, uint32_t index, uint64_t value, uint32_t width)
{
	for (size_t i = 0; i < npassed; i++) {
		if (passed[i].function != self || passed[i].index != index) continue;
		uint32_t shadow = narrow(passed[i].shadow, value, width);
		expect("a parameter", shadow, width, value);
		return shadow;
	}
	return 0;
}

/* The variable arguments of the last function that has some. */
static struct passed variable[MAX_PASSED];
static size_t nvariable;

void __mz_sym_variable(const void *self)
{
	nvariable = 0;
	for (size_t i = 0; i < npassed; i++)
		if (passed[i].function == self && passed[i].index >= MZ_SYM_VARIABLE) variable[nvariable++] = passed[i];
}

/* A list has two numbers, the arguments on the stack, and the registers. */
void __mz_sym_start_list(const void *self, const void *list)
{
	uint8_t *const *areas = (uint8_t *const *)list + 1;
	__mz_sym_set(areas[1], 176, 0);
	for (size_t i = 0; i < nvariable; i++) {
		uint32_t slot = variable[i].index - MZ_SYM_VARIABLE, size = expressions[variable[i].shadow].width / 8;
		uint8_t *at = slot < 6    ? areas[1] + (size_t)8 * slot
		              : slot < 14 ? areas[1] + 48 + (size_t)16 * (slot - 6)
		                          : areas[0] + (size_t)8 * (slot - 14);
		uint64_t value = 0;
		memcpy(&value, at, size);
		if (variable[i].function == self) __mz_sym_store(at, size, variable[i].shadow, value);
	}
}

void __mz_sym_printed_list(const void *list, uint64_t to, uint32_t stream)
{
	(void)list, (void)to, (void)stream;
}

void __mz_sym_entered(void)
{
	npassed = nreturned = 0;
}

void __mz_sym_return(const void *self, uint32_t index, uint32_t shadow)
{
	if (index == 0) nreturned = 0;
	returned[nreturned++] = (struct passed){self, index, shadow};
}

uint32_t __mz_sym_result(const void *callee, uint32_t index, uint64_t value, uint32_t width)
{
	for (size_t i = 0; i < nreturned; i++) {
		if (returned[i].function != callee || returned[i].index != index || !returned[i].shadow) continue;
		uint32_t shadow = narrow(returned[i].shadow, value, width);
		expect("a result", shadow, width, value);
		return shadow;
	}
	return 0;
}

void observe(uint64_t value)
{
	uint32_t shadow = __mz_sym_parameter((const void *)observe, 0, value, 64);
	__mz_sym_entered();
	happen(OBSERVED, shadow, value);
}

/* --- inputs --- */

void mz_symbolic(void *object, size_t size, const char *name)
{
	if (!name) fail("an input has no name");
	if (ninputs + size > MAX_INPUTS) fail("too many inputs");
	__mz_sym_active = 1;
	for (size_t i = 0; i < size; i++, ninputs++) {
		((uint8_t *)object)[i] = inputs[ninputs];
		put((uintptr_t)object + i,
		    make((struct expression){.op = MZ_OPERATOR_INPUT, .width = 8, .number = ninputs}), 0);
	}
}

/* --- runs --- */

static void run(void)
{
	ninputs = nexpressions = 0;
	nevents = npassed = nreturned = 0;
	nbytes = 0;
	memset(memory, 0, sizeof memory);
	__mz_sym_active = 0;
	if (setjmp(end_of_run) == 0)
		test();
	else
		events[nevents++].kind = LOST;
}

/* Says what the next run will do with the inputs that are there now, as far as the last run tells. */
static void predict(void)
{
	for (uint32_t i = 1; i <= nexpressions; i++) expressions[i].value = evaluate(&expressions[i]);
	npredictions = 0;
	for (size_t i = 0; i < nevents && events[i].kind != LOST; i++) {
		struct event e = events[i];
		if (e.shadow) e.value = expressions[e.shadow].value;
		predictions[npredictions++] = e;
		if (e.value != events[i].value && e.kind != OBSERVED) break;
	}
}

static void compare(void)
{
	for (size_t i = 0; i < npredictions; i++) {
		if (i >= nevents) fail("event %zu (%s) did not happen", i, kinds[predictions[i].kind]);
		if (events[i].kind == LOST) return;
		checks++;
		if (events[i].kind != predictions[i].kind)
			fail("event %zu is not %s but %s", i, kinds[predictions[i].kind], kinds[events[i].kind]);
		if (events[i].value != predictions[i].value)
			fail("event %zu (%s) has the value %#lx, predicted was %#lx", i, kinds[events[i].kind],
			     events[i].value, predictions[i].value);
	}
}

/* Changes some inputs, most often a few bytes, so that many branches go the same way. */
static void change_inputs(void)
{
	unsigned changes = random() % 3 == 0 ? MAX_INPUTS : 1 + (unsigned)random() % 3, among = ninputs ? ninputs : 1;
	for (unsigned i = 0; i < changes; i++) {
		uint8_t value = (uint8_t)(random() % 4 == 0 ? random() % 4 - 2 : random());
		inputs[changes == MAX_INPUTS ? i : (unsigned)random() % among] = value;
	}
}

int main(int argc, char **argv)
{
	unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 50;
	size_t all = 0;
	run();
	for (unsigned i = 0; i < runs; i++) {
		srandom(i);
		change_inputs();
		predict();
		run();
		compare();
		all += nevents;
	}
	printf("%u runs, %lu checks, %zu events\n", runs, checks, all);
	return 0;
}
