/* SPDX-License-Identifier: MIT
 *
 * malloc and its relatives.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "base/alloc.h"
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

MZ_HOOKS_DECLARE(HEAP)

bool mz_allocates_for(uintptr_t caller)
{
	return mz_heap_active() && (mz_image_owns_code(caller) || (mz_current && mz_current->lends_heap));
}

/* Returns the thread whose region serves a call. */
static struct mz_fiber *owner(void)
{
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

static void *from_c_library(const struct mz_heap_request *request)
{
	if (request->zero) return mz_c_allocator.calloc(1, request->size);
	if (request->alignment) return mz_c_allocator.memalign(request->alignment, request->size);
	return mz_c_allocator.malloc(request->size);
}

/* Reports whether an allocation is made to fail. One that is too large fails anyway, and is no choice. */
static bool may_fail(size_t size, enum mz_fault fault, uintptr_t caller)
{
	return size <= mz_heap_most(owner()) && mz_fails(mz_current, fault, caller);
}

void *mz_allocate(const struct mz_heap_request *request, enum mz_fault fault)
{
	if (!mz_allocates_for(request->caller)) return from_c_library(request);
	if (may_fail(request->size, fault, request->caller)) {
		errno = ENOMEM;
		return NULL;
	}
	return mz_allocate_surely(request);
}

void *mz_allocate_surely(const struct mz_heap_request *request)
{
	lock();
	void *block = mz_heap_alloc(owner(), request);
	unlock();
	if (!block) errno = ENOMEM;
	if (block && MZ_UNLIKELY(mz_inputs_space)) mz_shadow_fill((uintptr_t)block, request->size, 0);
	return block;
}

/* Reports whether the address is of a variable of the program. */
static bool is_variable(uintptr_t address)
{
	return address - MZ_LAYOUT_STACKS < MZ_SESSION_THREADS * MZ_LAYOUT_STACK_SLOT || mz_image_holds(address);
}

void mz_release(void *block, const struct mz_heap_release *release)
{
	if (!block) return;
	if (MZ_UNLIKELY(mz_inputs_space)) mz_follow_end(); /* while the block is there */
	if (mz_heap_holds((uintptr_t)block)) {
		if (MZ_UNLIKELY(mz_rt.seen.leaves_stacks) && mz_current)
			mz_attributes_release(mz_current, (uintptr_t)block, mz_heap_size(block), release->caller);
		lock();
		mz_heap_free(owner(), block, release);
		unlock();
	} else if (mz_current && mz_image_owns_code(release->caller) && is_variable((uintptr_t)block)) {
		mz_heap_report_bad_free(mz_current, block, release->caller);
	} else {
		mz_c_allocator.free(block);
	}
}

/* Moves the shadows of a block of `from` bytes with it, to where it has `to` bytes now. */
static void move_shadows(uintptr_t moved, uintptr_t block, size_t to, size_t from)
{
	size_t both = from < to ? from : to;
	mz_follow_end();
	if (moved != block) mz_shadow_copy(moved, block, both);
	if (to > both) mz_shadow_fill(moved + both, to - both, 0);
}

void *mz_resize(void *block, size_t size, uintptr_t caller)
{
	if (!block) return mz_allocate(&(struct mz_heap_request){.size = size, .caller = caller}, MZ_FAULT_REALLOC);
	if (!mz_heap_holds((uintptr_t)block)) return mz_c_allocator.realloc(block, size);
	if (size == 0) {
		mz_release(block, &(struct mz_heap_release){.caller = caller});
		return NULL;
	}
	if (mz_image_owns_code(caller) && may_fail(size, MZ_FAULT_REALLOC, caller)) {
		errno = ENOMEM;
		return NULL;
	}
	lock();
	size_t before = mz_heap_size(block);
	void *moved = mz_heap_realloc(owner(), block, size, caller);
	unlock();
	if (!moved) errno = ENOMEM;
	if (moved && MZ_UNLIKELY(mz_inputs_space)) move_shadows((uintptr_t)moved, (uintptr_t)block, size, before);
	return moved;
}

void *mz_entry_malloc(size_t size)
{
	return mz_allocate(&(struct mz_heap_request){.size = size, .caller = MZ_CALLER()}, MZ_FAULT_MALLOC);
}

void *mz_entry_calloc(size_t n, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(n, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return mz_allocate(&(struct mz_heap_request){.size = total, .zero = true, .caller = MZ_CALLER()},
	                   MZ_FAULT_CALLOC);
}

void *mz_entry_realloc(void *block, size_t size)
{
	return mz_resize(block, size, MZ_CALLER());
}

void *mz_entry_reallocarray(void *block, size_t n, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(n, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return mz_resize(block, total, MZ_CALLER());
}

void mz_entry_free(void *block)
{
	mz_release(block, &(struct mz_heap_release){.caller = MZ_CALLER()});
}

static void *aligned(size_t alignment, size_t size, uintptr_t caller)
{
	return mz_allocate(&(struct mz_heap_request){.size = size, .alignment = alignment, .caller = caller},
	                   MZ_FAULT_ALIGNED_ALLOC);
}

/* The C library takes any alignment and rounds it up. */
void *mz_entry_memalign(size_t alignment, size_t size)
{
	size_t power = sizeof(void *);
	while (power < alignment && power <= SIZE_MAX / 4) power *= 2;
	return aligned(power, size, MZ_CALLER());
}

void *mz_entry_aligned_alloc(size_t alignment, size_t size)
{
	if (!alignment || alignment & (alignment - 1)) {
		errno = EINVAL;
		return NULL;
	}
	return aligned(alignment, size, MZ_CALLER());
}

#define PAGE 4096UL

void *mz_entry_valloc(size_t size)
{
	return aligned(PAGE, size, MZ_CALLER());
}

void *mz_entry_pvalloc(size_t size)
{
	return aligned(PAGE, (size + PAGE - 1) & ~(PAGE - 1), MZ_CALLER());
}

int mz_entry_posix_memalign(void **result, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
	int before = errno;
	void *block = aligned(alignment, size, MZ_CALLER());
	errno = before; /* posix_memalign returns the error and leaves errno alone */
	if (!block) return ENOMEM;
	*result = block;
	return 0;
}

MZ_EXPORT size_t malloc_usable_size(void *block)
{
	if (!block) return 0;
	return mz_heap_holds((uintptr_t)block) ? mz_heap_size(block) : MZ_REAL(malloc_usable_size)(block);
}

char *mz_duplicate(const char *text, size_t length, uintptr_t caller)
{
	char *copy = mz_allocate(&(struct mz_heap_request){.size = length + 1, .caller = caller}, MZ_FAULT_STRDUP);
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
char *mz_entry_strdup(const char *text)
{
	read_text(text, MZ_REAL(strlen)(text) + 1, MZ_CALLER());
	return mz_duplicate(text, MZ_REAL(strlen)(text), MZ_CALLER());
}

char *mz_entry_strndup(const char *text, size_t size)
{
	size_t length = MZ_REAL(strnlen)(text, size);
	read_text(text, length < size ? length + 1 : size, MZ_CALLER());
	return mz_duplicate(text, MZ_REAL(strnlen)(text, size), MZ_CALLER());
}
