/* SPDX-License-Identifier: MIT
 *
 * Shadows of arguments and results, on their way between functions. A function is known by its address; whether it is
 * instrumented shows when it takes its arguments, or does not: then they are counted as lost. So it is with results.
 */
#ifndef MZ_RUNTIME_INPUTS_CALLS_H
#define MZ_RUNTIME_INPUTS_CALLS_H

#include "runtime/core/core.h"

/* Implement the functions of concolic/abi.h with these names. `place` is the place of the call, or of the return. */
void mz_calls_pass(const void *callee, uint32_t index, uint32_t shadow, uintptr_t place);
uint32_t mz_calls_parameter(const void *self, uint32_t index, uint64_t value, unsigned width);
void mz_calls_variable(const void *self);
void mz_calls_start_list(const void *self, const void *list);
void mz_calls_entered(void);
void mz_calls_return(const void *self, uint32_t index, uint32_t shadow, uintptr_t place);
uint32_t mz_calls_result(const void *callee, uint32_t index, uint64_t value, unsigned width);

/* Store what is under way in a state, and load it. */
void mz_calls_store(struct mz_state *state);
void mz_calls_load(struct mz_state *state);
/* Counts arguments and results that were not taken as lost. Called when no more instrumented code will run. */
void mz_calls_end(void);
/* Forgets all arguments and results under way, for the next execution. */
void mz_calls_reset(void);

#endif
