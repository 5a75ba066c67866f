/* SPDX-License-Identifier: MIT
 *
 * Operations on values: arithmetic, comparisons, conversions, selects, phis, addresses of elements, and the parts of
 * aggregates. The shadow of each is computed right after it.
 */
#include "concolic/instrument/instrument.h"

#define NO_OPERATOR MZ_OPERATORS

LLVMValueRef mz_shadow_binary(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, struct mz_pair b,
                              LLVMValueRef result)
{
	if (mz_is_no_shadow(a.shadow) && mz_is_no_shadow(b.shadow)) return mz_no_shadow(in);
	LLVMValueRef arguments[] = {mz_number(in, op),
	                            mz_number(in, mz_width_of(LLVMTypeOf(a.value))),
	                            a.shadow,
	                            b.shadow,
	                            mz_bits64(in, a.value),
	                            mz_bits64(in, b.value),
	                            mz_bits64(in, result)};
	return mz_help(in, MZ_HELPER_BINARY, arguments, 7);
}

LLVMValueRef mz_shadow_convert(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, LLVMValueRef result)
{
	unsigned from = mz_width_of(LLVMTypeOf(a.value)), to = mz_width_of(LLVMTypeOf(result));
	if (mz_is_no_shadow(a.shadow) || from == to) return a.shadow;
	LLVMValueRef arguments[] = {mz_number(in, op), mz_number(in, from), mz_number(in, to), a.shadow,
	                            mz_bits64(in, result)};
	return mz_help(in, MZ_HELPER_CONVERT, arguments, 5);
}

LLVMValueRef mz_shadow_select(struct mz_instrument *in, struct mz_pair condition, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef shadow_a, LLVMValueRef shadow_b)
{
	if (mz_is_no_shadow(condition.shadow)) {
		if (mz_is_no_shadow(shadow_a) && mz_is_no_shadow(shadow_b)) return mz_no_shadow(in);
		return LLVMBuildSelect(in->builder, condition.value, shadow_a, shadow_b, "");
	}
	LLVMValueRef arguments[] = {mz_number(in, mz_width_of(LLVMTypeOf(a))),
	                            condition.value,
	                            condition.shadow,
	                            shadow_a,
	                            shadow_b,
	                            mz_bits64(in, a),
	                            mz_bits64(in, b)};
	return mz_help(in, MZ_HELPER_SELECT, arguments, 7);
}

/* --- pairs --- */

struct mz_pair mz_pair(struct mz_instrument *in, LLVMValueRef value)
{
	return (struct mz_pair){value, mz_shadow(in, value)};
}

struct mz_pair mz_pair_constant(LLVMTypeRef type, uint64_t number)
{
	LLVMContextRef context = LLVMGetTypeContext(type);
	return (struct mz_pair){LLVMConstInt(type, number, false),
	                        LLVMConstInt(LLVMInt32TypeInContext(context), 0, false)};
}

static bool is_comparison(enum mz_operator op)
{
	return op >= MZ_OPERATOR_EQ && op <= MZ_OPERATOR_SGE;
}

/* Reports whether the operator shifts, which LLVM does not define for the width and above. */
static bool is_shift(enum mz_operator op)
{
	return op == MZ_OPERATOR_SHL || op == MZ_OPERATOR_LSHR;
}

