/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/calls.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/values.h"

/* The shadows that a call or a return under way passes. If caller and callee are both instrumented, no other thread
 * runs between passing the shadows and taking them. */
#define MOST_PASSED 64
static struct passed {
	const void *function; /* NULL: nothing is passed */
	uint32_t shadows[MOST_PASSED];
	uint64_t set;    /* bit n is set if shadows[n] was passed */
	uintptr_t place; /* the place of the call or of the return */
	bool taken;      /* the other side has taken the shadows: it is instrumented */
} arguments, results;

static void pass(struct passed *passed, const void *function, uint32_t index, uint32_t shadow)
{
	if (passed->function != function) passed->set = 0;
	passed->function = function;
	if (index >= MOST_PASSED) return;
	passed->shadows[index] = shadow;
	passed->set |= 1ULL << index;
}

static uint32_t take(const struct passed *passed, const void *function, uint32_t index, uint64_t value)
{
	if (!mz_inputs_space || passed->function != function || index >= MOST_PASSED) return 0;
	uint32_t shadow = passed->set >> index & 1 ? passed->shadows[index] : 0;
	return shadow ? mz_inputs_checked(shadow, value) : 0;
}

/* A result that depends on inputs is taken right after the return, or its caller is not instrumented. */
static void end_results(void)
{
	bool depends = false;
	for (uint32_t i = 0; i < MOST_PASSED; i++) depends |= results.set >> i & 1 && results.shadows[i];
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
	bool same = arguments.function == callee && (index >= MOST_PASSED || arguments.set >> index == 0);
	if (!same) {
		mz_calls_end();
		arguments.set = 0;
		arguments.place = place;
		arguments.taken = false;
	}
	pass(&arguments, callee, index, shadow);
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
	if (results.function != self || results.taken || index >= MOST_PASSED || results.set >> index) {
		end_results();
		results.set = 0;
		results.place = place;
		results.taken = false;
	}
	pass(&results, self, index, shadow);
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
