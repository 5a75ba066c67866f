/* SPDX-License-Identifier: MIT
 *
 * The functions that code compiled with -fsanitize=thread calls for plain accesses, function entry and exit. Those for
 * atomics are in atomic.c. Called before the access, through entry.S.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do. Outside an execution they do nothing.
 */
#include "runtime/watch/watch.h"

#define PLAIN(name, size, write)                                                                                       \
	void mz_entry___tsan_##name(void *address);                                                                    \
	void mz_entry___tsan_##name(void *address)                                                                     \
	{                                                                                                              \
		if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, write, MZ_CALLER());                    \
	}

#define VOLATILE(name, size, write)                                                                                    \
	void mz_entry___tsan_##name(void *address);                                                                    \
	void mz_entry___tsan_##name(void *address)                                                                     \
	{                                                                                                              \
		if (mz_current)                                                                                        \
			mz_plain_volatile(mz_current, (uintptr_t)address, size, write, MZ_NOTED_CALLER(mz_current));   \
	}

/* A read and a write: two accesses that others can come between. */
#define BOTH(name, size)                                                                                               \
	void mz_entry___tsan_##name(void *address);                                                                    \
	void mz_entry___tsan_##name(void *address)                                                                     \
	{                                                                                                              \
		if (!mz_current) return;                                                                               \
		mz_plain(mz_current, (uintptr_t)address, size, false, MZ_CALLER());                                    \
		mz_plain(mz_current, (uintptr_t)address, size, true, MZ_CALLER());                                     \
	}

#define ALL(size)                                                                                                      \
	PLAIN(read##size, size, false)                                                                                 \
	PLAIN(write##size, size, true)                                                                                 \
	PLAIN(unaligned_read##size, size, false)                                                                       \
	PLAIN(unaligned_write##size, size, true)                                                                       \
	VOLATILE(volatile_read##size, size, false)                                                                     \
	VOLATILE(volatile_write##size, size, true)                                                                     \
	VOLATILE(unaligned_volatile_read##size, size, false)                                                           \
	VOLATILE(unaligned_volatile_write##size, size, true)                                                           \
	BOTH(read_write##size, size)                                                                                   \
	BOTH(unaligned_read_write##size, size)

ALL(1)
ALL(2)
ALL(4)
ALL(8)
ALL(16)

/* The same with the place in the code passed explicitly. */
#define WITH_PC(name, size, write)                                                                                     \
	MZ_EXPORT void __tsan_##name##_pc(void *address, void *pc);                                                    \
	MZ_EXPORT void __tsan_##name##_pc(void *address, void *pc)                                                     \
	{                                                                                                              \
		if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, write, (uintptr_t)pc);                  \
	}

WITH_PC(read1, 1, false)
WITH_PC(read2, 2, false)
WITH_PC(read4, 4, false)
WITH_PC(read8, 8, false)
WITH_PC(read16, 16, false)
WITH_PC(write1, 1, true)
WITH_PC(write2, 2, true)
WITH_PC(write4, 4, true)
WITH_PC(write8, 8, true)
WITH_PC(write16, 16, true)

void mz_entry___tsan_read_range(void *address, unsigned long size);
void mz_entry___tsan_read_range(void *address, unsigned long size)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, false, MZ_CALLER());
}

void mz_entry___tsan_write_range(void *address, unsigned long size);
void mz_entry___tsan_write_range(void *address, unsigned long size)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, true, MZ_CALLER());
}

/* An object's table of virtual functions: constructors and destructors write it, mostly with what is there. */
void mz_entry___tsan_vptr_update(void **address, void *value);
void mz_entry___tsan_vptr_update(void **address, void *value)
{
	if (mz_current && *address != value)
		mz_plain(mz_current, (uintptr_t)address, sizeof *address, true, MZ_CALLER());
}

void mz_entry___tsan_vptr_read(void **address);
void mz_entry___tsan_vptr_read(void **address)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)address, sizeof *address, false, MZ_CALLER());
}

MZ_EXPORT void __tsan_init(void);
MZ_EXPORT void __tsan_init(void)
{
}

MZ_EXPORT void __tsan_func_entry(void *caller);
MZ_EXPORT void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void mz_entry___tsan_func_exit(void);
void mz_entry___tsan_func_exit(void)
{
	struct mz_fiber *self = mz_current;
	const uintptr_t caller = MZ_CALLER();
	const uintptr_t sp = mz_caller_stack(caller, (uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa());
	if (self && MZ_UNLIKELY(sp >= self->frames_from)) mz_stacks_exit(self, sp, caller);
}

MZ_EXPORT void __tsan_ignore_thread_begin(void);
MZ_EXPORT void __tsan_ignore_thread_begin(void)
{
	if (mz_current) mz_current->ignores_accesses++;
}

MZ_EXPORT void __tsan_ignore_thread_end(void);
MZ_EXPORT void __tsan_ignore_thread_end(void)
{
	if (mz_current && mz_current->ignores_accesses) mz_current->ignores_accesses--;
}
