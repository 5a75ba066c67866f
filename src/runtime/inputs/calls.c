/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/calls.h"
#include "base/alloc.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/values.h"

/* The shadows that a call or a return under way passes. If caller and callee are both instrumented, no other thread
 * runs between passing the shadows and taking them. */
static struct passed {
	const void *function; /* NULL: nothing is passed */
	uint32_t *shadows;    /* 0: none was passed */
	size_t count, capacity;
	uintptr_t place; /* the place of the call or of the return */
	bool taken;      /* the other side has taken the shadows: it is instrumented */
} arguments, results;

static void begin(struct passed *passed, const void *function, uintptr_t place)
{
	passed->function = function;
	passed->count = 0;
	passed->place = place;
	passed->taken = false;
}

/* Passes a shadow after those with lower indices. */
static void pass(struct passed *passed, uint32_t index, uint32_t shadow)
{
	mz_array_require(&passed->shadows, &passed->capacity, index + 1);
	while (passed->count < index) passed->shadows[passed->count++] = 0;
	passed->shadows[passed->count++] = shadow;
}

static uint32_t take(const struct passed *passed, const void *function, uint32_t index, uint64_t value)
{
	if (!mz_inputs_space || passed->function != function || index >= passed->count) return 0;
	uint32_t shadow = passed->shadows[index];
	return shadow ? mz_inputs_checked(shadow, value) : 0;
}

/* A result that depends on inputs is taken right after the return, or its caller is not instrumented. */
static void end_results(void)
{
	bool depends = false;
	for (size_t i = 0; i < results.count; i++) depends |= results.shadows[i] != 0;
	if (results.function && !results.taken && depends) mz_inputs_lose(MZ_SYM_LOST_RESULT, NULL, results.place);
	results.function = NULL;
}

static void end_arguments(void)
{
	if (arguments.function && !arguments.taken) mz_inputs_lose(MZ_SYM_LOST_CALL, NULL, arguments.place);
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

uint32_t mz_calls_parameter(const void *self, uint32_t index, uint64_t value)
{
	if (arguments.function == self) arguments.taken = true;
	return take(&arguments, self, index, value);
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

uint32_t mz_calls_result(const void *callee, uint32_t index, uint64_t value)
{
	if (results.function == callee) results.taken = true;
	if (results.function != callee) end_results();
	end_arguments();
	return take(&results, callee, index, value);
}

void mz_calls_reset(void)
{
	arguments.function = results.function = NULL;
}
