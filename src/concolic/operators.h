/* SPDX-License-Identifier: MIT
 *
 * The operators of symbolic expressions. The instrumenter puts their numbers into programs: a new one goes to the end.
 */
#ifndef MZ_CONCOLIC_OPERATORS_H
#define MZ_CONCOLIC_OPERATORS_H

/* X(name): operators with two operands of the same width, which is also the width of the result. Shifting by the width
 * or more gives 0 (ASHR: copies of the sign). Dividing by 0 gives all ones (SDIV of a negative number: 1), and the
 * remainder is the dividend, as in SMT-LIB: programs ask about the divisor before. The least signed number divided by
 * -1 is itself. */
#define MZ_ARITHMETIC(X) X(ADD) X(SUB) X(MUL) X(UDIV) X(SDIV) X(UREM) X(SREM) X(SHL) X(LSHR) X(ASHR) X(AND) X(OR) X(XOR)
/* X(name): operators with two operands of the same width; the result has one bit. */
#define MZ_COMPARISONS(X) X(EQ) X(NE) X(ULT) X(ULE) X(UGT) X(UGE) X(SLT) X(SLE) X(SGT) X(SGE)
/* X(name): operators with one operand; the result has the width that is given. */
#define MZ_CONVERSIONS(X) X(ZEXT) X(SEXT) X(TRUNC)

enum mz_operator {
	MZ_OPERATOR_CONSTANT, /* `number` */
	MZ_OPERATOR_INPUT,    /* byte `number` of the inputs, 8 bits wide */
#define X(name) MZ_OPERATOR_##name,
	MZ_ARITHMETIC(X) MZ_COMPARISONS(X) MZ_CONVERSIONS(X)
#undef X
	    MZ_OPERATOR_EXTRACT, /* `width` bits of `a`, from bit `number` on */
	MZ_OPERATOR_CONCAT,      /* `a` above `b` */
	MZ_OPERATOR_ITE,         /* `b` if `a`, which has one bit, is 1; `c` if it is 0 */
	MZ_OPERATORS
};

#endif
