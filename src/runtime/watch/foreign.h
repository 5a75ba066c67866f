/* SPDX-License-Identifier: MIT
 *
 * Variables on a thread's stack that other threads write to. Threads that spin are recognised by their live stack
 * (spin.h), which has to be of their own past alone. So bytes that others have written there count as what the thread
 * knows of them: what was there before, until the thread accesses them itself, or has overwritten them with something
 * else without being seen (a variable of a later frame).
 *
 * Done only where stacks are compared, and not where states are told apart.
 */
#ifndef MZ_RUNTIME_WATCH_FOREIGN_H
#define MZ_RUNTIME_WATCH_FOREIGN_H

#include "runtime/core/core.h"

/* Number of words on stacks that have been written by other threads and not accessed by their owners since. */
extern uint32_t mz_foreign_count;

/* Reports whether an address is on the stack of some thread. */
static inline bool mz_foreign_is_stack(uintptr_t address)
{
	return address - MZ_LAYOUT_STACKS < (uint64_t)MZ_SESSION_THREADS << MZ_LAYOUT_STACK_BITS;
}

/* Called before SELF writes to memory that may be on another thread's stack, or on its own. */
MZ_COLD void mz_foreign_write(const struct mz_fiber *self, uintptr_t address, size_t size);
/* Called when SELF accesses memory that may be on its own stack: from then on SELF knows what is there. */
MZ_COLD void mz_foreign_know(const struct mz_fiber *self, uintptr_t address, size_t size);
/* Called when SELF goes on after other threads have run. */
MZ_COLD void mz_foreign_resume(const struct mz_fiber *self);

/* Replace words of SELF's stack, from `sp` upwards, that others have written by what SELF knows of them; and put the
 * real values back. */
MZ_COLD void mz_foreign_hide(const struct mz_fiber *self, const uint8_t *sp);
MZ_COLD void mz_foreign_show(const struct mz_fiber *self, const uint8_t *sp);

/* See parts.h and state.h: these belong to the part `spin`. */
void mz_foreign_reset(void);
void mz_foreign_store(struct mz_state *state);
void mz_foreign_load(struct mz_state *state);

#endif
