/* SPDX-License-Identifier: MIT
 *
 * Shadows of values, and which values can have one. A value is tainted if a parameter, something read from memory or
 * the result of a call goes into it: the least set that is closed under the operations, so that a counter of a loop
 * that starts at a constant stays free of shadows.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "concolic/instrument/instrument.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

#define MAX_LEAVES 64 /* scalars in an aggregate that has shadows */

bool mz_type_is_scalar(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64;
	case LLVMPointerTypeKind: return LLVMGetPointerAddressSpace(type) == 0;
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind: return true;
	default: return false;
	}
}

bool mz_type_is_aggregate(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static size_t leaves(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return LLVMGetArrayLength(type) * leaves(LLVMGetElementType(type));
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return 1;
	size_t n = 0;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) n += leaves(LLVMStructGetTypeAtIndex(type, i));
	return n ? n : 1;
}

static bool has_shadow(LLVMTypeRef type)
{
	return mz_type_is_scalar(type) || (mz_type_is_aggregate(type) && leaves(type) <= MAX_LEAVES);
}

static LLVMTypeRef struct_shadow_type(struct mz_instrument *in, LLVMTypeRef type)
{
	LLVMTypeRef items[MAX_LEAVES];
	unsigned n = LLVMCountStructElementTypes(type);
	for (unsigned i = 0; i < n; i++) items[i] = mz_shadow_type(in, LLVMStructGetTypeAtIndex(type, i));
	return LLVMStructTypeInContext(in->context, items, n, false);
}

LLVMTypeRef mz_shadow_type(struct mz_instrument *in, LLVMTypeRef type)
{
	if (!mz_type_is_aggregate(type) || leaves(type) > MAX_LEAVES) return in->i32;
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind) return struct_shadow_type(in, type);
	return LLVMArrayType(mz_shadow_type(in, LLVMGetElementType(type)), LLVMGetArrayLength(type));
}

bool mz_is_floating(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMFPToSI:
	case LLVMFPToUI:
	case LLVMFPExt:
	case LLVMFPTrunc:
	case LLVMSIToFP:
	case LLVMUIToFP:
	case LLVMFCmp:
	case LLVMFAdd:
	case LLVMFSub:
	case LLVMFMul:
	case LLVMFDiv:
	case LLVMFRem:
	case LLVMFNeg: return true;
	default: return false;
	}
}

/* --- taint --- */

bool mz_is_tainted(const struct mz_instrument *in, LLVMValueRef value)
{
	return mz_table_find(&in->tainted, mz_mix((uintptr_t)value)) != 0;
}

static void taint(struct mz_instrument *in, LLVMValueRef value)
{
	if (!mz_table_add(&in->tainted, mz_mix((uintptr_t)value), 1)) in->failed = true;
}

static bool any_operand_is_tainted(const struct mz_instrument *in, LLVMValueRef instruction)
{
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
		if (mz_is_tainted(in, LLVMGetOperand(instruction, (unsigned)i))) return true;
	return false;
}

static bool call_taints(const struct mz_instrument *in, LLVMValueRef call)
{
	LLVMValueRef function = mz_called_function(call);
	const char *name = function ? LLVMGetValueName(function) : "";
	if (strncmp(name, "llvm.", 5) != 0) return true;
	return mz_intrinsic_computes(name + 5) && any_operand_is_tainted(in, call);
}

static bool is_taintable(const struct mz_instrument *in, LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMLoad:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMVAArg: return true;
	case LLVMCall:
	case LLVMInvoke: return call_taints(in, instruction);
	case LLVMAlloca:
	case LLVMCallBr:
	case LLVMLandingPad:
	case LLVMExtractElement:
	case LLVMInsertElement:
	case LLVMShuffleVector: return false;
	default: return !mz_is_floating(instruction) && any_operand_is_tainted(in, instruction);
	}
}

