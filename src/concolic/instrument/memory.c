/* SPDX-License-Identifier: MIT
 *
 * Loads, stores, atomic operations and allocations of the stack. The library is told after the memory was accessed: the
 * hooks of the scheduler, which another pass puts before each access, can let other threads run there, and what these
 * write must be known by then. An address that depends on inputs is settled before.
 *
 * The library knows accesses of 1, 2, 4 and 8 bytes. Integers of other sizes (bit-fields of 24 bits) are put together
 * from such parts.
 */
#include "concolic/instrument/instrument.h"

/* Where a value lies: a pointer and a number of bytes from there. `done` is an i1, 0 if a store was not done after
 * all. */
struct place {
	LLVMValueRef pointer;
	uint64_t offset;
	LLVMValueRef done;
};

static LLVMValueRef address_of(struct mz_instrument *in, const struct place *place)
{
	LLVMValueRef pointer = mz_as_pointer(in, place->pointer), offset = mz_number64(in, place->offset);
	if (place->offset == 0) return pointer;
	return LLVMBuildInBoundsGEP2(in->builder, in->i8, pointer, &offset, 1, "");
}

static struct place place_at(const struct place *from, uint64_t offset)
{
	return (struct place){from->pointer, from->offset + offset, from->done};
}

/* Returns the largest size of an access that the library knows, of at most `size` bytes. */
static unsigned part_size(unsigned size)
{
	return size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
}

static LLVMTypeRef integer_of_bytes(struct mz_instrument *in, unsigned size)
{
	return LLVMIntTypeInContext(in->context, 8 * size);
}

/* Returns `size` bytes of an integer, from byte `offset` on. */
static LLVMValueRef part_of(struct mz_instrument *in, LLVMValueRef bits, unsigned offset, unsigned size)
{
	LLVMTypeRef type = LLVMTypeOf(bits), part = integer_of_bytes(in, size);
	if (offset) bits = LLVMBuildLShr(in->builder, bits, LLVMConstInt(type, 8ULL * offset, false), "");
	return LLVMTypeOf(bits) == part ? bits : LLVMBuildTrunc(in->builder, bits, part, "");
}

/* Returns the number of bytes that an integer type takes in memory, and the type that fills them. */
static unsigned filled(struct mz_instrument *in, LLVMTypeRef type, LLVMTypeRef *full)
{
	unsigned size = (LLVMGetIntTypeWidth(type) + 7) / 8;
	*full = integer_of_bytes(in, size);
	return size;
}

static LLVMValueRef fill(struct mz_instrument *in, LLVMValueRef bits, LLVMTypeRef full)
{
	return LLVMTypeOf(bits) == full ? bits : LLVMBuildZExt(in->builder, bits, full, "");
}

/* --- reading --- */

static struct mz_pair read_part(struct mz_instrument *in, const struct place *place, LLVMValueRef part)
{
	unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(part)) / 8;
	LLVMValueRef arguments[] = {address_of(in, place), mz_number(in, size), mz_bits64(in, part)};
	return (struct mz_pair){part, mz_help(in, MZ_HELPER_LOAD, arguments, 3)};
}

/* Adds a part to what lies below it. */
static struct mz_pair join(struct mz_instrument *in, struct mz_pair low, struct mz_pair part, unsigned offset,
                           LLVMTypeRef full)
{
	struct mz_pair wide = mz_pair_convert(in, MZ_OPERATOR_ZEXT, part, full);
	if (offset == 0) return wide;
	struct mz_pair shifted = mz_pair_binary(in, MZ_OPERATOR_SHL, wide, mz_pair_constant(full, 8ULL * offset));
	return mz_pair_binary(in, MZ_OPERATOR_OR, low, shifted);
}

static LLVMValueRef read_integer(struct mz_instrument *in, const struct place *place, LLVMValueRef bits)
{
	LLVMTypeRef type = LLVMTypeOf(bits), full;
	unsigned size = filled(in, type, &full), offset = 0;
	LLVMValueRef whole = fill(in, bits, full);
	struct mz_pair sum = {whole, mz_no_shadow(in)};
	for (unsigned part; offset < size; offset += part) {
		part = part_size(size - offset);
		struct place at = place_at(place, offset);
		sum = join(in, sum, read_part(in, &at, part_of(in, whole, offset, part)), offset, full);
	}
	return mz_shadow_convert(in, MZ_OPERATOR_TRUNC, (struct mz_pair){whole, sum.shadow}, bits);
}