static LLVMValueRef build_comparison(struct mz_instrument *in, enum mz_operator op, LLVMValueRef a, LLVMValueRef b)
{
	static const LLVMIntPredicate predicates[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
	                                              LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
	return LLVMBuildICmp(in->builder, predicates[op - MZ_OPERATOR_EQ], a, b, "");
}

static LLVMValueRef build_arithmetic(struct mz_instrument *in, enum mz_operator op, LLVMValueRef a, LLVMValueRef b)
{
	static const LLVMOpcode opcodes[] = {LLVMAdd, LLVMSub,  LLVMMul,  LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem,
	                                     LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,   LLVMXor};
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef result = LLVMBuildBinOp(in->builder, opcodes[op - MZ_OPERATOR_ADD], a, b, "");
	if (!is_shift(op)) return result;
	LLVMValueRef width = LLVMConstInt(type, LLVMGetIntTypeWidth(type), false);
	LLVMValueRef defined = LLVMBuildICmp(in->builder, LLVMIntULT, b, width, "");
	return LLVMBuildSelect(in->builder, defined, result, LLVMConstNull(type), "");
}

struct mz_pair mz_pair_binary(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, struct mz_pair b)
{
	struct mz_pair result;
	result.value =
	    is_comparison(op) ? build_comparison(in, op, a.value, b.value) : build_arithmetic(in, op, a.value, b.value);
	result.shadow = mz_shadow_binary(in, op, a, b, result.value);
	return result;
}

struct mz_pair mz_pair_convert(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, LLVMTypeRef type)
{
	LLVMOpcode opcode = op == MZ_OPERATOR_ZEXT ? LLVMZExt : op == MZ_OPERATOR_SEXT ? LLVMSExt : LLVMTrunc;
	struct mz_pair result;
	if (LLVMTypeOf(a.value) == type) return a;
	result.value = LLVMBuildCast(in->builder, opcode, a.value, type, "");
	result.shadow = mz_shadow_convert(in, op, a, result.value);
	return result;
}

struct mz_pair mz_pair_select(struct mz_instrument *in, struct mz_pair condition, struct mz_pair a, struct mz_pair b)
{
	return (struct mz_pair){LLVMBuildSelect(in->builder, condition.value, a.value, b.value, ""),
	                        mz_shadow_select(in, condition, a.value, b.value, a.shadow, b.shadow)};
}

struct mz_pair mz_pair_choose(struct mz_instrument *in, LLVMValueRef first, struct mz_pair a, struct mz_pair b)
{
	return (struct mz_pair){LLVMBuildSelect(in->builder, first, a.value, b.value, ""),
	                        LLVMBuildSelect(in->builder, first, a.shadow, b.shadow, "")};
}

/* --- instructions --- */

static enum mz_operator operator_of(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd: return MZ_OPERATOR_ADD;
	case LLVMSub: return MZ_OPERATOR_SUB;
	case LLVMMul: return MZ_OPERATOR_MUL;
	case LLVMUDiv: return MZ_OPERATOR_UDIV;
	case LLVMSDiv: return MZ_OPERATOR_SDIV;
	case LLVMURem: return MZ_OPERATOR_UREM;
	case LLVMSRem: return MZ_OPERATOR_SREM;
	case LLVMShl: return MZ_OPERATOR_SHL;
	case LLVMLShr: return MZ_OPERATOR_LSHR;
	case LLVMAShr: return MZ_OPERATOR_ASHR;
	case LLVMAnd: return MZ_OPERATOR_AND;
	case LLVMOr: return MZ_OPERATOR_OR;
	case LLVMXor: return MZ_OPERATOR_XOR;
	case LLVMZExt:
	case LLVMIntToPtr:
	case LLVMPtrToInt: return MZ_OPERATOR_ZEXT;
	case LLVMSExt: return MZ_OPERATOR_SEXT;
	case LLVMTrunc: return MZ_OPERATOR_TRUNC;
	default: return NO_OPERATOR;
	}
}

static enum mz_operator operator_of_predicate(LLVMIntPredicate predicate)
{
	switch (predicate) {
	case LLVMIntEQ: return MZ_OPERATOR_EQ;
	case LLVMIntNE: return MZ_OPERATOR_NE;
	case LLVMIntULT: return MZ_OPERATOR_ULT;
	case LLVMIntULE: return MZ_OPERATOR_ULE;
	case LLVMIntUGT: return MZ_OPERATOR_UGT;
	case LLVMIntUGE: return MZ_OPERATOR_UGE;
	case LLVMIntSLT: return MZ_OPERATOR_SLT;
	case LLVMIntSLE: return MZ_OPERATOR_SLE;
	case LLVMIntSGT: return MZ_OPERATOR_SGT;
	default: return MZ_OPERATOR_SGE;
	}
}

static bool is_division(enum mz_operator op)
{
	return op >= MZ_OPERATOR_UDIV && op <= MZ_OPERATOR_SREM;
}

/* A value that the operation cannot be followed for loses its shadow. */
static void lose_operands(struct mz_instrument *in, LLVMValueRef instruction, enum mz_sym_lost kind, const char *what)
{
	mz_stand_before(in, instruction);
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
		mz_lose(in, LLVMGetOperand(instruction, (unsigned)i), kind, what);
}