static void find_tainted(struct mz_instrument *in)
{
	for (unsigned i = 0; i < LLVMCountParams(in->function); i++)
		if (has_shadow(LLVMTypeOf(LLVMGetParam(in->function, i)))) taint(in, LLVMGetParam(in->function, i));
	for (bool changed = true; changed && !in->failed;) {
		changed = false;
		for (size_t i = 0; i < in->ninstructions; i++) {
			LLVMValueRef instruction = in->instructions[i];
			if (!has_shadow(LLVMTypeOf(instruction)) || mz_is_tainted(in, instruction)) continue;
			if (!is_taintable(in, instruction)) continue;
			taint(in, instruction);
			changed = true;
		}
	}
}

/* --- the order of instructions --- */

static void append_block(struct mz_instrument *in, LLVMBasicBlockRef block)
{
	for (LLVMValueRef each = LLVMGetFirstInstruction(block); each; each = LLVMGetNextInstruction(each)) {
		if (!mz_array_reserve(&in->instructions, &in->instructions_capacity, in->ninstructions + 1)) {
			in->failed = true;
			return;
		}
		in->instructions[in->ninstructions++] = each;
	}
}

/* A block on the path of the depth-first walk, and its next successor to visit. */
struct visit {
	LLVMBasicBlockRef block;
	unsigned next;
};

static unsigned successors(LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
	return last ? LLVMGetNumSuccessors(last) : 0;
}

/* Writes the reachable blocks to `order`, each after all its successors that are not before it on a path. */
static size_t post_order(struct mz_instrument *in, struct visit *path, LLVMBasicBlockRef *order)
{
	struct mz_table seen = {0};
	size_t depth = 0, n = 0;
	path[depth++] = (struct visit){LLVMGetEntryBasicBlock(in->function), 0};
	if (!mz_table_add(&seen, mz_mix((uintptr_t)path[0].block), 1)) in->failed = true;
	while (depth > 0 && !in->failed) {
		struct visit *at = &path[depth - 1];
		if (at->next == successors(at->block)) {
			order[n++] = at->block;
			depth--;
			continue;
		}
		LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(at->block), at->next++);
		if (mz_table_find(&seen, mz_mix((uintptr_t)next))) continue;
		if (!mz_table_add(&seen, mz_mix((uintptr_t)next), 1)) in->failed = true;
		path[depth++] = (struct visit){next, 0};
	}
	mz_table_release(&seen);
	return n;
}

static void collect(struct mz_instrument *in)
{
	size_t nblocks = LLVMCountBasicBlocks(in->function);
	struct visit *path = mz_alloc(nblocks * sizeof *path);
	LLVMBasicBlockRef *order = mz_alloc(nblocks * sizeof *order);
	if (path && order)
		for (size_t i = post_order(in, path, order); i > 0; i--) append_block(in, order[i - 1]);
	else
		in->failed = true;
	mz_free(path);
	mz_free(order);
}

bool mz_instrument_begin(struct mz_instrument *in, LLVMValueRef function)
{
	in->function = function;
	in->ninstructions = in->nshadows = 0;
	collect(in);
	if (!in->failed) find_tainted(in);
	return !in->failed;
}

void mz_instrument_end(struct mz_instrument *in)
{
	mz_table_release(&in->tainted);
	mz_table_release(&in->numbered);
}

/* --- shadows --- */

LLVMValueRef mz_no_shadow(const struct mz_instrument *in)
{
	return LLVMConstInt(in->i32, 0, false);
}

LLVMValueRef mz_shadow(struct mz_instrument *in, LLVMValueRef value)
{
	uint64_t number = mz_table_find(&in->numbered, mz_mix((uintptr_t)value));
	return number ? in->shadows[number - 1] : LLVMConstNull(mz_shadow_type(in, LLVMTypeOf(value)));
}

void mz_set_shadow(struct mz_instrument *in, LLVMValueRef value, LLVMValueRef shadow)
{
	if (!mz_array_reserve(&in->shadows, &in->shadows_capacity, in->nshadows + 1) ||
	    !mz_table_add(&in->numbered, mz_mix((uintptr_t)value), in->nshadows + 1)) {
		in->failed = true;
		return;
	}
	in->shadows[in->nshadows++] = shadow;
}

/* --- the builder --- */

