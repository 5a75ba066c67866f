/* SPDX-License-Identifier: MIT
 *
 * malloc and its relatives. Who asks decides where memory comes from: modules that are rolled back use the heap of
 * runtime/heap.h, the C library and its kin their own allocator. Where a block came from decides how it is freed.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/heap.h"
#include "runtime/access.h"
#include "runtime/image.h"
#include "runtime/real.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* Whose region serves this call; NULL: the C library does. */
static struct mz_fiber *owner(uintptr_t caller)
{
	if (!mz_heap_active() || !mz_image_owns_code(caller)) return NULL;
	return mz_current ? mz_current : &mz_rt.fibers[0];
}

/* Outside an execution (before the first, or around mz_check()) there are real threads. */
static int heap_lock;

static void lock(void)
{
	while (!mz_current && __atomic_exchange_n(&heap_lock, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void unlock(void)
{
	if (!mz_current) __atomic_store_n(&heap_lock, 0, __ATOMIC_RELEASE);
}

static void *from_heap(struct mz_fiber *fiber, size_t size, size_t alignment, uintptr_t caller)
{
	lock();
	void *block = mz_heap_alloc(fiber, size, alignment, caller);
	unlock();
	if (!block) errno = ENOMEM;
	return block;
}

static void *allocate(size_t size, uintptr_t caller)
{
	struct mz_fiber *fiber = owner(caller);
	return fiber ? from_heap(fiber, size, 16, caller) : __libc_malloc(size);
}

static void *allocate_aligned(size_t alignment, size_t size, uintptr_t caller)
{
	struct mz_fiber *fiber = owner(caller);
	return fiber ? from_heap(fiber, size, alignment, caller) : __libc_memalign(alignment, size);
}

static void in_heap_free(void *block, uintptr_t caller)
{
	lock();
	mz_heap_free(mz_current ? mz_current : &mz_rt.fibers[0], block, caller);
	unlock();
}

static void release(void *block, uintptr_t caller)
{
	if (!mz_heap_holds((uintptr_t)block))
		__libc_free(block);
	else
		in_heap_free(block, caller);
}

static void *resize(void *block, size_t size, uintptr_t caller)
{
	if (!block) return allocate(size, caller);
	if (!mz_heap_holds((uintptr_t)block)) return __libc_realloc(block, size);
	if (size == 0) {
		release(block, caller);
		return NULL;
	}
	lock();
	void *moved = mz_heap_realloc(mz_current ? mz_current : &mz_rt.fibers[0], block, size, caller);
	unlock();
	if (!moved) errno = ENOMEM;
	return moved;
}

MZ_EXPORT void *malloc(size_t size)
{
	return allocate(size, MZ_CALLER());
}

MZ_EXPORT void *calloc(size_t n, size_t size)
{
	size_t total;
	struct mz_fiber *fiber = owner(MZ_CALLER());
	if (!fiber) return __libc_calloc(n, size);
	if (__builtin_mul_overflow(n, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return from_heap(fiber, total, 16, MZ_CALLER()); /* fresh memory is zero */
}

void *mz_entry_realloc(void *block, size_t size);
void *mz_entry_realloc(void *block, size_t size)
{
	return resize(block, size, MZ_CALLER());
}

void *mz_entry_reallocarray(void *block, size_t n, size_t size);
void *mz_entry_reallocarray(void *block, size_t n, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(n, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return resize(block, total, MZ_CALLER());
}

void mz_entry_free(void *block);
void mz_entry_free(void *block)
{
	if (block) release(block, MZ_CALLER());
}

MZ_EXPORT void *memalign(size_t alignment, size_t size)
{
	return allocate_aligned(alignment, size, MZ_CALLER());
}

MZ_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return allocate_aligned(alignment, size, MZ_CALLER());
}

MZ_EXPORT void *valloc(size_t size)
{
	return allocate_aligned(4096, size, MZ_CALLER());
}

MZ_EXPORT int posix_memalign(void **result, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
	void *block = allocate_aligned(alignment, size, MZ_CALLER());
	if (!block) return ENOMEM;
	*result = block;
	return 0;
}

MZ_EXPORT size_t malloc_usable_size(void *block)
{
	if (!block) return 0;
	return mz_heap_holds((uintptr_t)block) ? mz_heap_size(block) : MZ_REAL(malloc_usable_size)(block);
}

static char *duplicate(const char *text, size_t length, uintptr_t caller)
{
	char *copy = allocate(length + 1, caller);
	if (!copy) return NULL;
	MZ_REAL(memcpy)(copy, text, length);
	copy[length] = 0;
	return copy;
}

static void read_text(const char *text, size_t size, uintptr_t caller)
{
	if (mz_current && mz_image_owns_code(caller)) mz_plain(mz_current, (uintptr_t)text, size, false, caller);
}

#undef strdup
#undef strndup
char *mz_entry_strdup(const char *text);
char *mz_entry_strdup(const char *text)
{
	read_text(text, MZ_REAL(strlen)(text) + 1, MZ_CALLER());
	return duplicate(text, MZ_REAL(strlen)(text), MZ_CALLER());
}

char *mz_entry_strndup(const char *text, size_t size);
char *mz_entry_strndup(const char *text, size_t size)
{
	size_t length = MZ_REAL(strnlen)(text, size);
	read_text(text, length < size ? length + 1 : size, MZ_CALLER());
	return duplicate(text, MZ_REAL(strnlen)(text, size), MZ_CALLER());
}