/* A value that has no shadow was read: shadows of its bytes end here. */
static LLVMValueRef read_other(struct mz_instrument *in, const struct place *place, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value), full;
	unsigned width = (unsigned)LLVMSizeOfTypeInBits(in->layout, type);
	LLVMTypeRef integer = LLVMIntTypeInContext(in->context, width);
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
	    LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind)
		return mz_no_shadow(in);
	LLVMValueRef bits = type == integer ? value : LLVMBuildBitCast(in->builder, value, integer, "");
	unsigned size = filled(in, integer, &full);
	LLVMValueRef whole = fill(in, bits, full);
	for (unsigned offset = 0, part; offset < size; offset += part) {
		part = part_size(size - offset);
		struct place at = place_at(place, offset);
		struct mz_pair read = read_part(in, &at, part_of(in, whole, offset, part));
		mz_lose_shadow(in, read.shadow, MZ_SYM_LOST_WIDE, "value of more than 64 bits read from memory");
	}
	return mz_no_shadow(in);
}

static uint64_t offset_of(struct mz_instrument *in, LLVMTypeRef type, unsigned i)
{
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind) return LLVMOffsetOfElement(in->layout, type, i);
	return i * LLVMABISizeOfType(in->layout, LLVMGetElementType(type));
}

static unsigned number_of_parts(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength(type)
	                                                  : LLVMCountStructElementTypes(type);
}

/* Returns the shadow of a value of any type that was read. */
static LLVMValueRef read_value(struct mz_instrument *in, const struct place *place, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	if (mz_type_is_scalar(type)) return read_integer(in, place, mz_bits_of(in, value));
	if (!mz_type_is_aggregate(type)) return read_other(in, place, value);
	LLVMValueRef whole = LLVMConstNull(mz_shadow_type(in, type));
	if (LLVMTypeOf(whole) == in->i32) return whole;
	for (unsigned i = 0; i < number_of_parts(type); i++) {
		struct place at = place_at(place, offset_of(in, type, i));
		LLVMValueRef part = read_value(in, &at, LLVMBuildExtractValue(in->builder, value, i, ""));
		whole = LLVMBuildInsertValue(in->builder, whole, part, i, "");
	}
	return whole;
}

/* --- writing --- */

static void write_part(struct mz_instrument *in, const struct place *place, struct mz_pair part)
{
	unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(part.value)) / 8;
	LLVMValueRef arguments[] = {place->done, address_of(in, place), mz_number(in, size), part.shadow,
	                            mz_bits64(in, part.value)};
	mz_help(in, MZ_HELPER_STORE, arguments, 5);
}

static void write_integer(struct mz_instrument *in, const struct place *place, struct mz_pair bits)
{
	LLVMTypeRef full;
	unsigned size = filled(in, LLVMTypeOf(bits.value), &full);
	struct mz_pair whole = mz_pair_convert(in, MZ_OPERATOR_ZEXT, bits, full);
	for (unsigned offset = 0, part; offset < size; offset += part) {
		part = part_size(size - offset);
		struct place at = place_at(place, offset);
		struct mz_pair rest = whole;
		if (offset) rest = mz_pair_binary(in, MZ_OPERATOR_LSHR, whole, mz_pair_constant(full, 8ULL * offset));
		write_part(in, &at, mz_pair_convert(in, MZ_OPERATOR_TRUNC, rest, integer_of_bytes(in, part)));
	}
}

/* A value of any type was written. */
static void write_value(struct mz_instrument *in, const struct place *place, LLVMValueRef value, LLVMValueRef shadow)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	if (mz_type_is_scalar(type)) {
		write_integer(in, place, (struct mz_pair){mz_bits_of(in, value), shadow});
	} else if (mz_type_is_aggregate(type) && LLVMTypeOf(shadow) != in->i32) {
		for (unsigned i = 0; i < number_of_parts(type); i++) {
			struct place at = place_at(place, offset_of(in, type, i));
			write_value(in, &at, LLVMBuildExtractValue(in->builder, value, i, ""),
			            LLVMBuildExtractValue(in->builder, shadow, i, ""));
		}
	} else {
		mz_forget_memory(in, address_of(in, place), mz_number64(in, LLVMStoreSizeOfType(in->layout, type)));
	}
}

static LLVMValueRef always(struct mz_instrument *in)
{
	return LLVMConstInt(in->i1, 1, false);
}

