/* SPDX-License-Identifier: MIT
 *
 * The instrumenter: what its files share. It gives each value of a function a shadow, a value of type i32 that is
 * computed beside it (a struct of them for a struct, an array for an array). No block is split: what has to be checked
 * while the program runs is in small functions, which helpers.ll defines and later passes inline.
 *
 * Values with a shadow are integers of up to 64 bits, pointers, and floating-point numbers of 32 or 64 bits, whose
 * shadow is that of their bits: they are only moved around. Shadows of all other values are the constant 0, as are
 * those of constants, and of values that cannot depend on a parameter, on memory or on the result of a call.
 */
#ifndef MZ_CONCOLIC_INSTRUMENT_INSTRUMENT_H
#define MZ_CONCOLIC_INSTRUMENT_INSTRUMENT_H

#include "base/hash.h"
#include "base/table.h"
#include "concolic/abi.h"
#include "concolic/operators.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* X(name, text): the functions of helpers.ll. */
#define MZ_HELPERS(X)                                                                                                  \
	X(ACTIVE, "mz.active")                                                                                         \
	X(BINARY, "mz.binary")                                                                                         \
	X(CONVERT, "mz.convert")                                                                                       \
	X(SELECT, "mz.select")                                                                                         \
	X(DIVISION, "mz.division")                                                                                     \
	X(BRANCH, "mz.branch")                                                                                         \
	X(SWITCH, "mz.switch")                                                                                         \
	X(SETTLE, "mz.settle")                                                                                         \
	X(SETTLE_ADDRESS, "mz.settle.address")                                                                         \
	X(OPERAND, "mz.operand")                                                                                       \
	X(ADDRESS, "mz.address")                                                                                       \
	X(ADDRESS_NOW, "mz.address.now")                                                                               \
	X(LOST, "mz.lost")                                                                                             \
	X(PRINTED, "mz.printed")                                                                                       \
	X(LOAD, "mz.load")                                                                                             \
	X(STORE, "mz.store")                                                                                           \
	X(COPY, "mz.copy")                                                                                             \
	X(SET, "mz.set")                                                                                               \
	X(REACHES, "mz.reaches")                                                                                       \
	X(PASS, "mz.pass")                                                                                             \
	X(PASS_BLOCK, "mz.pass.block")                                                                                 \
	X(PASS_BLOCK_NOW, "mz.pass.block.now")                                                                         \
	X(PARAMETER, "mz.parameter")                                                                                   \
	X(PARAMETER_BLOCK, "mz.parameter.block")                                                                       \
	X(PARAMETER_BLOCK_NOW, "mz.parameter.block.now")                                                               \
	X(VARIABLE, "mz.variable")                                                                                     \
	X(START_LIST, "mz.start.list")                                                                                 \
	X(PRINTED_LIST, "mz.printed.list")                                                                             \
	X(ENTERED, "mz.entered")                                                                                       \
	X(RETURN, "mz.return")                                                                                         \
	X(RESULT, "mz.result")

enum mz_helper {
#define X(name, text) MZ_HELPER_##name,
	MZ_HELPERS(X)
#undef X
	    MZ_HELPER_COUNT
};

/* The module that is instrumented, and the function of it that is under way. */
struct mz_instrument {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	LLVMTypeRef i1, i8, i32, i64, pointer; /* `pointer`: i8* */
	LLVMValueRef helpers[MZ_HELPER_COUNT];

	LLVMValueRef function;
	LLVMValueRef
	    *instructions; /* of the reachable blocks, in an order in which definitions precede uses but in phis */
	size_t ninstructions, instructions_capacity;
	struct mz_table tainted;  /* values that may have a shadow other than 0 */
	struct mz_table numbered; /* values whose shadow is known, and 1 + its number in `shadows` */
	LLVMValueRef *shadows;
	size_t nshadows, shadows_capacity;
	bool failed; /* out of memory */
};

/* A value and its shadow. Both are i1 to i64. */
struct mz_pair {
	LLVMValueRef value, shadow;
};

/* --- shadow.c: shadows, and calls of helpers, which go where the builder stands --- */

