/* SPDX-License-Identifier: MIT
 *
 * Calls. Shadows of arguments and results go through the library, under the address of the function that is called:
 * whether that function is instrumented is not known where it is called. Parameters are counted from 0; a struct that
 * is passed by value, in memory, counts once for each eight bytes, and once for each byte that is left over.
 */
#include "concolic/instrument/instrument.h"
#include <stdio.h>
#include <string.h>

LLVMValueRef mz_called_function(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	while (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
		callee = LLVMGetOperand(callee, 0);
	return LLVMIsAFunction(callee);
}

static unsigned kind_of_attribute(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static uint64_t block_size(struct mz_instrument *in, LLVMAttributeRef attribute)
{
	return attribute ? LLVMABISizeOfType(in->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

/* Returns what a register has of a number, where the declaration says how it is extended. `sign`, `zero`: the attributes
 * that say so, or NULL. */
static struct mz_pair extended(struct mz_instrument *in, struct mz_pair number, LLVMAttributeRef sign,
                               LLVMAttributeRef zero)
{
	LLVMTypeRef type = LLVMTypeOf(number.value);
	bool is_narrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
	if ((!sign && !zero) || !is_narrow || mz_is_no_shadow(number.shadow)) return number;
	return mz_pair_convert(in, sign ? MZ_OPERATOR_SEXT : MZ_OPERATOR_ZEXT, number, in->i32);
}

LLVMValueRef mz_shadow_of_argument(struct mz_instrument *in, LLVMValueRef call, unsigned i)
{
	LLVMAttributeIndex index = (LLVMAttributeIndex)(i + 1);
	return extended(in, mz_pair(in, LLVMGetOperand(call, i)),
	                LLVMGetCallSiteEnumAttribute(call, index, kind_of_attribute("signext")),
	                LLVMGetCallSiteEnumAttribute(call, index, kind_of_attribute("zeroext")))
	    .shadow;
}

static LLVMValueRef shadow_to_return(struct mz_instrument *in, LLVMValueRef value)
{
	LLVMAttributeIndex index = LLVMAttributeReturnIndex;
	return extended(in, mz_pair(in, value),
	                LLVMGetEnumAttributeAtIndex(in->function, index, kind_of_attribute("signext")),
	                LLVMGetEnumAttributeAtIndex(in->function, index, kind_of_attribute("zeroext")))
	    .shadow;
}

static uint64_t parameters_of_block(uint64_t size)
{
	return size / 8 + size % 8;
}

/* Return the size of a struct that a parameter passes by value in memory, or 0. */
static uint64_t block_of_parameter(struct mz_instrument *in, unsigned i)
{
	unsigned kind = kind_of_attribute("byval");
	return block_size(in, LLVMGetEnumAttributeAtIndex(in->function, (LLVMAttributeIndex)(i + 1), kind));
}

static uint64_t block_of_argument(struct mz_instrument *in, LLVMValueRef call, unsigned i)
{
	unsigned kind = kind_of_attribute("byval");
	return block_size(in, LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)(i + 1), kind));
}

/* --- inside a function --- */

static bool is_static_alloca(LLVMValueRef instruction)
{
	return LLVMGetInstructionOpcode(instruction) == LLVMAlloca && LLVMIsConstant(LLVMGetOperand(instruction, 0));
}

/* Moves the variables of a known size to the front, so that they stay in the entry block when calls after them are
 * inlined: elsewhere, they would be allocated anew each time. Returns the instruction after them. */
static LLVMValueRef gather_variables(struct mz_instrument *in)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(in->function);
	LLVMValueRef front = LLVMGetFirstInstruction(entry);
	while (is_static_alloca(front)) front = LLVMGetNextInstruction(front);
	for (LLVMValueRef each = front, next; each; each = next) {
		next = LLVMGetNextInstruction(each);
		if (!is_static_alloca(each)) continue;
		LLVMInstructionRemoveFromParent(each);
		LLVMPositionBuilderBefore(in->builder, front);
		LLVMInsertIntoBuilder(in->builder, each);
	}
	return front;
}

static void begin_variables(struct mz_instrument *in)
{
	LLVMValueRef each = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(in->function));
	for (; is_static_alloca(each); each = LLVMGetNextInstruction(each)) {
		uint64_t size = LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(each));
		uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(each, 0));
		if (size * count > 0) mz_forget_memory(in, each, mz_number64(in, size * count));
	}
}

static LLVMValueRef self(struct mz_instrument *in)
{
	return LLVMConstBitCast(in->function, in->pointer);
}

