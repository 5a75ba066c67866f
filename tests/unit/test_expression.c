/* SPDX-License-Identifier: MIT
 *
 * concolic/expression.h: each expression is made once; what the rules make of random expressions has the value that the
 * expressions have without rules, for all values of one byte, and for odd ones of many; the forms that the rules promise.
 */
#include "base/alloc.h"
#include "concolic_random.h"

static void compare_values(struct naive *n, const uint8_t *bytes, struct mz_values *memo)
{
	evaluate(n, bytes);
	mz_values_forget(memo);
	for (unsigned i = 1; i < n->count; i++) {
		uint64_t value = mz_expression_value(n->space, n->nodes[i].made, bytes, memo);
		if (value != n->nodes[i].value) {
			print_error("operator %u, width %u\n", n->nodes[i].e.op, n->nodes[i].e.width);
			assert_int_equal(value, n->nodes[i].value);
		}
	}
}

/* ---- the forms that are promised ---- */

static bool is_constant(const struct mz_space *space, uint32_t number)
{
	return space->expressions[number].op == OP(CONSTANT);
}

static void check_form(const struct mz_space *space, uint32_t number)
{
	const struct mz_expression *e = &space->expressions[number];
	assert_true(mz_expression_is_sound(space, e, number));
	unsigned operands = mz_operator_operands(e->op);
	assert_false(e->op == OP(NE) || e->op == OP(UGT) || e->op == OP(UGE) || e->op == OP(SGT) || e->op == OP(SGE));
	assert_int_not_equal(e->op, OP(TRUNC));
	if (operands == 2 && e->op != OP(CONCAT)) assert_false(is_constant(space, e->a) && is_constant(space, e->b));
	if (e->op == OP(ADD) || e->op == OP(MUL) || e->op == OP(EQ) || (e->op >= OP(AND) && e->op <= OP(XOR))) {
		assert_false(is_constant(space, e->a));
		if (!is_constant(space, e->b))
			assert_true(mz_expression_content(space, e->a) <= mz_expression_content(space, e->b));
	}
	if (e->op == OP(CONCAT)) assert_int_not_equal(space->expressions[e->a].op, OP(CONCAT));
	if (e->op >= OP(SHL) && e->op <= OP(ASHR)) assert_false(is_constant(space, e->b));
}

/* Takes an expression apart into bytes, and puts it together from either end. */
static void check_bytes(struct mz_space *space, uint32_t x)
{
	unsigned width = space->expressions[x].width, n = width / 8;
	if (width % 8) return;
	uint32_t up = 0, down = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t low = mz_expression_make(space, OP(EXTRACT), 8, x, 0, 0, 8 * i);
		uint32_t high = mz_expression_make(space, OP(EXTRACT), 8, x, 0, 0, width - 8 * (i + 1));
		up = i ? mz_expression_make(space, OP(CONCAT), 8 * (i + 1), low, up, 0, 0) : low;
		down = i ? mz_expression_make(space, OP(CONCAT), 8 * (i + 1), down, high, 0, 0) : high;
	}
	assert_int_equal(up, x);
	assert_int_equal(down, x);
}

static void compare_random(uint64_t seed, unsigned widest, unsigned nbytes)
{
	static struct naive n;
	struct mz_values memo = {0};
	uint8_t bytes[8] = {0};
	n.space = space_new();
	n.random.state = seed;
	n.nbytes = nbytes;
	make_random(&n, widest);
	for (unsigned i = 1; i < n.count; i++) check_bytes(n.space, n.nodes[i].made);
	for (uint32_t i = 1; i <= n.space->nexpressions; i++) check_form(n.space, i);
	assert_true(mz_values_reserve(&memo, n.space));
	for (unsigned i = 0; i < 256; i++) {
		bytes[0] = (uint8_t)i;
		for (unsigned k = 1; k < nbytes; k++) bytes[k] = (uint8_t)odd_number(&n, 8);
		compare_values(&n, bytes, &memo);
	}
	mz_values_release(&memo);
	space_free(n.space);
}

static void test_rules_are_exact_for_all_values(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 150; seed++) compare_random(seed, 1 + seed % 8, 1);
}

static void test_rules_are_exact_at_all_widths(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 150; seed++) compare_random(seed, 64, 1 + seed % 8);
}

