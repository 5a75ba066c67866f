/* SPDX-License-Identifier: MIT
 *
 * Threads that spin. A thread that comes back to the same place in the same local state, having only read since it was
 * there, would go round for ever: until another thread has written something of what it read, its next operation is not
 * enabled (it *awaits* a write, see trace/event.h).
 *
 * The same local state: the same return address and stack pointer, the same values in the registers that calls
 * preserve, the same live stack, and an operation with the same arguments. Everything else is dead at a call, or memory
 * that is not the thread's alone; whoever changes that says so (mz_spin_forget): plain writes outside the own stack,
 * visible writes, locks, allocation, creation and joins of threads, choices. States are compared by hashes of 128 bits.
 *
 * What is kept per thread, since it last did something else than reading: where it was (arrivals) and what it read. For
 * all threads together: every visible write, to tell what has been written since it was read.
 */
#ifndef MZ_RUNTIME_WATCH_SPIN_H
#define MZ_RUNTIME_WATCH_SPIN_H

#include "runtime/core/core.h"
#include "runtime/watch/foreign.h"

/* Everything is new: for the next execution. */
void mz_spin_reset(void);

/* As mz_visible(), for an operation that may turn out to be a read and whose accesses are in self->accesses. `argument`
 * stands for all that it was called with, besides them. It is where the thread may be found to have come back, if the
 * call was noted. */
void mz_spin_visible(struct mz_fiber *self, enum mz_op op, uint16_t naccesses, uint64_t argument, uintptr_t caller);

/* The operation has been executed. Returns the number of accesses of the event: those that are only waited for are
 * appended to the `naccesses` that it has itself. */
uint16_t mz_spin_commit(struct mz_fiber *self, enum mz_op op, uint16_t naccesses);

/* The thread looks at a clock: no visible operation, but a place where it may be found to have come back. Whether it
 * has. A loop in which a thread looks at a clock waits for time, not for a write. */
bool mz_spin_returns_to_clock(struct mz_fiber *self, uintptr_t caller);

/* The thread has changed something else than its own stack. */
static inline void mz_spin_forget(struct mz_fiber *self)
{
	self->spin.narrivals = self->spin.nreads = self->spin.nevents = self->spin.narrivals_at_clock = 0;
}

/* Whether what is written there changes nothing but the thread's own stack. */
static inline bool mz_spin_owns(const struct mz_fiber *self, uintptr_t address)
{
	return address - (uintptr_t)self->stack_low < (size_t)(self->stack_high - self->stack_low);
}

/* It is about to write to memory. */
static inline void mz_spin_write(struct mz_fiber *self, uintptr_t address, size_t size)
{
	if (mz_spin_owns(self, address)) return;
	mz_spin_forget(self);
	if (MZ_UNLIKELY(mz_caller_wipes())) mz_foreign_write(self, address, size);
}

/* Whether the thread waits, as one that spins. */
bool mz_spin_waits(const struct mz_fiber *fiber);
/* Lets it go, as if that had been written. */
void mz_spin_release(struct mz_fiber *fiber);
/* Says what it reads, as details of the last finding. */
void mz_spin_explain(struct mz_fiber *fiber);

/* Where states are told apart, a thread is only recognised where it looks at a clock: where it did, and for how long it
 * has waited for time to pass. */
void mz_spin_identity(const struct mz_fiber *fiber, struct mz_state *state);

/* Checkpoints. */
void mz_spin_store(struct mz_state *state);
void mz_spin_load(struct mz_state *state);

#endif
