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

/* Forgets everything of the last execution. */
void mz_spin_reset(void);

/* As mz_visible(), for an operation that may turn out to be a read and whose accesses are in self->accesses. `argument`
 * stands for all that it was called with, besides them. It is where the thread may be found to have come back, if the
 * call was noted. */
void mz_spin_visible(struct mz_fiber *self, struct mz_operation operation, uint64_t argument, uintptr_t caller);

/* Called when the operation has been executed. Returns the number of accesses of the event: accesses that are only
 * waited for are appended to the operation's own `naccesses`. */
uint16_t mz_spin_commit(struct mz_fiber *self, enum mz_op op, uint16_t naccesses);

/* What is known of a thread that reads a clock. */
enum mz_clock_reading {
	MZ_CLOCK_UNKNOWN, /* loops are not recognised */
	MZ_CLOCK_NEW,     /* it has not read a clock from here since it last changed anything but its own stack */
	MZ_CLOCK_AGAIN,   /* it has, and has looked at nothing but clocks and its own stack meanwhile */
	MZ_CLOCK_POLLS,   /* it has, and has read what other threads may write meanwhile */
	MZ_CLOCK_ROUND    /* it was here before in the same state */
};

/* Called when SELF reads a clock, which is no visible operation but a place where a loop may be recognised: a loop in
 * which a thread reads a clock waits for time, not for a write. Stores in `*times` how often it has read a clock from
 * here since it last changed anything but its own stack. Here: with the same callers. */
enum mz_clock_reading mz_spin_at_clock(struct mz_fiber *self, uintptr_t caller, uint32_t *times);
#define MZ_CLOCKS 64 /* nclocks of struct mz_spin is not counted further than this */
/* Forgets the arrivals of SELF, but for those at this clock. */
void mz_spin_forget_round(struct mz_fiber *self, uint32_t times);

/* Forgets the arrivals of SELF: it has changed something else than its own stack, so it makes progress. */
static inline void mz_spin_forget(struct mz_fiber *self)
{
	self->spin.narrivals = self->spin.nreads = self->spin.nevents = 0;
	self->spin.narrivals_at_clock = self->spin.narrivals_at_read = self->spin.nclocks = 0;
}

/* Reports whether the address lies on the thread's own stack. */
static inline bool mz_spin_owns(const struct mz_fiber *self, uintptr_t address)
{
	return address - (uintptr_t)self->stack_low < (size_t)(self->stack_high - self->stack_low);
}

/* Called before SELF writes to memory. */
static inline void mz_spin_write(struct mz_fiber *self, uintptr_t address, size_t size)
{
	if (mz_spin_owns(self, address)) return;
	mz_spin_forget(self);
	if (MZ_UNLIKELY(mz_caller_wipes())) mz_foreign_write(self, address, size);
}

/* Reports whether the thread's pending operation is disabled because the thread spins. */
bool mz_spin_waits(const struct mz_fiber *fiber);
/* Enables a thread that spins, as if what it reads had been written. */
void mz_spin_release(struct mz_fiber *fiber);
/* Adds to the last finding what a spinning thread reads. */
void mz_spin_explain(struct mz_fiber *fiber);

/* Puts into `state` where the thread has read clocks and how long it has waited for time to pass. (Where states are
 * told apart, spinning is only recognised at clocks.) */
void mz_spin_identity(const struct mz_fiber *fiber, struct mz_state *state);

/* See state.h. */
void mz_spin_store(struct mz_state *state);
void mz_spin_load(struct mz_state *state);

#endif
