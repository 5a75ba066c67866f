/* SPDX-License-Identifier: MIT
 *
 * Protections that the program gives to memory which is rolled back: variables, blocks of the heap, stacks. They are
 * the execution's. What it maps itself is unmapped with the execution (mapping.h), whatever its protection.
 */
#ifndef MZ_RUNTIME_MEMORY_PROTECTION_H
#define MZ_RUNTIME_MEMORY_PROTECTION_H

#include "runtime/core/core.h"

/* As mprotect. */
int mz_protection_set(void *address, size_t size, int protection);

/* Make all memory that the program has protected readable and writable; and protect it again. */
void mz_protection_lift(void);
void mz_protection_put_back(void);
/* Removes all protections, for the next execution. */
void mz_protection_restore(void);

/* Reports whether anything is protected. */
bool mz_protection_is_used(void);

/* See state.h. Memory is stored and loaded while protections are lifted. A state in which nothing was protected has
 * nothing of this: then NULL is loaded. */
void mz_protection_store(struct mz_state *state);
void mz_protection_load(struct mz_state *state);

#endif
