/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a use of the heap (heap.h).
 */
#ifndef MZ_RUNTIME_WATCH_HEAP_WRONG_H
#define MZ_RUNTIME_WATCH_HEAP_WRONG_H

#include "runtime/memory/memory.h"

/* Reports an access to what is not, or no longer, allocated. */
void mz_heap_check_slow(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);

/* Reports the use of a synchronization object that is not, or no longer, allocated, or that nobody initialised. Whether
 * there was nothing to report. */
bool mz_heap_check_object(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

/* Report what is wrong with a call. */
void mz_heap_report_double_free(struct mz_fiber *self, void *block, uintptr_t caller);
void mz_heap_report_bad_free(struct mz_fiber *self, void *block, uintptr_t caller);
/* The block is released in another way than it was allocated, or holds what is in use. */
void mz_heap_check_free(struct mz_fiber *self, void *block, const struct mz_heap_release *release);

#endif
