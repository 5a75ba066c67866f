/* SPDX-License-Identifier: MIT
 *
 * Calls that fail because the user wants to see what happens then (--fail). Each is a choice of the thread that calls;
 * what it may choose depends on its own past alone.
 */
#ifndef MZ_RUNTIME_WORLD_FAULT_H
#define MZ_RUNTIME_WORLD_FAULT_H

#include "runtime/core/core.h"
#include "trace/fault.h"

bool mz_fault_choose(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller);

/* Whether the call fails this time. `self` is NULL where it is not the program's, or not within an execution. */
static inline bool mz_fails(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller)
{
	return MZ_UNLIKELY(mz_rt.mode.faults >> fault & 1) && self && mz_fault_choose(self, fault, caller);
}

/* The same for what a program tries again at once: a call that was interrupted is not interrupted a second time when it
 * is repeated, so that trying has an end. */
bool mz_fails_once(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller);

/* How many of so many bytes are to be read or written: all, or half of them. */
static inline size_t mz_fault_shorten(struct mz_fiber *self, enum mz_fault fault, size_t size, uintptr_t caller)
{
	return size > 1 && mz_fails(self, fault, caller) ? size / 2 : size;
}

#endif
