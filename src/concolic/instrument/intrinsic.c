/* SPDX-License-Identifier: MIT
 *
 * Calls of LLVM's intrinsics. Those that compute something from integers are put together from the operators that
 * expressions have, or replaced by a function of models/ that does; of the rest, most have nothing to do with values.
 */
#include "concolic/instrument/instrument.h"
#include <stdio.h>
#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool starts_with_one_of(const char *const *list, const char *text)
{
	for (; *list; list++)
		if (starts_with(text, *list)) return true;
	return false;
}

/* Intrinsics whose result is their first operand. */
static const char *const identities[] = {
    "expect.",   "ptr.annotation.", "annotation.", "launder.invariant.group.", "strip.invariant.group.",
    "ssa.copy.", "ptrmask.",        NULL};
/* Intrinsics that models/bits.c has in its place. */
static const char *const modelled[] = {"ctpop.", "ctlz.", "cttz.", "bitreverse.", NULL};
/* Intrinsics that are put together here. */
static const char *const composed[] = {"abs.",  "smin.", "smax.", "umin.", "umax.", "bswap.", "fshl.", "fshr.",
                                       "sadd.", "uadd.", "ssub.", "usub.", "smul.", "umul.",  NULL};
/* Intrinsics that values may go into without being lost. */
static const char *const silent[] = {
    "dbg.",       "lifetime.",   "assume",         "donothing",    "va_",
    "stack",      "prefetch",    "invariant",      "trap",         "ubsantrap",
    "debugtrap",  "eh.",         "objectsize.",    "is.constant",  "experimental.noalias",
    "sideeffect", "pseudoprobe", "var.annotation", "frameaddress", "returnaddress",
    NULL};

bool mz_intrinsic_computes(const char *name)
{
	return starts_with_one_of(identities, name) || starts_with_one_of(composed, name);
}

/* --- composed --- */

static struct mz_pair constant_like(struct mz_pair pair, uint64_t number)
{
	return mz_pair_constant(LLVMTypeOf(pair.value), number);
}

static struct mz_pair absolute(struct mz_instrument *in, struct mz_pair a)
{
	struct mz_pair zero = constant_like(a, 0);
	return mz_pair_select(in, mz_pair_binary(in, MZ_OPERATOR_SLT, a, zero),
	                      mz_pair_binary(in, MZ_OPERATOR_SUB, zero, a), a);
}

static struct mz_pair extreme(struct mz_instrument *in, const char *name, struct mz_pair a, struct mz_pair b)
{
	bool is_signed = name[0] == 's', least = name[2] == 'i';
	enum mz_operator op =
	    is_signed ? (least ? MZ_OPERATOR_SLT : MZ_OPERATOR_SGT) : (least ? MZ_OPERATOR_ULT : MZ_OPERATOR_UGT);
	return mz_pair_select(in, mz_pair_binary(in, op, a, b), a, b);
}

static struct mz_pair swapped_bytes(struct mz_instrument *in, struct mz_pair a)
{
	unsigned width = mz_width_of(LLVMTypeOf(a.value));
	struct mz_pair result = constant_like(a, 0), mask = constant_like(a, 0xff);
	for (unsigned from = 0; from < width; from += 8) {
		struct mz_pair byte = mz_pair_binary(in, MZ_OPERATOR_LSHR, a, constant_like(a, from));
		byte = mz_pair_binary(in, MZ_OPERATOR_AND, byte, mask);
		byte = mz_pair_binary(in, MZ_OPERATOR_SHL, byte, constant_like(a, width - 8 - from));
		result = mz_pair_binary(in, MZ_OPERATOR_OR, result, byte);
	}
	return result;
}

/* The high (fshl) or low (fshr) half of `a` and `b`, shifted as one. Shifting by the whole width gives 0. */
static struct mz_pair funnel(struct mz_instrument *in, bool left, struct mz_pair a, struct mz_pair b, struct mz_pair by)
{
	struct mz_pair width = constant_like(a, mz_width_of(LLVMTypeOf(a.value)));
	by = mz_pair_binary(in, MZ_OPERATOR_UREM, by, width);
	struct mz_pair other = mz_pair_binary(in, MZ_OPERATOR_SUB, width, by);
	struct mz_pair high = mz_pair_binary(in, MZ_OPERATOR_SHL, a, left ? by : other);
	struct mz_pair low = mz_pair_binary(in, MZ_OPERATOR_LSHR, b, left ? other : by);
	return mz_pair_binary(in, MZ_OPERATOR_OR, high, low);
}

/* --- arithmetic that says whether it overflowed --- */

static enum mz_operator overflow_operator(const char *name)
{
	return name[1] == 'a' ? MZ_OPERATOR_ADD : name[1] == 's' ? MZ_OPERATOR_SUB : MZ_OPERATOR_MUL;
}

