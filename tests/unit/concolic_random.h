/* SPDX-License-Identifier: MIT
 *
 * Random expressions, and their values without rules: a node is an expression as it was asked for, beside what was made
 * of it.
 */
#ifndef MZ_TESTS_CONCOLIC_RANDOM_H
#define MZ_TESTS_CONCOLIC_RANDOM_H

#include "base/random.h"
#include "concolic_space.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define X(name) MZ_OPERATOR_##name,
static const uint8_t arithmetic[] = {MZ_ARITHMETIC(X)};
static const uint8_t comparisons[] = {MZ_COMPARISONS(X)};
static const uint8_t extensions[] = {MZ_OPERATOR_ZEXT, MZ_OPERATOR_SEXT};
#undef X

#define OP(name) MZ_OPERATOR_##name
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- expressions without rules ---- */

#ifndef NODES
#define NODES 160
#endif

/* An expression as it was asked for, and what was made of it. Operands are indices of nodes. */
struct node {
	struct mz_expression e;
	uint32_t made;
	uint64_t value;
};

struct naive {
	struct mz_space *space;
	struct mz_random random;
	unsigned first, nbytes; /* the bytes that there are */
	unsigned count;
	struct node nodes[NODES];
};

static inline unsigned pick(struct naive *n, unsigned below)
{
	return mz_random_below(&n->random, below);
}

static inline unsigned add(struct naive *n, enum mz_operator op, unsigned width, unsigned a, unsigned b, unsigned c,
                           uint64_t number)
{
	struct node *node = &n->nodes[n->count];
	*node = (struct node){{(uint8_t)op, (uint8_t)width, a, b, c, number}, 0, 0};
	node->made =
	    mz_expression_make(n->space, op, width, n->nodes[a].made, n->nodes[b].made, n->nodes[c].made, number);
	assert_int_not_equal(node->made, 0);
	assert_int_equal(n->space->expressions[node->made].width, width);
	return n->count++;
}

static inline unsigned width_of(const struct naive *n, unsigned node)
{
	return n->nodes[node].e.width;
}

/* Numbers at which rules change their minds are likelier than others. */
static inline uint64_t odd_number(struct naive *n, unsigned width)
{
	uint64_t top = 1ULL << (width - 1), ones = mz_bits(width), one = 1ULL << pick(n, width);
	const uint64_t odd[] = {0,
	                        1,
	                        2,
	                        ones,
	                        ones - 1,
	                        top,
	                        top - 1,
	                        top + 1,
	                        one,
	                        one - 1,
	                        ~(one - 1),
	                        mz_random_word(&n->random),
	                        mz_random_word(&n->random) & 0xff};
	return odd[pick(n, COUNT(odd))] & ones;
}

static inline unsigned resized(struct naive *n, unsigned node, unsigned width)
{
	unsigned from = width_of(n, node);
	if (from > width && pick(n, 2)) return add(n, OP(EXTRACT), width, node, 0, 0, pick(n, from - width + 1));
	if (from > width) return add(n, OP(TRUNC), width, node, 0, 0, 0);
	return add(n, extensions[pick(n, 2)], width, node, 0, 0, 0);
}

static inline unsigned operand(struct naive *n, unsigned width)
{
	if (pick(n, 4) == 0) return add(n, OP(CONSTANT), width, 0, 0, 0, odd_number(n, width));
	for (int tries = 0; tries < 8; tries++) {
		unsigned node = 1 + pick(n, n->count - 1);
		if (width_of(n, node) == width) return node;
	}
	return resized(n, 1 + pick(n, n->count - 1), width);
}

static inline void add_random(struct naive *n, unsigned widest)
{
	unsigned width = 1 + pick(n, widest);
	if (pick(n, 3) == 0 && widest >= 8) width = 8 * (1 + pick(n, widest / 8));
	switch (pick(n, 10)) {
	case 0: add(n, OP(INPUT), 8, 0, 0, 0, n->first + pick(n, n->nbytes)); break;
	case 1: resized(n, 1 + pick(n, n->count - 1), width); break;
	case 2:
		if (width == 1) break;
		unsigned low = 1 + pick(n, width - 1), high = operand(n, width - low);
		add(n, OP(CONCAT), width, high, operand(n, low), 0, 0);
		break;
	case 3: {
		unsigned condition = operand(n, 1), yes = operand(n, width);
		add(n, OP(ITE), width, condition, yes, operand(n, width), 0);
		break;
	}
	case 4:
	case 5:
	case 6: {
		unsigned a = operand(n, width);
		add(n, comparisons[pick(n, COUNT(comparisons))], 1, a, operand(n, width), 0, 0);
		break;
	}
	default: {
		unsigned a = operand(n, width);
		add(n, arithmetic[pick(n, COUNT(arithmetic))], width, a, operand(n, width), 0, 0);
	}
	}
}

static inline void make_random(struct naive *n, unsigned widest)
{
	n->count = 1;
	memset(&n->nodes[0], 0, sizeof n->nodes[0]);
	add(n, OP(INPUT), 8, 0, 0, 0, n->first);
	while (n->count < NODES - 8) add_random(n, widest);
}

static inline void evaluate(struct naive *n, const uint8_t *bytes)
{
	for (unsigned i = 1; i < n->count; i++) {
		const struct mz_expression *e = &n->nodes[i].e;
		unsigned from = width_of(n, e->op == OP(CONCAT) ? e->b : e->a);
		n->nodes[i].value = e->op == OP(INPUT)
		                        ? bytes[e->number]
		                        : mz_operator_apply(e->op, e->width, from, n->nodes[e->a].value,
		                                            n->nodes[e->b].value, n->nodes[e->c].value, e->number);
	}
}

#endif
