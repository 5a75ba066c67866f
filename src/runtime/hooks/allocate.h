/* SPDX-License-Identifier: MIT
 *
 * Allocation for all callers: modules that are rolled back get memory of the program's heap (memory/heap.h), the C
 * library and its kin that of their own allocator. Where a block came from decides how it is freed.
 */
#ifndef MZ_RUNTIME_HOOKS_ALLOCATE_H
#define MZ_RUNTIME_HOOKS_ALLOCATE_H

#include "runtime/watch/watch.h"
#include "runtime/world/world.h"

/* Allocates a block. Returns NULL with errno set if there is no memory, or if the call is made to fail (`fault`). */
void *mz_allocate(const struct mz_heap_request *request, enum mz_fault fault);
/* Allocates from the program's heap, and is never made to fail. Returns NULL with errno set if there is no room. */
void *mz_allocate_surely(const struct mz_heap_request *request);
/* Allocates a copy of `length` bytes that ends with NUL, as strdup() does. */
char *mz_duplicate(const char *text, size_t length, uintptr_t caller);
void *mz_resize(void *block, size_t size, uintptr_t caller);
/* Frees a block; nothing if it is NULL. */
/* Makes room for `wanted` bytes where getline() is given a block, or NULL, and its size. Returns false if there is no memory. */
bool mz_line_room(char **line, size_t *size, size_t wanted, uintptr_t caller);
void mz_release(void *block, const struct mz_heap_release *release);
/* Reports whether memory for that caller comes from the program's heap (memory/heap.h). */
bool mz_allocates_for(uintptr_t caller);

#endif