/* ---- particular rules ---- */

static uint32_t constant(struct mz_space *s, unsigned width, uint64_t value)
{
	return mz_expression_constant(s, width, value);
}

static uint32_t make(struct mz_space *s, enum mz_operator op, unsigned width, uint32_t a, uint32_t b)
{
	return mz_expression_make(s, op, width, a, b, 0, 0);
}

static void test_equal_expressions_are_one(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0), y = mz_expression_input(s, 1);
	uint32_t sum = make(s, OP(ADD), 8, x, y);
	assert_int_equal(make(s, OP(ADD), 8, y, x), sum);
	assert_int_equal(mz_expression_make(s, OP(ADD), 8, x, y, 77, 78), sum); /* what ADD does not use */
	uint32_t count = s->nexpressions;
	mz_expressions_release();
	assert_int_equal(make(s, OP(ADD), 8, x, y), sum);
	assert_int_equal(s->nexpressions, count);
	space_free(s);
}

/* Makes the same expression of four bytes, whose numbers are in the order of `first`; returns its content. */
static uint64_t make_from(const uint32_t first[4])
{
	struct mz_space *s = space_new();
	uint32_t x[4];
	for (int i = 0; i < 4; i++) x[first[i]] = mz_expression_input(s, first[i]);
	uint32_t sum = make(s, OP(ADD), 8, make(s, OP(ADD), 8, x[0], x[1]), make(s, OP(XOR), 8, x[2], x[3]));
	uint32_t equal = make(s, OP(EQ), 1, make(s, OP(AND), 8, sum, x[3]), make(s, OP(MUL), 8, x[2], x[1]));
	uint64_t content = mz_expression_content(s, equal);
	mz_expressions_release();
	assert_int_equal(mz_expression_content(s, equal), content); /* by a process that takes over the space, too */
	space_free(s);
	return content;
}

static void test_content_does_not_depend_on_numbers(void **unused)
{
	(void)unused;
	uint64_t content = make_from((const uint32_t[]){0, 1, 2, 3});
	assert_int_equal(make_from((const uint32_t[]){3, 2, 1, 0}), content);
	assert_int_equal(make_from((const uint32_t[]){2, 0, 3, 1}), content);
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0), y = mz_expression_input(s, 1);
	assert_int_not_equal(mz_expression_content(s, x), mz_expression_content(s, y));
	assert_int_not_equal(mz_expression_content(s, make(s, OP(SUB), 8, x, y)),
	                     mz_expression_content(s, make(s, OP(SUB), 8, y, x)));
	space_free(s);
}

static void test_forms(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0), y = mz_expression_input(s, 1), yes = constant(s, 1, 1),
	         no = constant(s, 1, 0);
	uint32_t less = make(s, OP(ULT), 1, x, y), wide = make(s, OP(ZEXT), 32, x, 0),
	         wide_y = make(s, OP(ZEXT), 32, y, 0);
	uint32_t ten = constant(s, 32, 10), ten8 = constant(s, 8, 10), zero = constant(s, 32, 0),
	         eight = constant(s, 32, 8);
	assert_int_equal(make(s, OP(UGT), 1, y, x), less);
	assert_int_equal(make(s, OP(XOR), 1, make(s, OP(UGE), 1, x, y), yes), less);
	assert_int_equal(make(s, OP(EQ), 1, less, yes), less);
	assert_int_equal(make(s, OP(EQ), 1, make(s, OP(EQ), 1, less, no), no), less);
	assert_int_equal(make(s, OP(NE), 1, make(s, OP(ZEXT), 32, less, 0), zero), less);
	assert_int_equal(make(s, OP(SLT), 1, wide, ten), make(s, OP(ULT), 1, x, ten8));
	assert_int_equal(make(s, OP(EQ), 1, wide, constant(s, 32, 300)), no);
	assert_int_equal(make(s, OP(SGT), 1, wide, constant(s, 32, -1ULL)), yes);
	assert_int_equal(make(s, OP(EQ), 1, make(s, OP(SUB), 32, wide, ten), zero), make(s, OP(EQ), 1, x, ten8));
	assert_int_equal(mz_expression_make(s, OP(ITE), 1, less, yes, no, 0), less);
	uint32_t choice = mz_expression_make(s, OP(ITE), 32, less, ten, constant(s, 32, 20), 0);
	assert_int_equal(make(s, OP(EQ), 1, choice, ten), less);
	assert_int_equal(make(s, OP(ULT), 1, choice, constant(s, 32, 30)), yes);
	uint32_t word = make(s, OP(OR), 32, wide, make(s, OP(SHL), 32, wide_y, eight));
	assert_int_equal(word, make(s, OP(ZEXT), 32, make(s, OP(CONCAT), 16, y, x), 0));
	assert_int_equal(make(s, OP(ADD), 32, make(s, OP(MUL), 32, wide_y, constant(s, 32, 256)), wide), word);
	assert_int_equal(make(s, OP(AND), 32, word, constant(s, 32, 0xff)), wide);
	assert_int_equal(make(s, OP(LSHR), 32, word, eight), wide_y);
	assert_int_equal(make(s, OP(ADD), 8, make(s, OP(SUB), 8, x, ten8), ten8), x);
	assert_int_equal(make(s, OP(SUB), 8, make(s, OP(ADD), 8, x, y), x), y);
	assert_int_equal(make(s, OP(XOR), 8, make(s, OP(XOR), 8, x, ten8), x), ten8);
	space_free(s);
}

