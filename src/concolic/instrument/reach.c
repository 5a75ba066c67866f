/* SPDX-License-Identifier: MIT
 *
 * What code that carries no shadows can read: of functions that are only declared here, and of inline assembly, no more
 * is known than the pointers that they are given. The library is told of each before the call, and counts as lost what
 * depends on inputs there, if the code turns out not to be instrumented.
 */
#include "concolic/instrument/instrument.h"
#include "concolic/told.h"
#include <stdio.h>
#include <string.h>

/* Memory that a pointer leads to. `size`: an i64, 0 if the memory is a text. */
struct reached {
	LLVMValueRef pointer, size;
};

/* Returns what a pointer is made of: a variable and an offset in it, for one. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
	for (;;) {
		bool expression = LLVMIsAConstantExpr(pointer) != NULL,
		     instruction = LLVMIsAInstruction(pointer) != NULL;
		if (!expression && !instruction) return pointer;
		LLVMOpcode opcode = expression ? LLVMGetConstOpcode(pointer) : LLVMGetInstructionOpcode(pointer);
		if (opcode != LLVMBitCast && opcode != LLVMGetElementPtr) return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* Returns the size of the variable that a value is, or 0 if the value is none whose size is known. */
static uint64_t size_of_variable(struct mz_instrument *in, LLVMValueRef variable)
{
	if (LLVMIsAGlobalVariable(variable)) {
		LLVMTypeRef type = LLVMGlobalGetValueType(variable);
		return LLVMTypeIsSized(type) ? LLVMABISizeOfType(in->layout, type) : 0;
	}
	if (!LLVMIsAAllocaInst(variable) || !LLVMIsConstant(LLVMGetOperand(variable, 0))) return 0;
	return LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(variable)) *
	       LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
}

/* Returns memory as a pointer's type has it. */
static struct reached reached_exactly(struct mz_instrument *in, LLVMValueRef pointer)
{
	LLVMTypeRef object = LLVMGetElementType(LLVMTypeOf(pointer));
	bool text = !LLVMTypeIsSized(object) || object == in->i8;
	return (struct reached){mz_as_pointer(in, pointer),
	                        mz_number64(in, text ? 0 : LLVMABISizeOfType(in->layout, object))};
}

/* A variable of the program is reached as a whole; other memory as the pointer's type has it. */
static struct reached reached_by(struct mz_instrument *in, LLVMValueRef pointer)
{
	LLVMValueRef base = base_of(pointer);
	uint64_t size = size_of_variable(in, base);
	if (size == 0) return reached_exactly(in, pointer);
	return (struct reached){mz_as_pointer(in, base), mz_number64(in, size)};
}

static bool is_number(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 32 &&
	       LLVMGetIntTypeWidth(type) <= 64;
}

/* Returns the greatest number among the arguments of a call: one of them may say how many objects there are. */
static LLVMValueRef greatest_argument(struct mz_instrument *in, LLVMValueRef call)
{
	LLVMValueRef most = mz_number64(in, 1);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		if (!is_number(LLVMGetOperand(call, i))) continue;
		LLVMValueRef number = mz_bits64(in, LLVMGetOperand(call, i));
		LLVMValueRef more = LLVMBuildICmp(in->builder, LLVMIntUGT, number, most, "");
		most = LLVMBuildSelect(in->builder, more, number, most, "");
	}
	return most;
}

static bool is_pointer(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && !LLVMIsNull(value) && !LLVMIsUndef(value) &&
	       mz_type_is_scalar(LLVMTypeOf(value));
}

static void tell(struct mz_instrument *in, LLVMValueRef callee, const struct reached *reached, LLVMValueRef count,
                 const char *name)
{
	LLVMValueRef arguments[] = {callee, reached->pointer, reached->size, count, mz_text(in, name)};
	mz_help(in, MZ_HELPER_REACHES, arguments, 5);
}

