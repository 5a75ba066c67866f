/* SPDX-License-Identifier: MIT
 *
 * Branches. Before each one whose condition may have a shadow, the library is asked: there the execution may be told to
 * take the other side with other inputs.
 */
#include "base/alloc.h"
#include "concolic/instrument/instrument.h"

static void instrument_conditional(struct mz_instrument *in, LLVMValueRef branch)
{
	LLVMValueRef condition = LLVMGetCondition(branch), shadow = mz_shadow(in, condition);
	if (mz_is_no_shadow(shadow)) return;
	mz_stand_before(in, branch);
	mz_help(in, MZ_HELPER_BRANCH, (LLVMValueRef[]){shadow, condition}, 2);
}

/* Returns a constant array of the values of all cases, in the order of the source. */
static LLVMValueRef cases_of(struct mz_instrument *in, LLVMValueRef branch, unsigned n)
{
	LLVMValueRef *values = mz_alloc((n + 1) * sizeof *values);
	if (!values) {
		in->failed = true;
		return LLVMConstPointerNull(LLVMPointerType(in->i64, 0));
	}
	for (unsigned i = 0; i < n; i++)
		values[i] = mz_number64(in, LLVMConstIntGetZExtValue(LLVMGetOperand(branch, 2 + 2 * i)));
	LLVMValueRef array = LLVMConstArray(in->i64, values, n);
	LLVMValueRef global = LLVMAddGlobal(in->module, LLVMTypeOf(array), "mz.cases");
	mz_free(values);
	LLVMSetInitializer(global, array);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return LLVMConstBitCast(global, LLVMPointerType(in->i64, 0));
}

static void instrument_switch(struct mz_instrument *in, LLVMValueRef branch)
{
	LLVMValueRef value = LLVMGetOperand(branch, 0), shadow = mz_shadow(in, value);
	unsigned n = LLVMGetNumSuccessors(branch) - 1;
	if (mz_is_no_shadow(shadow)) return;
	mz_stand_before(in, branch);
	LLVMValueRef arguments[] = {shadow, mz_number(in, mz_width_of(LLVMTypeOf(value))), mz_bits64(in, value),
	                            mz_number(in, n), cases_of(in, branch, n)};
	mz_help(in, MZ_HELPER_SWITCH, arguments, 5);
}

void mz_instrument_branch(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	if (opcode == LLVMSwitch) {
		instrument_switch(in, instruction);
	} else if (opcode == LLVMIndirectBr) {
		mz_stand_before(in, instruction);
		mz_settle(in, LLVMGetOperand(instruction, 0));
	} else if (LLVMIsConditional(instruction)) {
		instrument_conditional(in, instruction);
	}
}
