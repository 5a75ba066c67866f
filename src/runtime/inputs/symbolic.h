/* SPDX-License-Identifier: MIT
 *
 * The inputs themselves: objects that the program has marked with mz_symbolic(), and the bytes that they get. An input
 * is known by the thread that marks it and by how many that thread has marked before; so it is the same one in every
 * execution, whatever the schedule. Where inputs are explored, its bytes have expressions; elsewhere (a replay, a
 * program that was not built for it) they are just set.
 */
#ifndef MZ_RUNTIME_INPUTS_SYMBOLIC_H
#define MZ_RUNTIME_INPUTS_SYMBOLIC_H

#include "runtime/core/core.h"

/* Makes an object an input: gives it the bytes that this execution has for it. Returns how many inputs the thread has
 * marked before. */
uint32_t mz_input_mark(struct mz_fiber *self, void *object, size_t size, const char *name, uintptr_t caller);

/* Makes an object an input that is there before main begins: an argument. `nth`: see struct mz_session_input. */
void mz_input_give(struct mz_fiber *self, uint32_t nth, void *object, size_t size, const char *name);

/* The same for an input whose bytes the caller stores itself: returns them, and fills in the number of the first. */
const uint8_t *mz_input_provide(uint32_t nth, size_t size, const char *name, uint32_t *first);

/* Calls `visit` for each input that this execution has marked, with the bytes that it has. */
void mz_inputs_each(void (*visit)(void *to, const struct mz_session_input *input, const uint8_t *bytes), void *to);

/* Copies the bytes that all inputs have in this execution to where the session keeps those of a finding. */
void mz_inputs_keep(uint32_t finding);

/* Maps the memory that is shared with the solver, if there is one. */
void mz_inputs_start(void);

/* Reports whether this execution has marked an input. */
bool mz_inputs_are_marked(void);
/* Parts of what an execution has (states/parts.h): how many inputs each thread has marked. */
void mz_symbolic_reset(void);
void mz_symbolic_store(struct mz_state *state);
void mz_symbolic_load(struct mz_state *state);

#endif
