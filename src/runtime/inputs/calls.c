/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/calls.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/values.h"

/* What is passed by a call or a return under way. No other thread runs between the two sides of it, if both are
 * instrumented. */
#define MOST_PASSED 64
static struct passed {
	const void *function; /* NULL: nothing is passed */
	uint32_t shadows[MOST_PASSED];
	uint64_t set; /* a bit for each that is passed */
	/* of arguments: */
	uintptr_t place; /* of the call */
	bool taken;      /* by the function: it is instrumented */
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

void mz_calls_end(void)
{
	if (arguments.function && !arguments.taken) mz_inputs_lose(MZ_SYM_LOST_CALL, NULL, arguments.place);
	arguments.function = NULL;
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

void mz_calls_return(const void *self, uint32_t index, uint32_t shadow)
{
	pass(&results, self, index, shadow);
}

uint32_t mz_calls_result(const void *callee, uint32_t index, uint64_t value)
{
	mz_calls_end();
	return take(&results, callee, index, value);
}

void mz_calls_reset(void)
{
	arguments.function = results.function = NULL;
}