static void ask_division(struct mz_instrument *in, LLVMValueRef instruction, enum mz_operator op, struct mz_pair a,
                         struct mz_pair b)
{
	if (mz_is_no_shadow(a.shadow) && mz_is_no_shadow(b.shadow)) return;
	mz_stand_before(in, instruction);
	LLVMValueRef arguments[] = {mz_number(in, op),
	                            mz_number(in, mz_width_of(LLVMTypeOf(a.value))),
	                            a.shadow,
	                            b.shadow,
	                            mz_bits64(in, a.value),
	                            mz_bits64(in, b.value)};
	mz_help(in, MZ_HELPER_DIVISION, arguments, 6);
}

static void instrument_binary(struct mz_instrument *in, LLVMValueRef instruction, enum mz_operator op)
{
	struct mz_pair a = mz_pair(in, LLVMGetOperand(instruction, 0)), b = mz_pair(in, LLVMGetOperand(instruction, 1));
	if (is_division(op)) ask_division(in, instruction, op, a, b);
	mz_stand_after(in, instruction);
	mz_set_shadow(in, instruction, mz_shadow_binary(in, op, a, b, instruction));
}

static void instrument_conversion(struct mz_instrument *in, LLVMValueRef instruction, enum mz_operator op)
{
	struct mz_pair a = mz_pair(in, LLVMGetOperand(instruction, 0));
	mz_stand_after(in, instruction);
	if (mz_width_of(LLVMTypeOf(a.value)) > mz_width_of(LLVMTypeOf(instruction))) op = MZ_OPERATOR_TRUNC;
	mz_set_shadow(in, instruction, mz_shadow_convert(in, op, a, instruction));
}

/* Chooses between aggregates part by part. */
static LLVMValueRef select_parts(struct mz_instrument *in, struct mz_pair condition, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef shadow_a, LLVMValueRef shadow_b)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	if (mz_type_is_scalar(type)) return mz_shadow_select(in, condition, a, b, shadow_a, shadow_b);
	LLVMValueRef result = LLVMConstNull(mz_shadow_type(in, type));
	if (!mz_type_is_aggregate(type)) return result;
	unsigned n =
	    LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMCountStructElementTypes(type);
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef part = select_parts(in, condition, LLVMBuildExtractValue(in->builder, a, i, ""),
		                                 LLVMBuildExtractValue(in->builder, b, i, ""),
		                                 LLVMBuildExtractValue(in->builder, shadow_a, i, ""),
		                                 LLVMBuildExtractValue(in->builder, shadow_b, i, ""));
		result = LLVMBuildInsertValue(in->builder, result, part, i, "");
	}
	return result;
}

static void instrument_select(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMValueRef a = LLVMGetOperand(instruction, 1), b = LLVMGetOperand(instruction, 2);
	struct mz_pair condition = mz_pair(in, LLVMGetOperand(instruction, 0));
	mz_stand_after(in, instruction);
	mz_set_shadow(in, instruction, select_parts(in, condition, a, b, mz_shadow(in, a), mz_shadow(in, b)));
}

/* --- addresses of elements --- */

static LLVMTypeRef element_type(LLVMTypeRef type, LLVMValueRef index)
{
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
		return LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
	return LLVMGetElementType(type);
}

/* Returns the part of the offset that comes from indices with a shadow. */
static struct mz_pair symbolic_offset(struct mz_instrument *in, LLVMValueRef gep)
{
	struct mz_pair sum = mz_pair_constant(in->i64, 0);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
		struct mz_pair index = mz_pair(in, LLVMGetOperand(gep, (unsigned)i));
		if (i > 1) type = element_type(type, index.value);
		if (mz_is_no_shadow(index.shadow)) continue;
		struct mz_pair size = mz_pair_constant(in->i64, LLVMABISizeOfType(in->layout, type));
		index = mz_pair_convert(in, MZ_OPERATOR_SEXT, index, in->i64);
		if (LLVMConstIntGetZExtValue(size.value) != 1) index = mz_pair_binary(in, MZ_OPERATOR_MUL, index, size);
		sum = mz_is_no_shadow(sum.shadow) ? index : mz_pair_binary(in, MZ_OPERATOR_ADD, sum, index);
	}
	return sum;
}