static void instrument_load(struct mz_instrument *in, LLVMValueRef load)
{
	struct place place = {LLVMGetOperand(load, 0), 0, always(in)};
	mz_stand_before(in, load);
	mz_settle(in, place.pointer);
	mz_stand_after(in, load);
	mz_set_shadow(in, load, read_value(in, &place, load));
}

static void instrument_store(struct mz_instrument *in, LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0);
	struct place place = {LLVMGetOperand(store, 1), 0, always(in)};
	mz_stand_before(in, store);
	mz_settle(in, place.pointer);
	mz_stand_after(in, store);
	write_value(in, &place, value, mz_shadow(in, value));
}

/* --- atomic operations --- */

static struct mz_pair choose(struct mz_instrument *in, enum mz_operator op, struct mz_pair a, struct mz_pair b)
{
	return mz_pair_select(in, mz_pair_binary(in, op, a, b), a, b);
}

static struct mz_pair inverted(struct mz_instrument *in, struct mz_pair a)
{
	return mz_pair_binary(in, MZ_OPERATOR_XOR, a, mz_pair_constant(LLVMTypeOf(a.value), ~0ULL));
}

/* Returns what an integer operation leaves in memory. */
static struct mz_pair modified(struct mz_instrument *in, LLVMAtomicRMWBinOp op, struct mz_pair old, struct mz_pair by)
{
	switch (op) {
	case LLVMAtomicRMWBinOpAdd: return mz_pair_binary(in, MZ_OPERATOR_ADD, old, by);
	case LLVMAtomicRMWBinOpSub: return mz_pair_binary(in, MZ_OPERATOR_SUB, old, by);
	case LLVMAtomicRMWBinOpAnd: return mz_pair_binary(in, MZ_OPERATOR_AND, old, by);
	case LLVMAtomicRMWBinOpNand: return inverted(in, mz_pair_binary(in, MZ_OPERATOR_AND, old, by));
	case LLVMAtomicRMWBinOpOr: return mz_pair_binary(in, MZ_OPERATOR_OR, old, by);
	case LLVMAtomicRMWBinOpXor: return mz_pair_binary(in, MZ_OPERATOR_XOR, old, by);
	case LLVMAtomicRMWBinOpMax: return choose(in, MZ_OPERATOR_SGT, old, by);
	case LLVMAtomicRMWBinOpMin: return choose(in, MZ_OPERATOR_SLE, old, by);
	case LLVMAtomicRMWBinOpUMax: return choose(in, MZ_OPERATOR_UGT, old, by);
	case LLVMAtomicRMWBinOpUMin: return choose(in, MZ_OPERATOR_ULE, old, by);
	default: return by;
	}
}

static void instrument_float_modification(struct mz_instrument *in, LLVMValueRef rmw, const struct place *place)
{
	LLVMValueRef by = LLVMGetOperand(rmw, 1);
	bool add = LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpFAdd;
	mz_lose_shadow(in, read_value(in, place, rmw), MZ_SYM_LOST_FLOAT, "floating-point operation");
	mz_lose(in, by, MZ_SYM_LOST_FLOAT, "floating-point operation");
	LLVMValueRef result = LLVMBuildBinOp(in->builder, add ? LLVMFAdd : LLVMFSub, rmw, by, "");
	write_value(in, place, result, LLVMConstNull(in->i32));
}

/* Tells the library, before an atomic operation, that an operand of it depends on inputs. */
static void tell_of_operand(struct mz_instrument *in, const struct place *place, LLVMValueRef operand)
{
	LLVMValueRef shadow = mz_shadow(in, operand);
	if (mz_is_no_shadow(shadow) || !mz_type_is_scalar(LLVMTypeOf(operand))) return;
	mz_help(in, MZ_HELPER_OPERAND, (LLVMValueRef[]){shadow, mz_as_pointer(in, place->pointer)}, 2);
}

static void instrument_modification(struct mz_instrument *in, LLVMValueRef rmw)
{
	struct place place = {LLVMGetOperand(rmw, 0), 0, always(in)};
	LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(rmw);
	struct mz_pair old = {rmw, NULL}, by = mz_pair(in, LLVMGetOperand(rmw, 1));
	mz_stand_before(in, rmw);
	mz_settle(in, place.pointer);
	tell_of_operand(in, &place, by.value);
	mz_stand_after(in, rmw);
	if (op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub) {
		instrument_float_modification(in, rmw, &place);
		return;
	}
	old.shadow = read_value(in, &place, rmw);
	if (mz_type_is_scalar(LLVMTypeOf(rmw))) mz_set_shadow(in, rmw, old.shadow);
	struct mz_pair new = mz_type_is_scalar(LLVMTypeOf(rmw)) ? modified(in, op, old, by) : by;
	write_value(in, &place, new.value, new.shadow);
}

