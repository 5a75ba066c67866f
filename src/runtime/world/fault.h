/* SPDX-License-Identifier: MIT
 *
 * Calls that fail because the user wants to see what happens then (--fail). Each is a choice of the thread that calls;
 * what it may choose depends on its own past alone.
 */
#ifndef MZ_RUNTIME_WORLD_FAULT_H
#define MZ_RUNTIME_WORLD_FAULT_H

#include "runtime/core/core.h"
#include "trace/fault.h"

/* Makes the choice whether the call fails. For mz_fails(), which asks first whether there is a choice. */
bool mz_fault_choose(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller);

/* Reports whether a call fails this time. `self` is NULL if the call is not the program's, or outside of an
 * execution. */
static inline bool mz_fails(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller)
{
	return MZ_UNLIKELY(mz_rt.mode.faults >> fault & 1) && self && mz_fault_choose(self, fault, caller);
}

/* The same for calls that a program repeats when they fail (EINTR): the repeated call does not fail, so that trying has
 * an end. */
bool mz_fails_once(struct mz_fiber *self, enum mz_fault fault, uintptr_t caller);

/* Returns how many of `size` bytes a call reads or writes: all, or half of them if it is made to fail. */
static inline size_t mz_fault_shorten(struct mz_fiber *self, enum mz_fault fault, size_t size, uintptr_t caller)
{
	return size > 1 && mz_fails(self, fault, caller) ? size / 2 : size;
}

#endif