static void instrument_address(struct mz_instrument *in, LLVMValueRef gep)
{
	struct mz_pair base = mz_pair(in, LLVMGetOperand(gep, 0));
	mz_stand_after(in, gep);
	struct mz_pair offset = symbolic_offset(in, gep);
	if (mz_is_no_shadow(base.shadow) && mz_is_no_shadow(offset.shadow)) return;
	LLVMValueRef arguments[] = {base.shadow, offset.shadow, mz_as_pointer(in, base.value), offset.value,
	                            mz_as_pointer(in, gep)};
	mz_set_shadow(in, gep, mz_help(in, MZ_HELPER_ADDRESS, arguments, 5));
}

/* --- aggregates --- */

static void instrument_extract(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMValueRef whole = LLVMGetOperand(instruction, 0), part = mz_shadow(in, whole);
	const unsigned *indices = LLVMGetIndices(instruction);
	if (!mz_is_tainted(in, whole)) return;
	mz_stand_after(in, instruction);
	for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++)
		part = LLVMBuildExtractValue(in->builder, part, indices[i], "");
	mz_set_shadow(in, instruction, part);
}

/* Puts `part` into `whole` at the place that the indices say. */
static LLVMValueRef insert(struct mz_instrument *in, LLVMValueRef whole, LLVMValueRef part, const unsigned *indices,
                           unsigned n)
{
	if (n == 0) return part;
	LLVMValueRef old = LLVMBuildExtractValue(in->builder, whole, *indices, "");
	return LLVMBuildInsertValue(in->builder, whole, insert(in, old, part, indices + 1, n - 1), *indices, "");
}

static void instrument_insert(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMValueRef whole = mz_shadow(in, LLVMGetOperand(instruction, 0));
	LLVMValueRef part = mz_shadow(in, LLVMGetOperand(instruction, 1));
	mz_stand_after(in, instruction);
	mz_set_shadow(in, instruction,
	              insert(in, whole, part, LLVMGetIndices(instruction), LLVMGetNumIndices(instruction)));
}

/* Counts operands that have a shadow as lost: the result of the instruction has none. */
static void instrument_end_of_shadows(struct mz_instrument *in, LLVMValueRef instruction)
{
	if (mz_is_floating(instruction)) {
		lose_operands(in, instruction, MZ_SYM_LOST_FLOAT, "floating-point operation");
		return;
	}
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMInsertElement: lose_operands(in, instruction, MZ_SYM_LOST_WIDE, "vector"); break;
	case LLVMResume:
	case LLVMUnreachable:
	case LLVMFence: break;
	default: lose_operands(in, instruction, MZ_SYM_LOST_WIDE, "number of more than 64 bits");
	}
}

static bool is_followed(struct mz_instrument *in, LLVMValueRef instruction)
{
	if (mz_type_is_aggregate(LLVMTypeOf(instruction))) return mz_is_tainted(in, instruction);
	if (!mz_type_is_scalar(LLVMTypeOf(instruction))) return false;
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i));
		if (!mz_type_is_scalar(type) && !mz_type_is_aggregate(type)) return false;
	}
	return true;
}

void mz_instrument_value(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	enum mz_operator op = operator_of(opcode);
	if (!is_followed(in, instruction)) {
		instrument_end_of_shadows(in, instruction);
	} else if (opcode == LLVMICmp) {
		instrument_binary(in, instruction, operator_of_predicate(LLVMGetICmpPredicate(instruction)));
	} else if (op >= MZ_OPERATOR_ADD && op <= MZ_OPERATOR_XOR) {
		instrument_binary(in, instruction, op);
	} else if (op != NO_OPERATOR) {
		instrument_conversion(in, instruction, op);
	} else if (opcode == LLVMBitCast || opcode == LLVMFreeze) {
		mz_set_shadow(in, instruction, mz_shadow(in, LLVMGetOperand(instruction, 0)));
	} else if (opcode == LLVMSelect) {
		instrument_select(in, instruction);
	} else if (opcode == LLVMGetElementPtr) {
		instrument_address(in, instruction);
	} else if (opcode == LLVMExtractValue) {
		instrument_extract(in, instruction);
	} else if (opcode == LLVMInsertValue) {
		instrument_insert(in, instruction);
	} else {
		instrument_end_of_shadows(in, instruction);
	}
}
