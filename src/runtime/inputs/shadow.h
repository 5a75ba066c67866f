/* SPDX-License-Identifier: MIT
 *
 * Shadows of memory: for each byte that depends on an input, its expression. A shadow counts as long as its value is
 * the byte that is there: code that no hook sees may have written another one. Code that has hooks and no shadows is
 * dealt with in follow.h, which has to be told before any function here is called for the program.
 */
#ifndef MZ_RUNTIME_INPUTS_SHADOW_H
#define MZ_RUNTIME_INPUTS_SHADOW_H

#include "runtime/core/core.h"

/* Returns the expression of the `value` that was read from `size` bytes of memory, up to 8; 0 if the value depends on
 * no input. */
uint32_t mz_shadow_load(uintptr_t address, uint32_t size, uint64_t value);
/* Reports whether any of these bytes depends on an input. */
bool mz_shadow_is_there(uintptr_t address, size_t size);
/* The same for a size that may be larger than any object. */
bool mz_shadow_is_anywhere(uintptr_t address, size_t size);
/* Reports whether there are shadows near an address: where there are none, the memory need not be there either. */
bool mz_shadow_may_be_at(uintptr_t address);
/* Sets the expression of `size` bytes, up to 8, that were written as one value; 0: the value depends on no input. */
void mz_shadow_store(uintptr_t address, uint32_t size, uint32_t expression);
/* Sets the expression of each of `size` bytes. */
void mz_shadow_fill(uintptr_t address, size_t size, uint32_t expression);
/* Does what memmove() does, with shadows. */
void mz_shadow_copy(uintptr_t to, uintptr_t from, size_t size);
/* Sets the expression of one byte. */
void mz_shadow_set(uintptr_t address, uint32_t expression);

/* Atomic operations that may turn out to change nothing are reads then; but which of them do must not depend on inputs,
 * because executions with other inputs take the same steps. So such operations are writes, whatever they find, on
 * memory that has had a shadow when some execution made one, or for which one had an operand with a shadow.
 * mz_shadow_is_learned() reports whether the memory at an address is such; it learns so by itself if there is a shadow
 * now. What is learned stays; when it is new, the search begins anew. */
void mz_shadow_learn(uintptr_t address);
bool mz_shadow_is_learned(uintptr_t address, size_t size);

/* Parts of what an execution has (states/parts.h). */
void mz_shadow_reset(void);
void mz_shadow_store_all(struct mz_state *state);
void mz_shadow_load_all(struct mz_state *state);

#endif
