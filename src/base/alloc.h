/* SPDX-License-Identifier: MIT
 *
 * All memory of Mazurka's own comes from here: never from the malloc of the program under test, which Mazurka replaces.
 * Built with MZ_FAULTS, the n-th allocation fails on demand.
 */
#ifndef MZ_BASE_ALLOC_H
#define MZ_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Allocates, resizes and frees a block, as malloc(), realloc() and free() do. mz_alloc() and mz_realloc() return NULL
 * when there is no memory. A size of 0 is allowed. */
void *mz_alloc(size_t size);
void *mz_realloc(void *block, size_t size);
void mz_free(void *block);

#ifdef MZ_RUNTIME
/* The allocator of the C library, by its internal names. Other allocators define these as well (mimalloc does), so
 * where it matters runtime/core/real.c looks for them in the C library itself. */
extern struct mz_c_allocator {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *block, size_t size);
	void *(*memalign)(size_t alignment, size_t size);
	void (*free)(void *block);
} mz_c_allocator;
#endif

#ifdef MZ_FAULTS
/* Makes the n-th allocation from now on fail (1 is the next one), and all after it. 0: none fails. */
void mz_alloc_fail_at(uint64_t n);
#endif

#endif
