/* SPDX-License-Identifier: MIT
 *
 * Allocating and freeing, as operations of the program's threads on its heap (heap.h).
 */
#ifndef MZ_RUNTIME_WATCH_ALLOCATION_H
#define MZ_RUNTIME_WATCH_ALLOCATION_H

#include "runtime/memory/memory.h"

/* As malloc, realloc and free. The first two return NULL if there is no room. */
void *mz_heap_alloc(struct mz_fiber *self, const struct mz_heap_request *request);
void *mz_heap_realloc(struct mz_fiber *self, void *block, size_t size, uintptr_t caller);
void mz_heap_free(struct mz_fiber *self, void *block, const struct mz_heap_release *release);

#endif