LLVMValueRef mz_first_after_phis(LLVMBasicBlockRef block)
{
	LLVMValueRef each = LLVMGetFirstInstruction(block);
	while (LLVMGetInstructionOpcode(each) == LLVMPHI || LLVMGetInstructionOpcode(each) == LLVMLandingPad)
		each = LLVMGetNextInstruction(each);
	return each;
}

void mz_stand_before(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(in->builder, instruction);
	LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(instruction));
}

void mz_stand_after(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	LLVMValueRef next;
	if (opcode == LLVMInvoke)
		next = mz_first_after_phis(LLVMGetNormalDest(instruction));
	else if (opcode == LLVMPHI)
		next = mz_first_after_phis(LLVMGetInstructionParent(instruction));
	else
		next = LLVMGetNextInstruction(instruction);
	LLVMPositionBuilderBefore(in->builder, next);
	LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(instruction));
}

LLVMValueRef mz_help(struct mz_instrument *in, enum mz_helper helper, LLVMValueRef *arguments, unsigned n)
{
	LLVMValueRef function = in->helpers[helper];
	return LLVMBuildCall2(in->builder, LLVMGlobalGetValueType(function), function, arguments, n, "");
}

LLVMValueRef mz_number(const struct mz_instrument *in, uint64_t number)
{
	return LLVMConstInt(in->i32, number, false);
}

LLVMValueRef mz_number64(const struct mz_instrument *in, uint64_t number)
{
	return LLVMConstInt(in->i64, number, false);
}

unsigned mz_width_of(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : kind == LLVMFloatTypeKind ? 32 : 64;
}

LLVMValueRef mz_bits_of(struct mz_instrument *in, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind: return LLVMBuildPtrToInt(in->builder, value, in->i64, "");
	case LLVMFloatTypeKind: return LLVMBuildBitCast(in->builder, value, in->i32, "");
	case LLVMDoubleTypeKind: return LLVMBuildBitCast(in->builder, value, in->i64, "");
	default: return value;
	}
}

LLVMValueRef mz_bits64(struct mz_instrument *in, LLVMValueRef value)
{
	LLVMValueRef bits = mz_bits_of(in, value);
	return LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == 64 ? bits : LLVMBuildZExt(in->builder, bits, in->i64, "");
}

LLVMValueRef mz_as_pointer(struct mz_instrument *in, LLVMValueRef pointer)
{
	return LLVMBuildBitCast(in->builder, pointer, in->pointer, "");
}

/* --- where shadows end --- */

LLVMValueRef mz_text(struct mz_instrument *in, const char *what)
{
	LLVMValueRef bytes = LLVMConstStringInContext(in->context, what, (unsigned)strlen(what), false);
	LLVMValueRef global = LLVMAddGlobal(in->module, LLVMTypeOf(bytes), "mz.what");
	LLVMSetInitializer(global, bytes);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return LLVMConstBitCast(global, in->pointer);
}

void mz_lose_shadow(struct mz_instrument *in, LLVMValueRef shadow, enum mz_sym_lost kind, const char *what)
{
	if (mz_is_no_shadow(shadow) || LLVMTypeOf(shadow) != in->i32) return;
	mz_help(in, MZ_HELPER_LOST, (LLVMValueRef[]){shadow, mz_number(in, kind), mz_text(in, what)}, 3);
}

void mz_lose(struct mz_instrument *in, LLVMValueRef value, enum mz_sym_lost kind, const char *what)
{
	mz_lose_shadow(in, mz_shadow(in, value), kind, what);
}

void mz_settle(struct mz_instrument *in, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef shadow = mz_shadow(in, value);
	if (mz_is_no_shadow(shadow) || !mz_type_is_scalar(type)) return;
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		mz_help(in, MZ_HELPER_SETTLE_ADDRESS, (LLVMValueRef[]){shadow, mz_as_pointer(in, value)}, 2);
	else
		mz_help(in, MZ_HELPER_SETTLE,
		        (LLVMValueRef[]){shadow, mz_number(in, mz_width_of(type)), mz_bits64(in, value)}, 3);
}
