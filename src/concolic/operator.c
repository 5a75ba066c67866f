/* SPDX-License-Identifier: MIT
 *
 * What operators compute, on values as on constants, and which operands they take. Everything else that knows operators
 * (the rules in simplify*.c, the translation to Z3) is tested against mz_operator_apply().
 */
#include "concolic/expression.h"

static int64_t as_signed(uint64_t value, unsigned width)
{
	unsigned above = 64 - width;
	return (int64_t)(value << above) >> above;
}

/* The quotient and the remainder of signed numbers, as in SMT-LIB. The least number divided by -1 is itself. */
static uint64_t signed_quotient(int64_t a, int64_t b)
{
	if (b == 0) return a < 0 ? 1 : ~0ULL;
	return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t signed_remainder(int64_t a, int64_t b)
{
	if (b == 0) return (uint64_t)a;
	return b == -1 ? 0 : (uint64_t)(a % b);
}

static uint64_t arithmetic(enum mz_operator op, unsigned width, uint64_t a, uint64_t b)
{
	int64_t sa = as_signed(a, width), sb = as_signed(b, width);
	switch (op) {
	case MZ_OPERATOR_ADD: return a + b;
	case MZ_OPERATOR_SUB: return a - b;
	case MZ_OPERATOR_MUL: return a * b;
	case MZ_OPERATOR_UDIV: return b ? a / b : ~0ULL;
	case MZ_OPERATOR_SDIV: return signed_quotient(sa, sb);
	case MZ_OPERATOR_UREM: return b ? a % b : a;
	case MZ_OPERATOR_SREM: return signed_remainder(sa, sb);
	case MZ_OPERATOR_SHL: return b < width ? a << b : 0;
	case MZ_OPERATOR_LSHR: return b < width ? a >> b : 0;
	case MZ_OPERATOR_ASHR: return (uint64_t)(sa >> (b < width ? b : width - 1));
	case MZ_OPERATOR_AND: return a & b;
	case MZ_OPERATOR_OR: return a | b;
	default: return a ^ b;
	}
}

static bool compare(enum mz_operator op, unsigned width, uint64_t a, uint64_t b)
{
	int64_t sa = as_signed(a, width), sb = as_signed(b, width);
	switch (op) {
	case MZ_OPERATOR_EQ: return a == b;
	case MZ_OPERATOR_NE: return a != b;
	case MZ_OPERATOR_ULT: return a < b;
	case MZ_OPERATOR_ULE: return a <= b;
	case MZ_OPERATOR_UGT: return a > b;
	case MZ_OPERATOR_UGE: return a >= b;
	case MZ_OPERATOR_SLT: return sa < sb;
	case MZ_OPERATOR_SLE: return sa <= sb;
	case MZ_OPERATOR_SGT: return sa > sb;
	default: return sa >= sb;
	}
}

uint64_t mz_operator_apply(enum mz_operator op, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c,
                           uint64_t number)
{
	uint64_t value;
	switch (op) {
	case MZ_OPERATOR_CONSTANT: value = number; break;
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_TRUNC: value = a; break;
	case MZ_OPERATOR_SEXT: value = (uint64_t)as_signed(a, from); break;
	case MZ_OPERATOR_EXTRACT: value = a >> number; break;
	case MZ_OPERATOR_CONCAT: value = a << from | b; break;
	case MZ_OPERATOR_ITE: value = a ? b : c; break;
	default: value = mz_operator_is_comparison(op) ? compare(op, from, a, b) : arithmetic(op, width, a, b);
	}
	return value & mz_bits(width);
}

unsigned mz_operator_operands(enum mz_operator op)
{
	switch (op) {
	case MZ_OPERATOR_CONSTANT:
	case MZ_OPERATOR_INPUT: return 0;
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT:
	case MZ_OPERATOR_TRUNC:
	case MZ_OPERATOR_EXTRACT: return 1;
	case MZ_OPERATOR_ITE: return 3;
	default: return 2;
	}
}

/* Reports whether operands of these widths (0: there is none) fit the operator and the width of its result. */
static bool fits(const struct mz_expression *e, unsigned a, unsigned b, unsigned c)
{
	switch (e->op) {
	case MZ_OPERATOR_CONSTANT: return e->number <= mz_bits(e->width);
	case MZ_OPERATOR_INPUT: return e->width == 8 && e->number < MZ_SPACE_BYTES;
	case MZ_OPERATOR_ZEXT:
	case MZ_OPERATOR_SEXT: return e->width >= a;
	case MZ_OPERATOR_TRUNC: return e->width <= a;
	case MZ_OPERATOR_EXTRACT: return e->number < a && e->width <= a - e->number;
	case MZ_OPERATOR_CONCAT: return e->width == a + b;
	case MZ_OPERATOR_ITE: return a == 1 && b == e->width && c == e->width;
	default: return a == b && e->width == (mz_operator_is_comparison(e->op) ? 1 : a);
	}
}

bool mz_expression_is_sound(const struct mz_space *space, const struct mz_expression *e, uint32_t below)
{
	if (e->op >= MZ_OPERATORS || e->width < 1 || e->width > 64) return false;
	const uint32_t operands[] = {e->a, e->b, e->c};
	unsigned n = mz_operator_operands(e->op), widths[3] = {0};
	for (unsigned i = 0; i < n; i++) {
		if (operands[i] == 0 || operands[i] >= below) return false;
		widths[i] = space->expressions[operands[i]].width;
	}
	return fits(e, widths[0], widths[1], widths[2]);
}
