/* SPDX-License-Identifier: MIT
 *
 * What code that was built with `mazurka cc --symbolic` calls: concolic/abi.h.
 */
#include "concolic/abi.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include <stdio.h>

MZ_HOOKS_DECLARE(SYMBOLIC)

/* ---- operations ---- */

/* Returns the expression of an operand: its shadow, or the constant that it is. */
static uint32_t operand(uint32_t shadow, unsigned width, uint64_t value)
{
	return shadow ? shadow : mz_inputs_constant(width, value);
}

MZ_EXPORT uint32_t __mz_sym_binary(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb,
                                   uint64_t result)
{
	if (!mz_inputs_space) return 0;
	unsigned to = mz_operator_is_comparison((enum mz_operator)op) ? 1 : width;
	uint32_t left = operand(a, width, va), right = operand(b, width, vb);
	return mz_inputs_checked(mz_inputs_make((enum mz_operator)op, to, left, right, 0), result);
}

MZ_EXPORT uint32_t __mz_sym_convert(uint32_t op, uint32_t from, uint32_t to, uint32_t a, uint64_t result)
{
	(void)from;
	if (!mz_inputs_space) return 0;
	return mz_inputs_checked(mz_inputs_make((enum mz_operator)op, to, a, 0, 0), result);
}

MZ_EXPORT uint32_t __mz_sym_select(uint32_t width, uint32_t condition, uint32_t a, uint32_t b, uint64_t va, uint64_t vb)
{
	if (!mz_inputs_space) return 0;
	return mz_inputs_variable(mz_inputs_choose(width, condition, operand(a, width, va), operand(b, width, vb)));
}

/* ---- steps ---- */

static void branch(struct mz_fiber *self, uint32_t condition, uintptr_t caller)
{
	if (mz_inputs_variable(condition)) mz_path_branch(self, condition, mz_inputs_value(condition), caller);
}

void mz_entry___mz_sym_branch(uint32_t shadow, uint32_t value)
{
	if (mz_current && mz_inputs_space) mz_path_branch(mz_current, shadow, value & 1, MZ_CALLER());
}

void mz_entry___mz_sym_switch(uint32_t shadow, uint32_t width, uint64_t value, uint32_t ncases, const uint64_t *cases)
{
	struct mz_fiber *self = mz_current;
	uintptr_t caller = MZ_CALLER();
	bool met = false;
	for (uint32_t n = 0; self && mz_inputs_space && n < ncases && !met; n++) {
		met = ((cases[n] ^ value) & mz_bits(width)) == 0;
		branch(self, mz_inputs_make(MZ_OPERATOR_EQ, 1, shadow, mz_inputs_constant(width, cases[n]), 0), caller);
	}
}

void mz_entry___mz_sym_settle(uint32_t shadow, uint32_t width, uint64_t value)
{
	(void)width, (void)value;
	if (mz_current && mz_inputs_space) mz_settle(mz_current, shadow, MZ_CALLER());
}

static uint32_t is(uint32_t expression, unsigned width, uint64_t value)
{
	return mz_inputs_make(MZ_OPERATOR_EQ, 1, expression, mz_inputs_constant(width, value), 0);
}

void mz_entry___mz_sym_division(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t va, uint64_t vb)
{
	struct mz_fiber *self = mz_current;
	uintptr_t caller = MZ_CALLER();
	if (!self || !mz_inputs_space) return;
	uint32_t left = operand(a, width, va), right = operand(b, width, vb);
	branch(self, is(right, width, 0), caller);
	if (op != MZ_OPERATOR_SDIV && op != MZ_OPERATOR_SREM) return;
	uint32_t least = is(left, width, 1ULL << (width - 1)), minus_one = is(right, width, ~0ULL);
	branch(self, mz_inputs_make(MZ_OPERATOR_AND, 1, least, minus_one, 0), caller);
}

/* ---- atomic operations ---- */

MZ_EXPORT void __mz_sym_operand(const void *address)
{
	if (mz_current && mz_inputs_space) mz_shadow_learn((uintptr_t)address);
}

