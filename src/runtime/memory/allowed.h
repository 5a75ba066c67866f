/* SPDX-License-Identifier: MIT
 *
 * Whether memory that the program touches is its to touch: blocks of the heap (heap.h), and stacks. A stack is gone
 * when its thread has ended, and a frame when its function has returned: that is seen as long as the thread which had
 * it stands still at a call with its stack pointer above.
 */
#ifndef MZ_RUNTIME_MEMORY_ALLOWED_H
#define MZ_RUNTIME_MEMORY_ALLOWED_H

#include "runtime/memory/heap.h"

#define MZ_STACKS_SIZE (MZ_SESSION_THREADS * MZ_LAYOUT_STACK_SLOT)

_Static_assert(MZ_LAYOUT_HEAP_OTHERS + MZ_SESSION_THREADS * MZ_LAYOUT_HEAP_REGION == MZ_LAYOUT_HEAP_END,
               "one for each");
_Static_assert(MZ_LAYOUT_HEAP_END <= MZ_LAYOUT_STACKS, "heaps, then stacks");

/* Reports whether the address is in a heap or on a stack. All other memory counts as allowed. */
static inline bool mz_memory_holds(uintptr_t address)
{
	return address - MZ_LAYOUT_HEAP < MZ_LAYOUT_STACKS + MZ_STACKS_SIZE - MZ_LAYOUT_HEAP;
}

/* Reports whether an access is certainly allowed. If not, mz_memory_check_slow() decides. */
static inline bool mz_memory_allows(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	if (!mz_memory_holds(address)) return true;
	if (address >= MZ_LAYOUT_STACKS) return mz_fiber_is_home(self, (const void *)address);
	return mz_heap_allows(address, size);
}

/* Reports an access to memory that the program must not touch. An access to a stack ends the thread: what it would read
 * is unknown, and what it would write to may be the runtime's. */
MZ_NOINLINE void mz_memory_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write,
                                      uintptr_t caller);

/* Reports an access that is not allowed, as above; called for every access. */
static inline void mz_memory_check(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller)
{
	if (!mz_memory_allows(self, address, size)) mz_memory_check_slow(self, address, size, write, caller);
}

/* Reports accesses of other threads to frames of SELF below `sp`, from which SELF has returned, that might have come
 * after the return. */
MZ_COLD void mz_stacks_returned(struct mz_fiber *self, uintptr_t sp, uintptr_t place);

/* SELF creates a thread: from now on the ends of its frames are noted, those above its stack pointer. */
void mz_stacks_share(struct mz_fiber *self);
/* Notes that the function in which SELF has this stack pointer ends, and reports what mz_stacks_returned() does. */
MZ_NOINLINE void mz_stacks_exit(struct mz_fiber *self, uintptr_t sp, uintptr_t place);

/* Reports the use of a synchronization object on a stack that is gone. Returns true if there was nothing to report. */
bool mz_stacks_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

#endif