/* Gives shadows to the old value, to the answer, and to what is in memory now: that is the new value if the exchange
 * was done, and the old one otherwise. Where the answer depends on inputs, so does which of the two it is. */
static void instrument_exchange(struct mz_instrument *in, LLVMValueRef exchange)
{
	LLVMValueRef expected = LLVMGetOperand(exchange, 1), new = LLVMGetOperand(exchange, 2);
	struct place place = {LLVMGetOperand(exchange, 0), 0, always(in)};
	mz_stand_before(in, exchange);
	mz_settle(in, place.pointer);
	tell_of_operand(in, &place, expected);
	tell_of_operand(in, &place, new);
	mz_stand_after(in, exchange);
	LLVMValueRef old = LLVMBuildExtractValue(in->builder, exchange, 0, "");
	LLVMValueRef done = LLVMBuildExtractValue(in->builder, exchange, 1, "");
	LLVMValueRef shadow = LLVMConstNull(mz_shadow_type(in, LLVMTypeOf(exchange)));
	LLVMValueRef read = read_value(in, &place, old);
	if (mz_type_is_scalar(LLVMTypeOf(old))) {
		LLVMValueRef answer =
		    mz_shadow_binary(in, MZ_OPERATOR_EQ, (struct mz_pair){old, read}, mz_pair(in, expected), done);
		shadow = LLVMBuildInsertValue(in->builder, shadow, read, 0, "");
		shadow = LLVMBuildInsertValue(in->builder, shadow, answer, 1, "");
		LLVMValueRef now =
		    mz_shadow_select(in, (struct mz_pair){done, answer}, new, old, mz_shadow(in, new), read);
		write_value(in, &place, LLVMBuildSelect(in->builder, done, new, old, ""), now);
	} else {
		place.done = done;
		write_value(in, &place, new, mz_shadow(in, new));
	}
	mz_set_shadow(in, exchange, shadow);
}

/* --- blocks of memory --- */

void mz_forget_memory(struct mz_instrument *in, LLVMValueRef address, LLVMValueRef size)
{
	mz_help(in, MZ_HELPER_SET, (LLVMValueRef[]){mz_as_pointer(in, address), size, mz_no_shadow(in)}, 3);
}

void mz_copied_memory(struct mz_instrument *in, LLVMValueRef to, LLVMValueRef from, LLVMValueRef size)
{
	mz_help(in, MZ_HELPER_COPY, (LLVMValueRef[]){mz_as_pointer(in, to), mz_as_pointer(in, from), size}, 3);
}

void mz_filled_memory(struct mz_instrument *in, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef size)
{
	struct mz_pair low = mz_pair_convert(in, MZ_OPERATOR_TRUNC, mz_pair(in, byte), in->i8);
	mz_help(in, MZ_HELPER_SET, (LLVMValueRef[]){mz_as_pointer(in, to), size, low.shadow}, 3);
}

/* A variable whose size is known is dealt with at the entry of the function. */
static void instrument_alloca(struct mz_instrument *in, LLVMValueRef alloca)
{
	LLVMValueRef count = LLVMGetOperand(alloca, 0);
	if (LLVMIsConstant(count)) return;
	uint64_t size = LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(alloca));
	mz_stand_before(in, alloca);
	mz_settle(in, count);
	mz_stand_after(in, alloca);
	LLVMValueRef n = mz_bits64(in, count);
	mz_forget_memory(in, alloca, LLVMBuildMul(in->builder, n, mz_number64(in, size), ""));
}

/* Returns the operand that is the address. */
static LLVMValueRef accessed(LLVMValueRef instruction)
{
	return LLVMGetOperand(instruction, LLVMGetInstructionOpcode(instruction) == LLVMStore ? 1 : 0);
}

void mz_instrument_memory(struct mz_instrument *in, LLVMValueRef instruction)
{
	LLVMTypeRef type = LLVMTypeOf(accessed(instruction));
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && !mz_type_is_scalar(type)) return; /* not plain memory */
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMLoad: instrument_load(in, instruction); break;
	case LLVMStore: instrument_store(in, instruction); break;
	case LLVMAtomicRMW: instrument_modification(in, instruction); break;
	case LLVMAtomicCmpXchg: instrument_exchange(in, instruction); break;
	default: instrument_alloca(in, instruction);
	}
}