/* Prepares the sets of a function: collects the instructions, and finds out which values can have a shadow. */
bool mz_instrument_begin(struct mz_instrument *in, LLVMValueRef function);
void mz_instrument_end(struct mz_instrument *in);
bool mz_is_tainted(const struct mz_instrument *in, LLVMValueRef value);
/* Reports whether values of the type are numbers or pointers that have a shadow of their own. */
bool mz_type_is_scalar(LLVMTypeRef type);
bool mz_type_is_aggregate(LLVMTypeRef type);
/* Reports whether the instruction computes with floating-point numbers, or converts them: shadows end there. */
bool mz_is_floating(LLVMValueRef instruction);
/* Returns the type of shadows of values of `type`. */
LLVMTypeRef mz_shadow_type(struct mz_instrument *in, LLVMTypeRef type);
/* Returns the shadow of a value, which is the constant 0 if none was set. */
LLVMValueRef mz_shadow(struct mz_instrument *in, LLVMValueRef value);
void mz_set_shadow(struct mz_instrument *in, LLVMValueRef value, LLVMValueRef shadow);
LLVMValueRef mz_no_shadow(const struct mz_instrument *in);
static inline bool mz_is_no_shadow(LLVMValueRef shadow)
{
	return LLVMIsNull(shadow);
}

/* Puts the builder before or after an instruction, whose line in the source the calls to come get. After an invoke is
 * at the start of the block where the program goes on. */
void mz_stand_before(struct mz_instrument *in, LLVMValueRef instruction);
void mz_stand_after(struct mz_instrument *in, LLVMValueRef instruction);
LLVMValueRef mz_first_after_phis(LLVMBasicBlockRef block);

LLVMValueRef mz_help(struct mz_instrument *in, enum mz_helper helper, LLVMValueRef *arguments, unsigned n);
LLVMValueRef mz_number(const struct mz_instrument *in, uint64_t number);   /* an i32 */
LLVMValueRef mz_number64(const struct mz_instrument *in, uint64_t number); /* an i64 */
/* Returns the bits of a scalar as an integer of its own width, and as 64 bits. */
LLVMValueRef mz_bits_of(struct mz_instrument *in, LLVMValueRef value);
LLVMValueRef mz_bits64(struct mz_instrument *in, LLVMValueRef value);
unsigned mz_width_of(LLVMTypeRef type);
LLVMValueRef mz_as_pointer(struct mz_instrument *in, LLVMValueRef pointer); /* as i8* */
/* Returns a constant text. */
LLVMValueRef mz_text(struct mz_instrument *in, const char *what);
/* Says that the shadows of the value end here. */
void mz_lose(struct mz_instrument *in, LLVMValueRef value, enum mz_sym_lost kind, const char *what);
void mz_lose_shadow(struct mz_instrument *in, LLVMValueRef shadow, enum mz_sym_lost kind, const char *what);
/* Asks that each feasible value of a number or pointer is explored. */
void mz_settle(struct mz_instrument *in, LLVMValueRef value);

/* --- value.c: operations on values --- */

/* Returns the shadow of an operation; all values are scalars. */
LLVMValueRef mz_shadow_binary(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, struct mz_pair b,
                              LLVMValueRef result);
LLVMValueRef mz_shadow_convert(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, LLVMValueRef result);
LLVMValueRef mz_shadow_select(struct mz_instrument *in, struct mz_pair condition, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef shadow_a, LLVMValueRef shadow_b);
struct mz_pair mz_pair(struct mz_instrument *in, LLVMValueRef value);
/* Build an operation and its shadow. */
struct mz_pair mz_pair_constant(LLVMTypeRef type, uint64_t number);
struct mz_pair mz_pair_binary(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, struct mz_pair b);
struct mz_pair mz_pair_convert(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, LLVMTypeRef type);
struct mz_pair mz_pair_select(struct mz_instrument *in, struct mz_pair condition, struct mz_pair a, struct mz_pair b);
/* Chooses between two values with their shadows, by an i1 that does not depend on inputs. */
struct mz_pair mz_pair_choose(struct mz_instrument *in, LLVMValueRef first, struct mz_pair a, struct mz_pair b);
/* Instruments an instruction that computes a value from values. */
void mz_instrument_value(struct mz_instrument *in, LLVMValueRef instruction);

