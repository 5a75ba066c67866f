/* SPDX-License-Identifier: MIT
 *
 * Variable arguments. Their shadows are passed by where the ABI puts the arguments: in a general register, in one for
 * floating-point numbers, or on the stack. The function that is called has the registers in memory, and takes arguments
 * from there (va_arg) as from any memory: what it has to know is where that is, which va_start tells.
 */
#include "concolic/instrument/instrument.h"
#include <string.h>

#define GENERAL 6
#define FLOATING 8

/* How many registers and places on the stack the arguments before take. */
struct used {
	unsigned general, floating, stack;
	bool unclear; /* where the next one on the stack would be */
};

#define NOWHERE (-1)

static int on_stack(struct used *used)
{
	unsigned slot = GENERAL + FLOATING + used->stack++;
	return used->unclear || slot >= MZ_SYM_VARIABLE_SLOTS ? NOWHERE : (int)slot;
}

/* Returns the slot of an argument of this type, and counts what it takes. What is larger than a register is aligned on the
 * stack, by an address that is not known here. */
static int take_slot(struct used *used, LLVMTypeRef type, bool is_block)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	bool floating = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMVectorTypeKind;
	if (floating && !is_block) return used->floating < FLOATING ? GENERAL + (int)used->floating++ : on_stack(used);
	if (!is_block && mz_type_is_scalar(type))
		return used->general < GENERAL ? (int)used->general++ : on_stack(used);
	if (!is_block && kind == LLVMIntegerTypeKind && used->general + 2 <= GENERAL)
		used->general += 2;
	else
		used->unclear = true;
	return NOWHERE;
}

static bool is_block(LLVMValueRef call, unsigned i)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
	return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)(i + 1), kind) != NULL;
}

/* Finds the slot of each argument from `first` on. Those before have no places on the stack that count: the list begins
 * behind them. */
static void find_slots(LLVMValueRef call, unsigned first, unsigned n, int *slots)
{
	struct used used = {0};
	for (unsigned i = 0; i < n; i++) {
		int slot = take_slot(&used, LLVMTypeOf(LLVMGetOperand(call, i)), is_block(call, i));
		if (i >= first) slots[i - first] = slot;
		if (i + 1 == first) used.stack = 0, used.unclear = false;
	}
}

static void lose(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef argument)
{
	LLVMValueRef function = mz_called_function(call);
	const char *name = function ? LLVMGetValueName(function) : "";
	mz_lose(in, argument, MZ_SYM_LOST_VARIABLE, strncmp(name, "_Z", 2) == 0 ? "" : name);
}

#define MOST 64 /* variable arguments of a call that are followed */

/* Shadows are passed in the order of their numbers. */
void mz_pass_variable(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee, unsigned first)
{
	unsigned n = LLVMGetNumArgOperands(call),
	         followed = n - first > MOST || first >= MZ_SYM_VARIABLE ? 0 : n - first;
	int slots[MOST];
	find_slots(call, first, first + followed, slots);
	for (unsigned i = first; i < n; i++)
		if (i - first >= followed || slots[i - first] == NOWHERE) lose(in, call, LLVMGetOperand(call, i));
	for (int slot = 0; slot < MZ_SYM_VARIABLE_SLOTS; slot++) {
		for (unsigned i = 0; i < followed; i++) {
			if (slots[i] != slot) continue;
			LLVMValueRef shadow = mz_shadow_of_argument(in, call, first + i);
			LLVMValueRef number = mz_number(in, MZ_SYM_VARIABLE + (unsigned)slot);
			if (!mz_is_no_shadow(shadow) && LLVMTypeOf(shadow) == in->i32)
				mz_help(in, MZ_HELPER_PASS, (LLVMValueRef[]){callee, number, shadow}, 3);
		}
	}
}

static LLVMValueRef self(struct mz_instrument *in)
{
	return LLVMConstBitCast(in->function, in->pointer);
}

void mz_take_variable(struct mz_instrument *in, LLVMValueRef active)
{
	if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(in->function))) return;
	mz_help(in, MZ_HELPER_VARIABLE, (LLVMValueRef[]){active, self(in)}, 2);
}

void mz_instrument_va_start(struct mz_instrument *in, LLVMValueRef call)
{
	mz_stand_after(in, call);
	LLVMValueRef active = mz_help(in, MZ_HELPER_ACTIVE, NULL, 0);
	LLVMValueRef list = mz_as_pointer(in, LLVMGetOperand(call, 0));
	mz_help(in, MZ_HELPER_START_LIST, (LLVMValueRef[]){active, self(in), list}, 3);
}
