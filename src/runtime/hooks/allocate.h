/* SPDX-License-Identifier: MIT
 *
 * Memory for whoever asks: modules that are rolled back use the heap of runtime/heap.h, the C library and its kin their
 * own allocator. Where a block came from decides how it is freed.
 */
#ifndef MZ_RUNTIME_HOOKS_ALLOCATE_H
#define MZ_RUNTIME_HOOKS_ALLOCATE_H

#include "runtime/watch/watch.h"
#include "runtime/world/world.h"

/* NULL with errno set when there is none, or when it is to fail. */
void *mz_allocate(const struct mz_heap_request *request, enum mz_fault fault);
/* From the program's heap, whatever is to fail; NULL with errno set if there is no room. */
void *mz_allocate_surely(const struct mz_heap_request *request);
void *mz_resize(void *block, size_t size, uintptr_t caller);
/* NULL is nothing. */
void mz_release(void *block, const struct mz_heap_release *release);
/* Whether memory for that caller comes from runtime/heap.h. */
bool mz_allocates_for(uintptr_t caller);

#endif