/* x * k / k is x unless the product overflows: a comparison with a constant. */
static void test_products_are_not_divided_again(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	struct mz_values memo = {0};
	uint32_t x = mz_expression_input(s, 0);
	for (uint64_t k = 1; k < 256; k++) {
		uint32_t factor = constant(s, 8, k);
		uint32_t same = make(s, OP(EQ), 1, make(s, OP(UDIV), 8, make(s, OP(MUL), 8, x, factor), factor), x);
		if (k & (k - 1)) assert_int_equal(same, make(s, OP(ULE), 1, x, constant(s, 8, 255 / k)));
		for (unsigned value = 0; value < 256; value++) {
			uint8_t byte = (uint8_t)value;
			assert_true(mz_values_reserve(&memo, s));
			mz_values_forget(&memo);
			assert_int_equal(mz_expression_value(s, same, &byte, &memo), (uint8_t)(value * k) / k == value);
		}
	}
	mz_values_release(&memo);
	space_free(s);
}

static void test_operators_at_their_ends(void **unused)
{
	(void)unused;
	assert_int_equal(mz_operator_apply(OP(UDIV), 8, 8, 5, 0, 0, 0), 0xff);
	assert_int_equal(mz_operator_apply(OP(SDIV), 8, 8, 5, 0, 0, 0), 0xff);
	assert_int_equal(mz_operator_apply(OP(SDIV), 8, 8, 0xfb, 0, 0, 0), 1);
	assert_int_equal(mz_operator_apply(OP(UREM), 8, 8, 5, 0, 0, 0), 5);
	assert_int_equal(mz_operator_apply(OP(SREM), 8, 8, 0xfb, 0, 0, 0), 0xfb);
	assert_int_equal(mz_operator_apply(OP(SREM), 8, 8, 0xfb, 3, 0, 0), 0xfe);
	assert_int_equal(mz_operator_apply(OP(SDIV), 64, 64, 1ULL << 63, ~0ULL, 0, 0), 1ULL << 63);
	assert_int_equal(mz_operator_apply(OP(SREM), 64, 64, 1ULL << 63, ~0ULL, 0, 0), 0);
	assert_int_equal(mz_operator_apply(OP(SHL), 64, 64, 1, 64, 0, 0), 0);
	assert_int_equal(mz_operator_apply(OP(LSHR), 8, 8, 0x80, 8, 0, 0), 0);
	assert_int_equal(mz_operator_apply(OP(ASHR), 8, 8, 0x80, 200, 0, 0), 0xff);
	assert_int_equal(mz_operator_apply(OP(ASHR), 64, 64, 1ULL << 63, 63, 0, 0), ~0ULL);
	assert_int_equal(mz_operator_apply(OP(CONCAT), 64, 32, 1, 2, 0, 0), 0x100000002);
	assert_int_equal(mz_operator_apply(OP(SEXT), 64, 1, 1, 0, 0, 0), ~0ULL);
}

/* ---- what cannot be made ---- */

