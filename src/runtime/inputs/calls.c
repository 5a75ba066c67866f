/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/calls.h"
#include "base/alloc.h"
#include "runtime/inputs/list.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/reach.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/values.h"

/* The shadows that a call or a return under way passes. If caller and callee are both instrumented, no other thread
 * runs between passing the shadows and taking them. */
static struct passed {
	const void *function; /* NULL: nothing is passed */
	uint32_t *shadows;    /* 0: none was passed */
	size_t count, capacity;
	uintptr_t place; /* the place of the call or of the return */
	bool taken;      /* the other side has taken the shadows: it is instrumented */
	bool listed;     /* and its variable arguments */
} arguments, results;

/* The shadows of variable arguments that a function has taken, until va_start() says where they are. */
static struct {
	const void *function; /* NULL: there are none */
	uintptr_t place;
	uint32_t count;
	uint32_t shadows[MZ_SYM_VARIABLE_SLOTS];
} variable;

static void begin(struct passed *passed, const void *function, uintptr_t place)
{
	passed->function = function;
	passed->count = 0;
	passed->place = place;
	passed->taken = passed->listed = false;
}

/* Passes a shadow after those with lower indices. */
static void pass(struct passed *passed, uint32_t index, uint32_t shadow)
{
	mz_array_require(&passed->shadows, &passed->capacity, index + 1);
	while (passed->count < index) passed->shadows[passed->count++] = 0;
	passed->shadows[passed->count++] = shadow;
}

/* Returns the expression of `width` bits of a register that has the value of `shadow`, or 0 if it does not say what they
 * are: then the two sides have declared the function differently, and what depends on inputs is lost. The upper half of
 * a register is 0 after an operation on its lower half. */
static uint32_t fit(const struct passed *passed, uint32_t shadow, uint64_t value, unsigned width)
{
	unsigned has = mz_inputs_space->expressions[shadow].width;
	if (has > width) shadow = mz_inputs_make(MZ_OPERATOR_TRUNC, width, shadow, 0, 0);
	if (has < width) shadow = mz_inputs_make(MZ_OPERATOR_ZEXT, width, shadow, 0, 0);
	if (has == width || mz_inputs_value(shadow) == (value & mz_bits(width)))
		return mz_inputs_checked(shadow, value);
	mz_inputs_lose(MZ_SYM_LOST_DECLARED, NULL, passed->place);
	return 0;
}

static uint32_t take(const struct passed *passed, const void *function, uint32_t index, uint64_t value, unsigned width)
{
	if (!mz_inputs_space || passed->function != function || index >= passed->count) return 0;
	uint32_t shadow = passed->shadows[index];
	return shadow ? fit(passed, shadow, value, width) : 0;
}

/* A result that depends on inputs is taken right after the return, or its caller is not instrumented. */
static void end_results(void)
{
	bool depends = false;
	for (size_t i = 0; i < results.count; i++) depends |= results.shadows[i] != 0;
	if (results.function && !results.taken && depends) mz_inputs_lose(MZ_SYM_LOST_RESULT, NULL, results.place);
	results.function = NULL;
}

/* Counts variable arguments from one place in the list on as lost, if they depend on inputs. */
static void lose_variable(const uint32_t *shadows, size_t first, size_t count, uintptr_t place)
{
	bool depends = false;
	for (size_t i = first; i < count; i++) depends |= shadows[i] != 0;
	if (depends) mz_inputs_lose(MZ_SYM_LOST_VARIABLE, NULL, place);
}

static void end_arguments(void)
{
	if (arguments.function && arguments.taken && !arguments.listed)
		lose_variable(arguments.shadows, MZ_SYM_VARIABLE, arguments.count, arguments.place);
	if (arguments.function && !arguments.taken)
		mz_inputs_lose(MZ_SYM_LOST_CALL, mz_reach_name((uintptr_t)arguments.function), arguments.place);
	arguments.function = NULL;
}

void mz_calls_end(void)
{
	end_arguments();
	end_results();
}

/* Arguments of one call are passed in order. */
void mz_calls_pass(const void *callee, uint32_t index, uint32_t shadow, uintptr_t place)
{
	if (arguments.function != callee || index < arguments.count) {
		mz_calls_end();
		begin(&arguments, callee, place);
	}
	pass(&arguments, index, shadow);
}

uint32_t mz_calls_parameter(const void *self, uint32_t index, uint64_t value, unsigned width)
{
	if (arguments.function == self) arguments.taken = true;
	return take(&arguments, self, index, value, width);
}

void mz_calls_variable(const void *self)
{
	if (variable.function) lose_variable(variable.shadows, 0, variable.count, variable.place);
	variable.function = self;
	variable.count = 0;
	if (arguments.function != self) return;
	arguments.taken = arguments.listed = true;
	variable.place = arguments.place;
	for (size_t i = MZ_SYM_VARIABLE; i < arguments.count && variable.count < MZ_SYM_VARIABLE_SLOTS; i++)
		variable.shadows[variable.count++] = arguments.shadows[i];
}

/* A function may begin the same list more than once: the arguments are still where they were. */
void mz_calls_start_list(const void *self, const void *list)
{
	if (!mz_inputs_space || variable.function != self) return;
	mz_list_forget(list);
	for (uint32_t slot = 0; slot < variable.count; slot++) {
		uint32_t shadow = variable.shadows[slot];
		uint32_t size = shadow ? mz_inputs_space->expressions[shadow].width / 8U : 8;
		mz_shadow_store(mz_list_place(list, slot), size, shadow);
	}
	variable.function = NULL;
}

void mz_calls_store(struct mz_state *state)
{
	mz_state_put(state, &variable, sizeof variable);
}

void mz_calls_load(struct mz_state *state)
{
	mz_state_get(state, &variable, sizeof variable);
}

void mz_calls_entered(void)
{
	mz_calls_end();
}

void mz_calls_return(const void *self, uint32_t index, uint32_t shadow, uintptr_t place)
{
	if (results.function != self || results.taken || index < results.count) {
		end_results();
		begin(&results, self, place);
	}
	pass(&results, index, shadow);
}

uint32_t mz_calls_result(const void *callee, uint32_t index, uint64_t value, unsigned width)
{
	if (results.function == callee) results.taken = true;
	if (results.function != callee) end_results();
	end_arguments();
	return take(&results, callee, index, value, width);
}

void mz_calls_reset(void)
{
	arguments.function = results.function = variable.function = NULL;
}
