/* SPDX-License-Identifier: MIT
 *
 * new and delete of C++, in all their forms, so that a block is known by who asked for it, and that what belongs
 * together is used together. What a program defines itself comes before these.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"

/* Calls the C++ library's own operator with a size that it cannot serve: it calls the new-handler, and throws in the
 * end. */
static void *out_of_memory(uint8_t family)
{
	void *(*real)(size_t) = (void *(*)(size_t))mz_real_find(family == MZ_HEAP_NEW ? "_Znwm" : "_Znam");
	return real(PTRDIFF_MAX);
}

static void *allocate(size_t size, size_t alignment, uint8_t family, uintptr_t caller)
{
	return mz_allocate(
	    &(struct mz_heap_request){.size = size, .alignment = alignment, .family = family, .caller = caller},
	    MZ_FAULT_NEW);
}

static void *allocate_or_throw(size_t size, size_t alignment, uint8_t family, uintptr_t caller)
{
	void *block = allocate(size, alignment, family, caller);
	return block ? block : out_of_memory(family);
}

static void release(void *block, uint8_t family, bool aligned, bool sized, size_t size, uintptr_t caller)
{
	mz_release(block, &(struct mz_heap_release){
	                      .family = family, .aligned = aligned, .sized = sized, .size = size, .caller = caller});
}

/* Defines the function that the entry with this mangled name goes on to. `arguments` are the parameters
 * of its declaration, in parentheses. */
#define NAMED(type, name, mangled, arguments)                                                                          \
	type mz_##name arguments __asm__("mz_entry_" mangled);                                                         \
	type mz_##name arguments

/* `w` or `a`, `l` or `a`: the letter that stands for the single form or that of arrays. */
#define FAMILY(name, family, new, delete)                                                                              \
	NAMED(void *, name, "_Zn" new "m", (size_t size))                                                              \
	{                                                                                                              \
		return allocate_or_throw(size, 0, family, MZ_CALLER());                                                \
	}                                                                                                              \
	NAMED(void *, name##_nothrow, "_Zn" new "mRKSt9nothrow_t", (size_t size, const void *unused))                  \
	{                                                                                                              \
		(void)unused;                                                                                          \
		return allocate(size, 0, family, MZ_CALLER());                                                         \
	}                                                                                                              \
	NAMED(void *, name##_aligned, "_Zn" new "mSt11align_val_t", (size_t size, size_t alignment))                   \
	{                                                                                                              \
		return allocate_or_throw(size, alignment, family, MZ_CALLER());                                        \
	}                                                                                                              \
	NAMED(void *, name##_aligned_nothrow, "_Zn" new "mSt11align_val_tRKSt9nothrow_t",                              \
	      (size_t size, size_t alignment, const void *unused))                                                     \
	{                                                                                                              \
		(void)unused;                                                                                          \
		return allocate(size, alignment, family, MZ_CALLER());                                                 \
	}                                                                                                              \
	NAMED(void, name##_delete, "_Zd" delete "Pv", (void *block))                                                   \
	{                                                                                                              \
		release(block, family, false, false, 0, MZ_CALLER());                                                  \
	}                                                                                                              \
	NAMED(void, name##_delete_nothrow, "_Zd" delete "PvRKSt9nothrow_t", (void *block, const void *unused))         \
	{                                                                                                              \
		(void)unused;                                                                                          \
		release(block, family, false, false, 0, MZ_CALLER());                                                  \
	}                                                                                                              \
	NAMED(void, name##_delete_sized, "_Zd" delete "Pvm", (void *block, size_t size))                               \
	{                                                                                                              \
		release(block, family, false, true, size, MZ_CALLER());                                                \
	}                                                                                                              \
	NAMED(void, name##_delete_aligned, "_Zd" delete "PvSt11align_val_t", (void *block, size_t alignment))          \
	{                                                                                                              \
		release(block, family, alignment > 16, false, 0, MZ_CALLER());                                         \
	}                                                                                                              \
	NAMED(void, name##_delete_aligned_nothrow, "_Zd" delete "PvSt11align_val_tRKSt9nothrow_t",                     \
	      (void *block, size_t alignment, const void *unused))                                                     \
	{                                                                                                              \
		(void)unused;                                                                                          \
		release(block, family, alignment > 16, false, 0, MZ_CALLER());                                         \
	}                                                                                                              \
	NAMED(void, name##_delete_sized_aligned, "_Zd" delete "PvmSt11align_val_t",                                    \
	      (void *block, size_t size, size_t alignment))                                                            \
	{                                                                                                              \
		release(block, family, alignment > 16, true, size, MZ_CALLER());                                       \
	}

FAMILY(new, MZ_HEAP_NEW, "w", "l")
FAMILY(new_array, MZ_HEAP_NEW_ARRAY, "a", "a")
