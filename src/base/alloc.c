/* SPDX-License-Identifier: MIT
 *
 * In the library that is loaded into the program under test, malloc is ours and serves the program: there (MZ_RUNTIME)
 * we call the C library's own allocator.
 */
#include "base/alloc.h"
#include <stdbool.h>
#include <stdlib.h>

#ifdef MZ_RUNTIME
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
struct mz_c_allocator mz_c_allocator = {__libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_free};
#define real_malloc mz_c_allocator.malloc
#define real_realloc mz_c_allocator.realloc
#define real_free mz_c_allocator.free
#else
#define real_malloc malloc
#define real_realloc realloc
#define real_free free
#endif

#ifdef MZ_FAULTS
static uint64_t allocations_left;
static bool failing;

void mz_alloc_fail_at(uint64_t n)
{
	allocations_left = n;
	failing = n != 0;
}

static bool fault(void)
{
	if (!failing) return false;
	if (allocations_left > 0) allocations_left--;
	return allocations_left == 0;
}
#else
static bool fault(void)
{
	return false;
}
#endif

void *mz_alloc(size_t size)
{
	return fault() ? NULL : real_malloc(size ? size : 1);
}

void *mz_realloc(void *block, size_t size)
{
	return fault() ? NULL : real_realloc(block, size ? size : 1);
}

void mz_free(void *block)
{
	real_free(block);
}
