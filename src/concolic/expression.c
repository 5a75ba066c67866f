/* SPDX-License-Identifier: MIT
 *
 * Makes expressions, each once. A table finds an expression by its content; it is private to the process, so that what
 * another process does to the shared memory cannot lead it astray, and is filled again from the shared memory by a
 * process that takes over a space which has expressions already. Part of the library that is loaded into programs:
 * memory comes from base/alloc.h alone.
 */
#include "concolic/expression.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "concolic/simplify.h"
#include <string.h>

#define FIRST_CAPACITY 1024

/* Open addressing, linear probing, at most half full. Of the process: expressions are made in one space. */
static struct {
	const struct mz_space *space;
	uint32_t *numbers; /* 0: the place is empty */
	size_t capacity;   /* 0 or a power of two */
	uint32_t count;    /* expressions 1 to count of the space are in the table */
} table;

static uint64_t hash(const struct mz_expression *e)
{
	uint64_t head = (uint64_t)e->op << 40 | (uint64_t)e->width << 32 | e->a;
	return mz_hash2(mz_hash2(head, (uint64_t)e->b << 32 | e->c), e->number);
}

static bool same(const struct mz_expression *x, const struct mz_expression *y)
{
	return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b && x->c == y->c &&
	       x->number == y->number;
}

static size_t place(const struct mz_space *space, const struct mz_expression *e)
{
	size_t mask = table.capacity - 1, i = hash(e) & mask;
	while (table.numbers[i] && !same(&space->expressions[table.numbers[i]], e)) i = (i + 1) & mask;
	return i;
}

static void fill(const struct mz_space *space, uint32_t upto)
{
	for (; table.count < upto; table.count++) {
		table.numbers[place(space, &space->expressions[table.count + 1])] = table.count + 1;
	}
}

/* Makes the table hold all expressions of the space, with room for one more. */
static bool prepare(const struct mz_space *space, uint32_t count)
{
	if (table.space != space || table.count > count) mz_expressions_release();
	size_t capacity = table.capacity ? table.capacity : FIRST_CAPACITY;
	while (capacity < 2 * ((size_t)count + 1)) capacity *= 2;
	if (capacity > table.capacity) {
		uint32_t *numbers = mz_alloc(capacity * sizeof *numbers);
		if (!numbers) return false;
		mz_expressions_release();
		memset(numbers, 0, capacity * sizeof *numbers);
		table.numbers = numbers;
		table.capacity = capacity;
		table.space = space;
	}
	fill(space, count);
	return true;
}

void mz_expressions_release(void)
{
	mz_free(table.numbers);
	memset(&table, 0, sizeof table);
}

uint32_t mz_expression_intern(struct mz_space *space, const struct mz_expression *e)
{
	uint32_t count = atomic_load_explicit(&space->nexpressions, memory_order_relaxed);
	if (count >= MZ_SPACE_EXPRESSIONS || !prepare(space, count)) return 0;
	size_t i = place(space, e);
	if (table.numbers[i]) return table.numbers[i];
	if (count + 1 == MZ_SPACE_EXPRESSIONS) return 0;
	space->expressions[count + 1] = *e;
	table.numbers[i] = table.count = count + 1;
	atomic_store_explicit(&space->nexpressions, count + 1, memory_order_release);
	return count + 1;
}

uint32_t mz_expression_make(struct mz_space *space, enum mz_operator op, unsigned width, uint32_t a, uint32_t b,
                            uint32_t c, uint64_t number)
{
	if (width < 1 || width > 64) return 0;
	struct mz_expression e = {(uint8_t)op, (uint8_t)width, a, b, c, number};
	if (!mz_expression_is_sound(space, &e, atomic_load_explicit(&space->nexpressions, memory_order_relaxed) + 1)) {
		return 0;
	}
	return mz_expression_simplify(space, &e);
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