/* ---- what is lost ---- */

MZ_EXPORT void __mz_sym_lost(uint32_t shadow, uint32_t kind, const char *what)
{
	(void)shadow;
	if (mz_current && mz_inputs_space) mz_inputs_lose(kind, what, MZ_CALLER());
}

MZ_EXPORT void __mz_sym_printed(uint64_t to, uint32_t stream)
{
	if (!mz_current || !mz_inputs_space) return;
	mz_follow_printed(stream ? fileno((FILE *)to) : (int)to, MZ_CALLER());
}

/* ---- memory ---- */

MZ_EXPORT uint32_t __mz_sym_load(const void *address, uint32_t size, uint64_t value)
{
	if (!mz_inputs_space) return 0;
	mz_follow_loaded((uintptr_t)address);
	return mz_shadow_load((uintptr_t)address, size, value);
}

MZ_EXPORT void __mz_sym_store(void *address, uint32_t size, uint32_t shadow, uint64_t value)
{
	(void)value;
	if (!mz_inputs_space) return;
	mz_follow_stored((uintptr_t)address);
	mz_shadow_store((uintptr_t)address, size, shadow);
}

MZ_EXPORT void __mz_sym_copy(void *to, const void *from, uint64_t size)
{
	if (!mz_inputs_space) return;
	mz_follow_copied((uintptr_t)to, (uintptr_t)from);
	mz_shadow_copy((uintptr_t)to, (uintptr_t)from, size);
}

MZ_EXPORT void __mz_sym_set(void *to, uint64_t size, uint32_t shadow)
{
	if (!mz_inputs_space) return;
	mz_follow_stored((uintptr_t)to);
	mz_shadow_fill((uintptr_t)to, size, shadow);
}

MZ_EXPORT int __mz_sym_is_input(const void *stream)
{
	return mz_current && mz_stdin_is((FILE *)stream);
}

MZ_EXPORT void __mz_sym_put_back(const void *byte)
{
	if (mz_current && mz_inputs_space) mz_back_set((uintptr_t)byte);
}

MZ_EXPORT void __mz_sym_place(const void *code)
{
	mz_lost_set_place(mz_current, (uintptr_t)code);
}

/* ---- calls ---- */

MZ_EXPORT void __mz_sym_reaches(const void *callee, const void *pointer, uint64_t size, uint64_t count,
                                const char *name)
{
	const struct mz_reached reached = {(uintptr_t)pointer, size, count};
	if (mz_current && mz_inputs_space) mz_reach((uintptr_t)callee, &reached, name, MZ_CALLER());
}

MZ_EXPORT void __mz_sym_pass(const void *callee, uint32_t index, uint32_t shadow)
{
	if (mz_inputs_space) mz_calls_pass(callee, index, shadow, MZ_CALLER());
}

MZ_EXPORT uint32_t __mz_sym_parameter(const void *self, uint32_t index, uint64_t value, uint32_t width)
{
	return mz_calls_parameter(self, index, value, width);
}

MZ_EXPORT void __mz_sym_variable(const void *self)
{
	if (mz_inputs_space) mz_calls_variable(self);
}

MZ_EXPORT void __mz_sym_start_list(const void *self, const void *list)
{
	mz_calls_start_list(self, list);
}

MZ_EXPORT void __mz_sym_printed_list(const void *list, uint64_t to, uint32_t stream)
{
	if (!mz_current || !mz_inputs_space || !mz_list_depends(list)) return;
	mz_follow_printed(stream ? fileno((FILE *)to) : (int)to, MZ_CALLER());
}

MZ_EXPORT void __mz_sym_entered(void)
{
	mz_calls_entered();
}

MZ_EXPORT void __mz_sym_return(const void *self, uint32_t index, uint32_t shadow)
{
	if (mz_inputs_space) mz_calls_return(self, index, shadow, MZ_CALLER());
}

MZ_EXPORT uint32_t __mz_sym_result(const void *callee, uint32_t index, uint64_t value, uint32_t width)
{
	return mz_calls_result(callee, index, value, width);
}