static void test_what_does_not_fit_is_not_made(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0), wide = make(s, OP(ZEXT), 32, x, 0);
	assert_int_equal(make(s, OP(ADD), 8, x, wide), 0);
	assert_int_equal(make(s, OP(ADD), 8, x, 0), 0);
	assert_int_equal(make(s, OP(ADD), 8, x, 1000), 0);
	assert_int_equal(make(s, OP(ZEXT), 4, x, 0), 0);
	assert_int_equal(make(s, OP(ZEXT), 65, x, 0), 0);
	assert_int_equal(make(s, OP(ZEXT), 256 + 32, x, 0), 0);
	assert_int_equal(make(s, OP(EQ), 8, x, x), 0);
	assert_int_equal(make(s, MZ_OPERATORS, 8, x, x), 0);
	assert_int_equal(mz_expression_make(s, OP(EXTRACT), 4, x, 0, 0, 5), 0);
	assert_int_equal(mz_expression_make(s, OP(EXTRACT), 4, x, 0, 0, UINT64_MAX), 0);
	assert_int_equal(mz_expression_constant(s, 0, 0), 0);
	assert_int_equal(mz_expression_input(s, MZ_SPACE_BYTES), 0);
	space_free(s);
}

static void test_without_room(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0);
	mz_expressions_release();
	mz_alloc_fail_at(1);
	assert_int_equal(make(s, OP(ZEXT), 32, x, 0), 0);
	mz_alloc_fail_at(0);
	assert_int_not_equal(make(s, OP(ZEXT), 32, x, 0), 0);
	uint32_t count = 0;
	mz_alloc_fail_at(1);
	while (mz_expression_constant(s, 64, count)) count++;
	mz_alloc_fail_at(0);
	assert_true(count > 0 && count < 10000);
	for (uint32_t i = 0; i < 10000; i++) assert_int_equal(mz_expression_constant(s, 64, i), i + 3);
	s->nexpressions = MZ_SPACE_EXPRESSIONS - 1;
	mz_expressions_release();
	assert_int_equal(mz_expression_constant(s, 64, 1 << 20), 0);
	assert_int_equal(mz_expression_constant(s, 64, 7), 10);
	space_free(s);
}

/* ---- values ---- */

#define DEEP 1000000

static void test_values_of_deep_expressions(void **unused)
{
	(void)unused;
	struct mz_space *s = space_new();
	uint32_t x = mz_expression_input(s, 0), y = mz_expression_input(s, 1), sum = x;
	for (int i = 0; i < DEEP; i++) sum = make(s, i % 2 ? OP(ADD) : OP(XOR), 8, sum, i % 3 ? y : x);
	struct mz_values memo = {0};
	mz_alloc_fail_at(2);
	assert_false(mz_values_reserve(&memo, s));
	mz_alloc_fail_at(0);
	assert_true(mz_values_reserve(&memo, s));
	for (uint8_t k = 0; k < 3; k++) {
		uint8_t bytes[] = {(uint8_t)(k + 3), k}, expected = bytes[0];
		for (int i = 0; i < DEEP; i++) {
			uint8_t other = bytes[i % 3 ? 1 : 0];
			expected = i % 2 ? (uint8_t)(expected + other) : expected ^ other;
		}
		mz_values_forget(&memo);
		assert_int_equal(mz_expression_value(s, sum, bytes, &memo), expected);
		assert_int_equal(mz_expression_value(s, y, bytes, &memo), k);
	}
	memo.generation = UINT32_MAX; /* the stamps begin anew */
	mz_values_forget(&memo);
	assert_int_equal(mz_expression_value(s, x, (const uint8_t[]){9}, &memo), 9);
	mz_values_release(&memo);
	space_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rules_are_exact_for_all_values),
	    cmocka_unit_test(test_rules_are_exact_at_all_widths),
	    cmocka_unit_test(test_equal_expressions_are_one),
	    cmocka_unit_test(test_content_does_not_depend_on_numbers),
	    cmocka_unit_test(test_forms),
	    cmocka_unit_test(test_products_are_not_divided_again),
	    cmocka_unit_test(test_operators_at_their_ends),
	    cmocka_unit_test(test_what_does_not_fit_is_not_made),
	    cmocka_unit_test(test_without_room),
	    cmocka_unit_test(test_values_of_deep_expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
