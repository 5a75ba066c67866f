/* SPDX-License-Identifier: MIT
 *
 * Makes expressions, each once. A table finds an expression by its content; it is private to the process, so that what
 * another process does to the shared memory cannot lead it astray, and is filled again from the shared memory by a
 * process that takes over a space which has expressions already. Part of the library that is loaded into programs:
 * memory comes from base/alloc.h alone.
 */
#include "concolic/expression.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/table.h"
#include "concolic/simplify.h"
#include <string.h>

/* The table of this process, for one space: the process makes expressions in one space at a time. */
static struct {
	const struct mz_space *space;
	struct mz_table numbers;
	uint64_t *contents; /* by expression: see mz_expression_content() */
	size_t capacity;
	uint32_t count; /* expressions 1 to count of the space are in the table */
} known;

/* Results of mz_expression_make() for recent operands: programs repeat what they compute, execution for execution. The
 * slot of an expression is found by its operands; expressions of the same slot replace each other. */
static struct made {
	struct mz_expression given;
	uint32_t result; /* 0: the slot is free */
} recent[1024];

static uint64_t hash(const struct mz_expression *e)
{
	uint64_t head = (uint64_t)e->op << 40 | (uint64_t)e->width << 32 | e->a;
	return mz_hash2(mz_hash2(head, (uint64_t)e->b << 32 | e->c), e->number);
}

static bool are_same(const struct mz_expression *x, const struct mz_expression *y)
{
	return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b && x->c == y->c &&
	       x->number == y->number;
}

static bool is_equal(const void *key, uint64_t value)
{
	return are_same(key, &known.space->expressions[value]);
}

void mz_expressions_release(void)
{
	mz_table_release(&known.numbers);
	mz_free(known.contents);
	known.contents = NULL;
	known.capacity = 0;
	known.space = NULL;
	known.count = 0;
	memset(recent, 0, sizeof recent);
}

/* Returns the content of the expression or of none, which is a number below those that are known. */
static uint64_t content_of(uint32_t operand)
{
	return operand ? known.contents[operand] : 0;
}

/* Notes the content of the next expression. Returns false when there is no memory. */
static bool note_content(const struct mz_expression *e)
{
	uint32_t number = known.count + 1;
	if (!mz_array_reserve(&known.contents, &known.capacity, (size_t)number + 1)) return false;
	/* operands that make no sense, which a stray write may leave, have no content */
	bool sound = e->a < number && e->b < number && e->c < number;
	uint64_t head = mz_hash2((uint64_t)e->op << 8 | e->width, e->number), operands = 0;
	if (sound) operands = mz_hash2(mz_hash2(content_of(e->a), content_of(e->b)), content_of(e->c));
	known.contents[number] = mz_hash2(head, operands);
	return true;
}

/* Makes the table hold all `count` expressions of the space. */
static bool catch_up(const struct mz_space *space, uint32_t count)
{
	if (known.space != space || known.count > count) mz_expressions_release();
	known.space = space;
	for (; known.count < count; known.count++) {
		const struct mz_expression *e = &space->expressions[known.count + 1];
		uint64_t h = hash(e);
		if (!note_content(e)) return false;
		if (mz_table_find_equal(&known.numbers, h, is_equal, e)) continue;
		if (!mz_table_add(&known.numbers, h, known.count + 1)) return false;
	}
	return true;
}

uint32_t mz_expression_intern(struct mz_space *space, const struct mz_expression *e)
{
	uint32_t count = atomic_load_explicit(&space->nexpressions, memory_order_relaxed);
	if (count >= MZ_SPACE_EXPRESSIONS || !catch_up(space, count)) return 0;
	uint64_t h = hash(e), number = mz_table_find_equal(&known.numbers, h, is_equal, e);
	if (number) return (uint32_t)number;
	if (count + 1 == MZ_SPACE_EXPRESSIONS || !note_content(e) || !mz_table_add(&known.numbers, h, count + 1))
		return 0;
	space->expressions[count + 1] = *e;
	known.count = count + 1;
	atomic_store_explicit(&space->nexpressions, count + 1, memory_order_release);
	return count + 1;
}

uint64_t mz_expression_content(const struct mz_space *space, uint32_t expression)
{
	uint32_t count = atomic_load_explicit(&space->nexpressions, memory_order_relaxed);
	return expression <= count && catch_up(space, count) ? content_of(expression) : 0;
}

static struct made *slot_of(const struct mz_expression *e)
{
	uint64_t word =
	    ((uint64_t)e->a << 32 | e->b) + ((uint64_t)e->c << 16) + e->number + ((uint64_t)e->op << 8 | e->width);
	return &recent[(word * 0x9e3779b97f4a7c15U) >> 54];
}

uint32_t mz_expression_make(struct mz_space *space, enum mz_operator op, unsigned width, uint32_t a, uint32_t b,
                            uint32_t c, uint64_t number)
{
	if (width < 1 || width > 64) return 0;
	uint32_t count = atomic_load_explicit(&space->nexpressions, memory_order_relaxed);
	const struct mz_expression e = {(uint8_t)op, (uint8_t)width, a, b, c, number};
	struct made *slot = slot_of(&e);
	bool is_valid = slot->result && known.space == space && known.count == count;
	if (is_valid && are_same(&slot->given, &e)) return slot->result;
	if (!mz_expression_is_sound(space, &e, count + 1) || !catch_up(space, count)) return 0;
	uint32_t result = mz_expression_simplify(space, &e);
	*slot = (struct made){e, result};
	return result;
}

uint32_t mz_expression_constant(struct mz_space *space, unsigned width, uint64_t value)
{
	if (width < 1 || width > 64) return 0;
	struct mz_expression e = {MZ_OPERATOR_CONSTANT, (uint8_t)width, 0, 0, 0, value & mz_bits(width)};
	return mz_expression_intern(space, &e);
}

uint32_t mz_expression_input(struct mz_space *space, uint32_t byte)
{
	if (byte >= MZ_SPACE_BYTES) return 0;
	struct mz_expression e = {MZ_OPERATOR_INPUT, 8, 0, 0, 0, byte};
	return mz_expression_intern(space, &e);
}