static uint64_t take_parameter(struct mz_instrument *in, LLVMValueRef active, unsigned i, uint64_t index)
{
	LLVMValueRef value = LLVMGetParam(in->function, i), number = mz_number(in, index);
	uint64_t size = block_of_parameter(in, i);
	if (size > 0) {
		LLVMValueRef arguments[] = {active, self(in), number, mz_as_pointer(in, value), mz_number64(in, size)};
		mz_help(in, MZ_HELPER_PARAMETER_BLOCK, arguments, 5);
		return index + parameters_of_block(size);
	}
	if (mz_type_is_scalar(LLVMTypeOf(value))) {
		LLVMValueRef arguments[] = {active, self(in), number, mz_bits64(in, value),
		                            mz_number(in, mz_width_of(LLVMTypeOf(value)))};
		mz_set_shadow(in, value, mz_help(in, MZ_HELPER_PARAMETER, arguments, 5));
	}
	return index + 1;
}

void mz_instrument_entry(struct mz_instrument *in)
{
	uint64_t index = 0;
	mz_stand_before(in, gather_variables(in));
	LLVMValueRef active = mz_help(in, MZ_HELPER_ACTIVE, NULL, 0);
	for (unsigned i = 0; i < LLVMCountParams(in->function); i++) index = take_parameter(in, active, i, index);
	mz_take_variable(in, active);
	mz_help(in, MZ_HELPER_ENTERED, &active, 1);
	begin_variables(in);
}

/* --- results --- */

/* What is done with each scalar of a result. */
struct result {
	bool returned;         /* by the function under way; else by one that it called */
	LLVMValueRef active;   /* i1 */
	LLVMValueRef function; /* its address */
	unsigned index;
};

static LLVMValueRef scalar_result(struct mz_instrument *in, struct result *result, LLVMValueRef value,
                                  LLVMValueRef shadow)
{
	LLVMValueRef index = mz_number(in, result->index++);
	if (result->returned)
		return mz_help(in, MZ_HELPER_RETURN, (LLVMValueRef[]){result->active, result->function, index, shadow},
		               4);
	LLVMValueRef arguments[] = {result->active, result->function, index, mz_bits64(in, value),
	                            mz_number(in, mz_width_of(LLVMTypeOf(value)))};
	return mz_help(in, MZ_HELPER_RESULT, arguments, 5);
}

/* Deals with all scalars of a value. Returns its shadow, if it was a function called that returned it. */
static LLVMValueRef whole_result(struct mz_instrument *in, struct result *result, LLVMValueRef value,
                                 LLVMValueRef shadow)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	if (mz_type_is_scalar(type)) return scalar_result(in, result, value, shadow);
	LLVMTypeRef shadow_type = LLVMTypeOf(shadow);
	if (shadow_type == in->i32) return shadow;
	unsigned n =
	    LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMCountStructElementTypes(type);
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef part = whole_result(in, result, LLVMBuildExtractValue(in->builder, value, i, ""),
		                                 LLVMBuildExtractValue(in->builder, shadow, i, ""));
		if (!result->returned) shadow = LLVMBuildInsertValue(in->builder, shadow, part, i, "");
	}
	return shadow;
}

/* Reports whether nothing may stand between the call and the return after it. The compiler's front end marks no other
 * calls as tail calls. */
static bool is_tail_call(LLVMValueRef call)
{
	return LLVMGetInstructionOpcode(call) == LLVMCall && LLVMIsTailCall(call);
}

static bool is_after_tail_call(LLVMValueRef instruction)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(instruction);
	if (before && LLVMGetInstructionOpcode(before) == LLVMBitCast) before = LLVMGetPreviousInstruction(before);
	return before && is_tail_call(before);
}

void mz_instrument_return(struct mz_instrument *in, LLVMValueRef instruction)
{
	if (LLVMGetNumOperands(instruction) == 0 || is_after_tail_call(instruction)) return;
	LLVMValueRef value = LLVMGetOperand(instruction, 0);
	if (!mz_type_is_scalar(LLVMTypeOf(value)) && !mz_type_is_aggregate(LLVMTypeOf(value))) return;
	mz_stand_before(in, instruction);
	struct result result = {true, mz_help(in, MZ_HELPER_ACTIVE, NULL, 0), self(in), 0};
	whole_result(in, &result, value, shadow_to_return(in, value));
}

/* --- calls --- */

static uint64_t pass(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee, unsigned i, uint64_t index)
{
	LLVMValueRef value = LLVMGetOperand(call, i), number = mz_number(in, index);
	uint64_t size = block_of_argument(in, call, i);
	if (size > 0) {
		LLVMValueRef arguments[] = {callee, number, mz_as_pointer(in, value), mz_number64(in, size)};
		mz_settle(in, value);
		mz_help(in, MZ_HELPER_PASS_BLOCK, arguments, 4);
		return index + parameters_of_block(size);
	}
	LLVMValueRef shadow = mz_shadow_of_argument(in, call, i);
	if (LLVMTypeOf(shadow) == in->i32 && !mz_is_no_shadow(shadow))
		mz_help(in, MZ_HELPER_PASS, (LLVMValueRef[]){callee, number, shadow}, 3);
	return index + 1;
}