/* --- memory.c --- */

void mz_instrument_memory(struct mz_instrument *in, LLVMValueRef instruction);
/* Memory begins anew, was copied or set; `size` is an i64. Pointers are of any type. */
void mz_forget_memory(struct mz_instrument *in, LLVMValueRef address, LLVMValueRef size);
void mz_copied_memory(struct mz_instrument *in, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size);
void mz_filled_memory(struct mz_instrument *in, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef size);

/* --- call.c, intrinsic.c, libc.c: calls --- */

void mz_instrument_entry(struct mz_instrument *in);
void mz_instrument_call(struct mz_instrument *in, LLVMValueRef call);
void mz_instrument_return(struct mz_instrument *in, LLVMValueRef instruction);
/* Returns the shadow of what a register has of an argument of a call. */
LLVMValueRef mz_shadow_of_argument(struct mz_instrument *in, LLVMValueRef call, unsigned i);
/* Returns the function that a call names, or NULL: the call is indirect or of inline assembly. */
LLVMValueRef mz_called_function(LLVMValueRef call);
/* Instruments a call of an LLVM intrinsic, whose name is given without "llvm.". */
void mz_instrument_intrinsic(struct mz_instrument *in, LLVMValueRef call, const char *name);
/* Reports whether the intrinsic's result has a shadow if its operands have. */
bool mz_intrinsic_computes(const char *name);
/* Replaces the intrinsics that are modelled by functions (models/bits.c) by calls of these. */
void mz_replace_intrinsics(struct mz_instrument *in);

/* --- variable.c: variable arguments --- */

/* Passes the shadows of the arguments after the first `n`. */
void mz_pass_variable(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee, unsigned n);
/* Takes them at the entry of a function, if that has such arguments; tells where they are, after va_start. */
void mz_take_variable(struct mz_instrument *in, LLVMValueRef active);
void mz_instrument_va_start(struct mz_instrument *in, LLVMValueRef call);

/* --- reach.c: what code that carries no shadows can read --- */

/* Tells the library, before a call of a function that may not be instrumented, where its pointers lead. */
void mz_reach_arguments(struct mz_instrument *in, LLVMValueRef call, LLVMValueRef callee, const char *name);
/* Says that the shadows of all arguments but one end here, and those of what they lead to. */
void mz_lose_arguments(struct mz_instrument *in, LLVMValueRef call, unsigned except, const char *what);
/* Instruments inline assembly: shadows of its operands end there. */
void mz_instrument_assembly(struct mz_instrument *in, LLVMValueRef call);

/* What is known of a function of the C library. */
enum mz_libc {
	MZ_LIBC_UNKNOWN,   /* it may be instrumented */
	MZ_LIBC_SINK,      /* values that go there are of no further interest */
	MZ_LIBC_OUTPUT,    /* values leave the program: see mz_libc_output() */
	MZ_LIBC_MODEL,     /* models/ has a function in its place */
	MZ_LIBC_SETTLE,    /* all arguments must be concrete */
	MZ_LIBC_COPY,      /* (to, from, size) as memcpy; */
	MZ_LIBC_COPY_BACK, /* (from, to, size) as bcopy; */
	MZ_LIBC_SET,       /* (to, byte, size) as memset; */
	MZ_LIBC_ZERO,      /* (to, size) as bzero */
	MZ_LIBC_ASSUME     /* mz_assume(), exit(): all that matters is whether the argument is 0 */
};
enum mz_libc mz_libc_find(const char *name);

/* A function that prints. */
struct mz_libc_output {
	const char *name;
	int to;      /* the argument that says where to; -1: it is standard output */
	bool stream; /* that is a stream; else a descriptor */
};
/* Reports whether a function that prints has a model, which is called where its result is used. */
bool mz_libc_models_result(const char *name);
/* Returns what is known of it, if MZ_LIBC_OUTPUT is what a function is. */
const struct mz_libc_output *mz_libc_find_output(const char *name);

/* --- control.c --- */

/* Instruments a branch, a switch or an indirect branch. */
void mz_instrument_branch(struct mz_instrument *in, LLVMValueRef instruction);

#endif
