/* SPDX-License-Identifier: MIT
 *
 * mazurka-instrument IN OUT: reads LLVM bitcode that clang wrote without optimising it, gives the values of its
 * functions shadows (instrument.h), and writes the result, for clang to compile.
 *
 * Local variables become values first (sroa). No pass runs before that removes branches: the paths that are explored
 * are those of the source. Values that are undefined become 0, since an optimiser is free to take an undefined value
 * for one number in the program and for another in what the library is told.
 */
#include "base/alloc.h"
#include "concolic/instrument/instrument.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

extern const char mz_helpers_text[], mz_helpers_end[];

#define PASSES "function(sroa,break-crit-edges)"

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "mazurka-instrument: %s: %s\n", what, why);
	return 1;
}

/* --- reading and writing --- */

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module = NULL;
	char *message = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
		fail(path, message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	if (LLVMParseIRInContext(context, buffer, &module, &message)) {
		fail(path, message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	return module;
}

/* Links the helpers into the module, and makes them its own. */
static bool link_helpers(struct mz_instrument *in)
{
	static const char *const names[] = {
#define X(name, text) [MZ_HELPER_##name] = text,
	    MZ_HELPERS(X)
#undef X
	};
	char *message = NULL;
	LLVMModuleRef helpers = NULL;
	LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
	    mz_helpers_text, (size_t)(mz_helpers_end - mz_helpers_text), "helpers.ll");
	if (LLVMParseIRInContext(in->context, text, &helpers, &message)) return fail("helpers.ll", message) == 0;
	LLVMSetTarget(helpers, LLVMGetTarget(in->module));
	LLVMSetDataLayout(helpers, LLVMGetDataLayoutStr(in->module));
	if (LLVMLinkModules2(in->module, helpers)) return fail("helpers.ll", "cannot be linked") == 0;
	for (size_t i = 0; i < MZ_HELPER_COUNT; i++) {
		in->helpers[i] = LLVMGetNamedFunction(in->module, names[i]);
		LLVMSetLinkage(in->helpers[i], LLVMInternalLinkage);
	}
	return true;
}

static bool run_passes(LLVMModuleRef module)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, PASSES, NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error) return true;
	char *message = LLVMGetErrorMessage(error);
	fail(PASSES, message);
	LLVMDisposeErrorMessage(message);
	return false;
}

static int write_module(struct mz_instrument *in, const char *path)
{
	char *message = NULL;
	if (LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message)) return fail("internal error", message);
	LLVMDisposeMessage(message);
	return LLVMWriteBitcodeToFile(in->module, path) ? fail(path, "cannot be written") : 0;
}

/* --- preparing a module --- */

/* Instrumented functions tell the library about what they do: no call of them can be left out or moved. */
static void forget_purity(LLVMValueRef function, LLVMValueRef call)
{
	static const char *const names[] = {"readnone",
	                                    "readonly",
	                                    "writeonly",
	                                    "argmemonly",
	                                    "speculatable",
	                                    "inaccessiblememonly",
	                                    "inaccessiblemem_or_argmemonly"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
		if (function) LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
		if (call) LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
	}
}

static bool is_call(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	return opcode == LLVMCall || opcode == LLVMInvoke;
}

static bool is_intrinsic(LLVMValueRef function)
{
	return strncmp(LLVMGetValueName(function), "llvm.", 5) == 0;
}

static void define_undefined(LLVMValueRef instruction)
{
	if (is_call(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))) return;
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (LLVMIsUndef(operand) && mz_type_is_scalar(LLVMTypeOf(operand)))
			LLVMSetOperand(instruction, (unsigned)i, LLVMConstNull(LLVMTypeOf(operand)));
	}
}

/* Reports whether the operation can be marked as one whose result is undefined where it overflows or loses bits. */
static bool may_be_undefined(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMLShr:
	case LLVMAShr: return true;
	default: return false;
	}
}

/* Makes the result of an operation defined for all operands: arithmetic wraps, as that of expressions does. Otherwise the
 * optimiser could remove a branch that other inputs take both ways. Returns the instruction that is there now. */
static LLVMValueRef define_result(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	if (opcode == LLVMGetElementPtr) LLVMSetIsInBounds(instruction, false);
	if (!may_be_undefined(opcode)) return instruction;
	mz_stand_before(in, instruction);
	LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
	LLVMValueRef defined = LLVMBuildBinOp(in->builder, opcode, a, b, "");
	LLVMReplaceAllUsesWith(instruction, defined);
	LLVMInstructionEraseFromParent(instruction);
	return defined;
}

static void prepare_instruction(struct mz_instrument *in, LLVMValueRef instruction)
{
	define_undefined(instruction);
	instruction = define_result(in, instruction);
	if (!LLVMIsAInstruction(instruction) || !is_call(instruction)) return;
	LLVMValueRef function = mz_called_function(instruction);
	if (!function || !is_intrinsic(function)) forget_purity(NULL, instruction);
}

static void prepare_function(struct mz_instrument *in, LLVMValueRef function)
{
	if (is_intrinsic(function)) return;
	forget_purity(function, NULL);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each; each = next) {
			next = LLVMGetNextInstruction(each);
			prepare_instruction(in, each);
		}
}

/* --- functions --- */