static void take_result(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee)
{
	if (!mz_is_tainted(in, call) || is_tail_call(call)) return;
	mz_stand_after(in, call);
	struct result result = {false, mz_help(in, MZ_HELPER_ACTIVE, NULL, 0), callee, 0};
	LLVMValueRef none = LLVMConstNull(mz_shadow_type(in, LLVMTypeOf(call)));
	mz_set_shadow(in, call, whole_result(in, &result, call, none));
}

static void instrument_ordinary(struct mz_instrument *in, LLVMValueRef call)
{
	uint64_t index = 0;
	LLVMValueRef target = LLVMGetCalledValue(call);
	unsigned n = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
	mz_stand_before(in, call);
	mz_settle(in, target);
	LLVMValueRef callee = mz_as_pointer(in, target), function = mz_called_function(call);
	if (!function || LLVMIsDeclaration(function))
		mz_reach_arguments(in, call, callee, function ? LLVMGetValueName(function) : "");
	for (unsigned i = 0; i < n; i++) index = pass(in, call, callee, i, index);
	if (n < LLVMGetNumArgOperands(call)) mz_pass_variable(in, call, callee, n);
	take_result(in, call, callee);
}

/* Keeps the optimiser from making a call another one (of fwrite() one of fputc()): who is called tells what it reads. */
static void keep_as_it_is(struct mz_instrument *in, LLVMValueRef call)
{
	LLVMAttributeRef attribute = LLVMCreateEnumAttribute(in->context, kind_of_attribute("nobuiltin"), 0);
	LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void settle_arguments(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef function)
{
	if (strcmp(LLVMGetValueName(function), "fwrite") == 0) keep_as_it_is(in, call);
	mz_stand_before(in, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) mz_settle(in, LLVMGetOperand(call, i));
	mz_reach_arguments(in, call, mz_as_pointer(in, function), LLVMGetValueName(function));
}

/* Reports whether a function that prints takes a va_list. */
static bool has_list(const char *name)
{
	return name[0] == 'v' || strncmp(name, "__v", 3) == 0;
}

/* What is printed is told to the library, which knows whether it can come back; what the call returns is lost, if anybody
 * uses it. */
static void instrument_output(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef function)
{
	const struct mz_libc_output *output = mz_libc_find_output(LLVMGetValueName(function));
	unsigned n = LLVMGetNumArgOperands(call), target = output->to < 0 ? n : (unsigned)output->to;
	keep_as_it_is(in, call);
	mz_stand_before(in, call);
	if (target < n) mz_settle(in, LLVMGetOperand(call, target));
	LLVMValueRef to = target < n ? mz_bits64(in, LLVMGetOperand(call, target)) : mz_number64(in, 1);
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef shadow = mz_shadow(in, LLVMGetOperand(call, i));
		if (i == target || mz_is_no_shadow(shadow) || LLVMTypeOf(shadow) != in->i32) continue;
		mz_help(in, MZ_HELPER_PRINTED, (LLVMValueRef[]){shadow, to, mz_number(in, output->stream)}, 3);
	}
	if (has_list(output->name)) {
		LLVMValueRef active = mz_help(in, MZ_HELPER_ACTIVE, NULL, 0);
		LLVMValueRef list = mz_as_pointer(in, LLVMGetOperand(call, n - 1));
		mz_help(in, MZ_HELPER_PRINTED_LIST, (LLVMValueRef[]){active, list, to, mz_number(in, output->stream)},
		        4);
	}
	mz_reach_arguments(in, call, mz_as_pointer(in, function), output->name);
	char what[64];
	snprintf(what, sizeof what, "the result of %s()", output->name);
	if (LLVMGetFirstUse(call)) mz_lose_arguments(in, call, target, what);
}

static void instrument_memory_function(struct mz_instrument *in, LLVMValueRef call, enum mz_libc kind)
{
	LLVMValueRef first = LLVMGetOperand(call, 0), second = LLVMGetOperand(call, 1);
	LLVMValueRef size = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
	mz_stand_before(in, call);
	mz_settle(in, first);
	if (kind != MZ_LIBC_SET) mz_settle(in, second);
	mz_settle(in, size);
	mz_stand_after(in, call);
	size = mz_bits64(in, size);
	if (kind == MZ_LIBC_COPY)
		mz_copied_memory(in, first, second, size);
	else if (kind == MZ_LIBC_COPY_BACK)
		mz_copied_memory(in, second, first, size);
	else if (kind == MZ_LIBC_ZERO)
		mz_forget_memory(in, first, size);
	else
		mz_filled_memory(in, first, second, size);
}