/* Computes with twice as many bits, and compares. */
static struct mz_pair overflow_by_widening(struct mz_instrument *in, const char *name, struct mz_pair a,
                                           struct mz_pair b, struct mz_pair result)
{
	enum mz_operator extend = name[0] == 's' ? MZ_OPERATOR_SEXT : MZ_OPERATOR_ZEXT;
	LLVMTypeRef wide = LLVMIntTypeInContext(in->context, 2 * mz_width_of(LLVMTypeOf(a.value)));
	struct mz_pair exact = mz_pair_binary(in, overflow_operator(name), mz_pair_convert(in, extend, a, wide),
	                                      mz_pair_convert(in, extend, b, wide));
	return mz_pair_binary(in, MZ_OPERATOR_NE, exact, mz_pair_convert(in, extend, result, wide));
}

/* Unsigned sums overflow if they are less than an operand, differences if the second operand is greater; signed ones
 * if the sign is not one that the operands' signs allow. */
static struct mz_pair overflow_by_sign(struct mz_instrument *in, const char *name, struct mz_pair a, struct mz_pair b,
                                       struct mz_pair result)
{
	bool add = overflow_operator(name) == MZ_OPERATOR_ADD;
	if (name[0] == 'u') return mz_pair_binary(in, MZ_OPERATOR_ULT, add ? result : a, add ? a : b);
	struct mz_pair x = mz_pair_binary(in, MZ_OPERATOR_XOR, a, add ? result : b);
	struct mz_pair y = mz_pair_binary(in, MZ_OPERATOR_XOR, add ? b : a, result);
	struct mz_pair sign = mz_pair_binary(in, MZ_OPERATOR_AND, x, y);
	return mz_pair_binary(in, MZ_OPERATOR_SLT, sign, constant_like(a, 0));
}

/* Unsigned products of 64 bits: dividing by an operand gives the other one back, unless the operand is 0. A constant is
 * the better divisor: the quotient is then compared with a constant only. */
static struct mz_pair unsigned_product_overflows(struct mz_instrument *in, struct mz_pair a, struct mz_pair b,
                                                 struct mz_pair result)
{
	struct mz_pair zero = constant_like(a, 0), one = constant_like(a, 1);
	LLVMValueRef swap = LLVMBuildICmp(in->builder, LLVMIntEQ, b.shadow, mz_no_shadow(in), "");
	struct mz_pair constant = mz_pair_choose(in, swap, b, a), other = mz_pair_choose(in, swap, a, b);
	struct mz_pair none = mz_pair_binary(in, MZ_OPERATOR_EQ, constant, zero);
	struct mz_pair divisor = mz_pair_select(in, none, one, constant);
	struct mz_pair back = mz_pair_binary(in, MZ_OPERATOR_UDIV, result, divisor);
	struct mz_pair differs = mz_pair_binary(in, MZ_OPERATOR_NE, back, other);
	return mz_pair_select(in, none, mz_pair_constant(in->i1, 0), differs);
}

/* Signed products of 64 bits: that of the absolute values overflows, or is more than the sign of the result allows. */
static struct mz_pair signed_product_overflows(struct mz_instrument *in, struct mz_pair a, struct mz_pair b)
{
	struct mz_pair x = absolute(in, a), y = absolute(in, b), product = mz_pair_binary(in, MZ_OPERATOR_MUL, x, y);
	struct mz_pair sign = mz_pair_binary(in, MZ_OPERATOR_XOR, a, b);
	struct mz_pair negative = mz_pair_binary(in, MZ_OPERATOR_SLT, sign, constant_like(a, 0));
	struct mz_pair most =
	    mz_pair_select(in, negative, constant_like(a, 1ULL << 63), constant_like(a, (1ULL << 63) - 1));
	return mz_pair_binary(in, MZ_OPERATOR_OR, unsigned_product_overflows(in, x, y, product),
	                      mz_pair_binary(in, MZ_OPERATOR_UGT, product, most));
}

static void instrument_overflow(struct mz_instrument *in, LLVMValueRef call, const char *name)
{
	struct mz_pair a = mz_pair(in, LLVMGetOperand(call, 0)), b = mz_pair(in, LLVMGetOperand(call, 1));
	unsigned width = mz_width_of(LLVMTypeOf(a.value));
	if (mz_is_no_shadow(a.shadow) && mz_is_no_shadow(b.shadow)) return;
	LLVMValueRef value = LLVMBuildExtractValue(in->builder, call, 0, "");
	LLVMValueRef shadow = LLVMConstNull(mz_shadow_type(in, LLVMTypeOf(call)));
	enum mz_operator op = overflow_operator(name);
	struct mz_pair result = {value, mz_shadow_binary(in, op, a, b, value)}, overflow = {NULL, mz_no_shadow(in)};
	if (width <= 32)
		overflow = overflow_by_widening(in, name, a, b, result);
	else if (op != MZ_OPERATOR_MUL)
		overflow = overflow_by_sign(in, name, a, b, result);
	else if (name[0] == 'u')
		overflow = unsigned_product_overflows(in, a, b, result);
	else
		overflow = signed_product_overflows(in, a, b);
	shadow = LLVMBuildInsertValue(in->builder, shadow, result.shadow, 0, "");
	mz_set_shadow(in, call, LLVMBuildInsertValue(in->builder, shadow, overflow.shadow, 1, ""));
}