static void instrument_one(struct mz_instrument *in, LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMPHI: break;
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMAlloca: mz_instrument_memory(in, instruction); break;
	case LLVMCall:
	case LLVMInvoke: mz_instrument_call(in, instruction); break;
	case LLVMCallBr: mz_instrument_assembly(in, instruction); break; /* asm goto */
	case LLVMRet: mz_instrument_return(in, instruction); break;
	case LLVMBr:
	case LLVMSwitch:
	case LLVMIndirectBr: mz_instrument_branch(in, instruction); break;
	default: mz_instrument_value(in, instruction);
	}
}

/* Makes the shadows of phis, which get their operands when all other shadows are there. A phi with one operand has the
 * operand's shadow: if the operand is what an invoke returned, that shadow is made in the phi's own block. */
static void begin_phis(struct mz_instrument *in)
{
	for (size_t i = 0; i < in->ninstructions; i++) {
		LLVMValueRef phi = in->instructions[i];
		if (LLVMGetInstructionOpcode(phi) != LLVMPHI || !mz_is_tainted(in, phi)) continue;
		if (LLVMCountIncoming(phi) == 1) continue;
		mz_stand_before(in, phi);
		mz_set_shadow(in, phi, LLVMBuildPhi(in->builder, mz_shadow_type(in, LLVMTypeOf(phi)), ""));
	}
}

static void end_phis(struct mz_instrument *in)
{
	for (size_t i = 0; i < in->ninstructions; i++) {
		LLVMValueRef phi = in->instructions[i];
		if (LLVMGetInstructionOpcode(phi) != LLVMPHI || !mz_is_tainted(in, phi)) continue;
		if (LLVMCountIncoming(phi) == 1) continue;
		LLVMValueRef shadow = mz_shadow(in, phi);
		for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
			LLVMValueRef incoming = mz_shadow(in, LLVMGetIncomingValue(phi, k));
			LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
			LLVMAddIncoming(shadow, &incoming, &from, 1);
		}
	}
}

static void instrument_function(struct mz_instrument *in, LLVMValueRef function)
{
	if (mz_instrument_begin(in, function)) {
		begin_phis(in);
		mz_instrument_entry(in);
		for (size_t i = 0; i < in->ninstructions && !in->failed; i++) {
			LLVMValueRef each = in->instructions[i];
			bool is_phi = LLVMGetInstructionOpcode(each) == LLVMPHI;
			if (is_phi && LLVMCountIncoming(each) == 1)
				mz_set_shadow(in, each, mz_shadow(in, LLVMGetIncomingValue(each, 0)));
			instrument_one(in, each);
		}
		end_phis(in);
	}
	mz_instrument_end(in);
}

static bool is_helper(const struct mz_instrument *in, LLVMValueRef function)
{
	for (size_t i = 0; i < MZ_HELPER_COUNT; i++)
		if (in->helpers[i] == function) return true;
	return false;
}

static bool is_instrumented(struct mz_instrument *in, LLVMValueRef function)
{
	unsigned naked = LLVMGetEnumAttributeKindForName("naked", strlen("naked"));
	if (LLVMIsDeclaration(function) || is_helper(in, function)) return false;
	return !LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, naked);
}

/* A body that is there for inlining only (of a template that a library has, of an inline function of the C library)
 * becomes a function of the module: the library's own one has no shadows, and one that is always inlined is in no
 * library. This comes after all calls were instrumented, since kind_of() asks for such bodies. */
static void keep_body(LLVMValueRef function)
{
	if (LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage) return;
	LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
	LLVMSetVisibility(function, LLVMHiddenVisibility);
}

static void instrument_module(struct mz_instrument *in)
{
	LLVMValueRef function = LLVMGetFirstFunction(in->module);
	mz_replace_intrinsics(in);
	for (; function && !in->failed; function = LLVMGetNextFunction(function)) {
		if (!is_instrumented(in, function)) continue;
		prepare_function(in, function);
		instrument_function(in, function);
	}
	for (function = LLVMGetFirstFunction(in->module); function; function = LLVMGetNextFunction(function)) {
		if (is_instrumented(in, function)) keep_body(function);
		if (LLVMIsDeclaration(function) && !is_intrinsic(function)) forget_purity(function, NULL);
	}
}

static void begin(struct mz_instrument *in, LLVMModuleRef module)
{
	*in = (struct mz_instrument){.context = LLVMGetModuleContext(module), .module = module};
	in->layout = LLVMGetModuleDataLayout(module);
	in->builder = LLVMCreateBuilderInContext(in->context);
	in->i1 = LLVMInt1TypeInContext(in->context);
	in->i8 = LLVMInt8TypeInContext(in->context);
	in->i32 = LLVMInt32TypeInContext(in->context);
	in->i64 = LLVMInt64TypeInContext(in->context);
	in->pointer = LLVMPointerType(in->i8, 0);
}

int main(int argc, char **argv)
{
	struct mz_instrument in;
	if (argc != 3) {
		fprintf(stderr, "usage: mazurka-instrument IN.bc OUT.bc\n");
		return 2;
	}
	LLVMModuleRef module = read_module(LLVMContextCreate(), argv[1]);
	if (!module || !run_passes(module)) return 1;
	begin(&in, module);
	if (!link_helpers(&in)) return 1;
	instrument_module(&in);
	if (in.failed) return fail(argv[1], "out of memory");
	return write_module(&in, argv[2]);
}