/* The condition is branched on, so that the inputs for which it does not hold are known, and dropped, as well. */
static void instrument_assumption(struct mz_instrument *in, LLVMValueRef call)
{
	struct mz_pair condition = mz_pair(in, LLVMGetOperand(call, 0));
	if (mz_is_no_shadow(condition.shadow)) return;
	mz_stand_before(in, call);
	struct mz_pair none = mz_pair_constant(LLVMTypeOf(condition.value), 0);
	struct mz_pair holds = mz_pair_binary(in, MZ_OPERATOR_NE, condition, none);
	mz_help(in, MZ_HELPER_BRANCH, (LLVMValueRef[]){holds.shadow, holds.value}, 2);
}

/* Reports whether it is the model of a function that calls what it stands for: it has seen to the arguments. */
static bool is_in_model(struct mz_instrument *in, LLVMValueRef function)
{
	const char *name = LLVMGetValueName(in->function), *prefix = "__mz_model_";
	size_t length = strlen(prefix);
	return strncmp(name, prefix, length) == 0 && strcmp(name + length, LLVMGetValueName(function)) == 0;
}

/* Makes the call one of the model, unless a model calls what another one stands for. */
static void redirect(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef function)
{
	char name[64] = "__mz_model_";
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	if (strncmp(LLVMGetValueName(in->function), name, strlen(name)) == 0) return;
	strncat(name, LLVMGetValueName(function), sizeof name - strlen(name) - 1);
	LLVMValueRef model = LLVMGetNamedFunction(in->module, name);
	if (!model) model = LLVMAddFunction(in->module, name, type);
	if (LLVMGlobalGetValueType(model) != type || LLVMGetCalledValue(call) != function) return;
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, model);
}

/* Reports whether the arguments are those of a function that copies memory (pointer, pointer, size), sets it (pointer,
 * number, size) or zeroes it (pointer, size). Old sources declare such functions as they like. */
static bool has_memory_arguments(LLVMValueRef call, enum mz_libc kind)
{
	unsigned n = LLVMGetNumArgOperands(call), expected = kind == MZ_LIBC_ZERO ? 2 : 3;
	bool copies = kind == MZ_LIBC_COPY || kind == MZ_LIBC_COPY_BACK;
	if (n != expected) return false;
	for (unsigned i = 0; i < n; i++) {
		LLVMTypeKind type = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i)));
		LLVMTypeKind wanted = i == 0 || (i == 1 && copies) ? LLVMPointerTypeKind : LLVMIntegerTypeKind;
		if (type != wanted) return false;
	}
	return true;
}

/* A program can define functions of these names itself. What a header of the C library defines for inlining (atoi) is
 * no such definition. */
static enum mz_libc kind_of(LLVMValueRef call, LLVMValueRef function)
{
	if (!function) return MZ_LIBC_UNKNOWN;
	bool own = !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
	enum mz_libc kind = own ? MZ_LIBC_UNKNOWN : mz_libc_find(LLVMGetValueName(function));
	if (kind == MZ_LIBC_OUTPUT && LLVMGetFirstUse(call) && mz_libc_models_result(LLVMGetValueName(function)))
		kind = MZ_LIBC_MODEL;
	bool is_memory = kind >= MZ_LIBC_COPY && kind <= MZ_LIBC_ZERO;
	return is_memory && !has_memory_arguments(call, kind) ? MZ_LIBC_UNKNOWN : kind;
}

static void instrument_named(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef function, enum mz_libc kind)
{
	switch (kind) {
	case MZ_LIBC_SINK: break;
	case MZ_LIBC_ASSUME: instrument_assumption(in, call); break;
	case MZ_LIBC_OUTPUT: instrument_output(in, call, function); break;
	case MZ_LIBC_SETTLE: settle_arguments(in, call, function); break;
	case MZ_LIBC_MODEL:
		if (is_in_model(in, function)) break;
		redirect(in, call, function);
		instrument_ordinary(in, call);
		break;
	case MZ_LIBC_UNKNOWN: instrument_ordinary(in, call); break;
	default: instrument_memory_function(in, call, kind);
	}
}

void mz_instrument_call(struct mz_instrument *in, LLVMValueRef call)
{
	LLVMValueRef function = mz_called_function(call);
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
		mz_instrument_assembly(in, call);
	} else if (function && strncmp(LLVMGetValueName(function), "llvm.", 5) == 0) {
		mz_instrument_intrinsic(in, call, LLVMGetValueName(function) + 5);
	} else {
		instrument_named(in, call, function, kind_of(call, function));
	}
}