static struct mz_pair compose(struct mz_instrument *in, LLVMValueRef call, const char *name)
{
	struct mz_pair a = mz_pair(in, LLVMGetOperand(call, 0)), b = {0};
	if (LLVMGetNumArgOperands(call) > 1) b = mz_pair(in, LLVMGetOperand(call, 1));
	if (starts_with(name, "abs.")) return absolute(in, a);
	if (starts_with(name, "bswap.")) return swapped_bytes(in, a);
	if (starts_with(name, "fsh")) return funnel(in, name[3] == 'l', a, b, mz_pair(in, LLVMGetOperand(call, 2)));
	return extreme(in, name, a, b);
}

/* --- all of them --- */

static void lose_arguments(struct mz_instrument *in, LLVMValueRef call)
{
	mz_stand_before(in, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		mz_lose(in, LLVMGetOperand(call, i), MZ_SYM_LOST_OTHER, "operation that has no symbolic form");
}

static void instrument_composed(struct mz_instrument *in, LLVMValueRef call, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !mz_type_is_scalar(type) || strstr(name, ".sat.")) {
		lose_arguments(in, call);
		return;
	}
	mz_stand_after(in, call);
	if (strstr(name, "with.overflow"))
		instrument_overflow(in, call, name);
	else
		mz_set_shadow(in, call, compose(in, call, name).shadow);
}

static void instrument_block(struct mz_instrument *in, LLVMValueRef call, bool set)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
	mz_stand_before(in, call);
	mz_settle(in, to);
	if (!set) mz_settle(in, from);
	mz_settle(in, size);
	mz_stand_after(in, call);
	if (set)
		mz_filled_memory(in, to, from, mz_bits64(in, size));
	else
		mz_copied_memory(in, to, from, mz_bits64(in, size));
}

/* A variable of a block begins: nothing of what was in its place counts. */
static void instrument_lifetime(struct mz_instrument *in, LLVMValueRef call)
{
	LLVMValueRef size = LLVMGetOperand(call, 0);
	if ((int64_t)LLVMConstIntGetSExtValue(size) <= 0) return;
	mz_stand_after(in, call);
	mz_forget_memory(in, LLVMGetOperand(call, 1), size);
}

void mz_instrument_intrinsic(struct mz_instrument *in, LLVMValueRef call, const char *name)
{
	if (starts_with(name, "lifetime.start"))
		instrument_lifetime(in, call);
	else if (starts_with(name, "va_start"))
		mz_instrument_va_start(in, call);
	else if (starts_with_one_of(silent, name))
		return;
	else if (starts_with(name, "memcpy.") || starts_with(name, "memmove."))
		instrument_block(in, call, false);
	else if (starts_with(name, "memset."))
		instrument_block(in, call, true);
	else if (starts_with_one_of(identities, name))
		mz_set_shadow(in, call, mz_shadow(in, LLVMGetOperand(call, 0)));
	else if (starts_with_one_of(composed, name))
		instrument_composed(in, call, name);
	else
		lose_arguments(in, call);
}

/* --- replaced --- */

/* Calls the model, which takes the value in 64 bits, its width, and returns the result. */
static void replace(struct mz_instrument *in, LLVMValueRef call, const char *name)
{
	char model[64];
	LLVMValueRef value = LLVMGetOperand(call, 0);
	LLVMTypeRef type = LLVMTypeOf(call);
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return;
	LLVMTypeRef function_type = LLVMFunctionType(in->i64, (LLVMTypeRef[]){in->i64, in->i32}, 2, false);
	snprintf(model, sizeof model, "__mz_model_%.*s", (int)strcspn(name, "."), name);
	LLVMValueRef function = LLVMGetNamedFunction(in->module, model);
	if (!function) function = LLVMAddFunction(in->module, model, function_type);
	mz_stand_before(in, call);
	LLVMValueRef arguments[] = {mz_bits64(in, value), mz_number(in, LLVMGetIntTypeWidth(type))};
	LLVMValueRef result = LLVMBuildCall2(in->builder, function_type, function, arguments, 2, "");
	if (LLVMTypeOf(result) != type) result = LLVMBuildTrunc(in->builder, result, type, "");
	LLVMReplaceAllUsesWith(call, result);
	LLVMInstructionEraseFromParent(call);
}

static void replace_in_block(struct mz_instrument *in, LLVMBasicBlockRef block)
{
	for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each; each = next) {
		next = LLVMGetNextInstruction(each);
		if (LLVMGetInstructionOpcode(each) != LLVMCall) continue;
		LLVMValueRef function = mz_called_function(each);
		const char *name = function ? LLVMGetValueName(function) : "";
		if (starts_with(name, "llvm.") && starts_with_one_of(modelled, name + 5)) replace(in, each, name + 5);
	}
}

void mz_replace_intrinsics(struct mz_instrument *in)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(in->module); function;
	     function = LLVMGetNextFunction(function)) {
		if (starts_with(LLVMGetValueName(function), "__mz_model_")) continue;
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		     block = LLVMGetNextBasicBlock(block))
			replace_in_block(in, block);
	}
}