/* Reports whether a function may read what an argument leads to, without telling. */
static bool is_read(LLVMValueRef argument, uint32_t not_told, unsigned i)
{
	bool asked = not_told == MZ_TOLD_NOTHING || (i < 32 && (not_told >> i & 1));
	return asked && is_pointer(argument) && !LLVMIsAFunction(base_of(argument));
}

void mz_reach_arguments(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee, const char *name)
{
	uint32_t not_told = mz_told_not(name);
	if (not_told == 0) return;
	LLVMValueRef count = greatest_argument(in, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);
		if (!is_read(argument, not_told, i)) continue;
		bool exact = not_told != MZ_TOLD_NOTHING;
		struct reached reached = exact ? reached_exactly(in, argument) : reached_by(in, argument);
		tell(in, callee, &reached, exact ? mz_number64(in, 1) : count, name);
	}
}

void mz_lose_arguments(struct mz_instrument *in, LLVMValueRef call, unsigned except, const char *what)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);
		if (i == except) continue;
		mz_lose(in, argument, MZ_SYM_LOST_OTHER, what);
		if (!is_read(argument, MZ_TOLD_NOTHING, i)) continue;
		struct reached reached = reached_exactly(in, argument);
		tell(in, LLVMConstNull(in->pointer), &reached, mz_number64(in, 1), what);
	}
}

/* --- inline assembly --- */

#define ASSEMBLY "inline assembly"

/* Returns the constraints of inline assembly, which end its text form: `... asm "TEMPLATE", "CONSTRAINTS"`. The caller
 * disposes of `*text`. */
static char *constraints_of(LLVMValueRef assembly, char **text)
{
	*text = LLVMPrintValueToString(assembly);
	char *end = strrchr(*text, '"');
	if (!end) return *text + strlen(*text);
	*end = '\0';
	char *start = strrchr(*text, '"');
	return start ? start + 1 : end;
}

static uint64_t size_of_operand(struct mz_instrument *in, LLVMValueRef call, unsigned i)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", strlen("elementtype"));
	LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)(i + 1), kind);
	return type ? LLVMABISizeOfType(in->layout, LLVMGetTypeAttributeValue(type)) : 1;
}

/* An operand in memory is given as a pointer. What is written there is no input any more. */
static void lose_memory_operand(struct mz_instrument *in, LLVMValueRef call, unsigned i, bool output)
{
	struct reached operand = {mz_as_pointer(in, LLVMGetOperand(call, i)),
	                          mz_number64(in, size_of_operand(in, call, i))};
	if (!output) {
		tell(in, LLVMConstNull(in->pointer), &operand, mz_number64(in, 1), ASSEMBLY);
	} else if (LLVMGetInstructionOpcode(call) == LLVMCall) {
		mz_stand_after(in, call);
		mz_forget_memory(in, operand.pointer, operand.size);
		mz_stand_before(in, call);
	}
}

static void lose_operand(struct mz_instrument *in, LLVMValueRef call, unsigned i)
{
	LLVMValueRef operand = LLVMGetOperand(call, i);
	if (!is_pointer(operand)) return;
	struct reached reached = reached_by(in, operand);
	tell(in, LLVMConstNull(in->pointer), &reached, mz_number64(in, 1), ASSEMBLY);
}

void mz_instrument_assembly(struct mz_instrument *in, LLVMValueRef call)
{
	char *text, *next = constraints_of(LLVMGetCalledValue(call), &text);
	unsigned i = 0, n = LLVMGetNumArgOperands(call);
	mz_stand_before(in, call);
	for (unsigned k = 0; k < n; k++) mz_lose(in, LLVMGetOperand(call, k), MZ_SYM_LOST_OTHER, ASSEMBLY);
	for (char *each; (each = strsep(&next, ",")) && i < n;) {
		bool output = *each == '=', in_memory = strchr(each, '*') != NULL;
		if (*each == '~' || *each == '!' || (output && !in_memory)) continue;
		if (in_memory)
			lose_memory_operand(in, call, i, output);
		else
			lose_operand(in, call, i);
		i++;
	}
	LLVMDisposeMessage(text);
}
