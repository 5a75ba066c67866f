/* SPDX-License-Identifier: MIT
 *
 * Findings about uses of the heap (heap.h): accesses out of bounds or after free, bad calls of free.
 */
#ifndef MZ_RUNTIME_WATCH_HEAP_WRONG_H
#define MZ_RUNTIME_WATCH_HEAP_WRONG_H

#include "runtime/memory/memory.h"

/* Reports an access to memory that is not, or no longer, allocated; nothing if the access is allowed after all. */
void mz_heap_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);

/* Reports the use of a synchronization object in memory that is not, or no longer, allocated, or that was not
 * initialised. Returns true if there was nothing to report. */
bool mz_heap_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

/* Report that a block is freed twice; that what is freed is no block. */
void mz_heap_report_double_free(struct mz_fiber *self, void *block, uintptr_t caller);
void mz_heap_report_bad_free(struct mz_fiber *self, void *block, uintptr_t caller);
/* Reports if a block is released in another way than it was allocated (`delete` of malloc), or contains an object that
 * is in use. */
void mz_heap_check_free(struct mz_fiber *self, void *block, const struct mz_heap_release *release);

#endif
