/* SPDX-License-Identifier: MIT
 *
 * The functions that code compiled with -fsanitize=thread calls for plain accesses, function entry and exit. Those for
 * atomics are in atomic.c. Called before the access.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do. Outside an execution they do nothing.
 */
#include "runtime/access.h"

#define PLAIN(name, size, write)                                                                                       \
	MZ_EXPORT void __tsan_##name(void *address);                                                                   \
	MZ_EXPORT void __tsan_##name(void *address)                                                                    \
	{                                                                                                              \
		if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, write, MZ_CALLER());                    \
	}

/* Reads are places that a thread may be found to have come back to: they begin in entry.S. */
#define PLAIN_READ(name, size)                                                                                         \
	void mz_entry___tsan_##name(void *address);                                                                    \
	void mz_entry___tsan_##name(void *address)                                                                     \
	{                                                                                                              \
		if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, false, MZ_CALLER());                    \
	}

#define VOLATILE_READ(name, size)                                                                                      \
	void mz_entry___tsan_##name(void *address);                                                                    \
	void mz_entry___tsan_##name(void *address)                                                                     \
	{                                                                                                              \
		if (mz_current) mz_plain_volatile(mz_current, (uintptr_t)address, size, false, MZ_CALLER());           \
	}

#define VOLATILE(name, size, write)                                                                                    \
	MZ_EXPORT void __tsan_##name(void *address);                                                                   \
	MZ_EXPORT void __tsan_##name(void *address)                                                                    \
	{                                                                                                              \
		if (mz_current) mz_plain_volatile(mz_current, (uintptr_t)address, size, write, MZ_CALLER());           \
	}

/* Read, then written: two accesses that others can come between. */
#define BOTH(name, size)                                                                                               \
	MZ_EXPORT void __tsan_##name(void *address);                                                                   \
	MZ_EXPORT void __tsan_##name(void *address)                                                                    \
	{                                                                                                              \
		if (!mz_current) return;                                                                               \
		mz_plain(mz_current, (uintptr_t)address, size, false, MZ_CALLER());                                    \
		mz_plain(mz_current, (uintptr_t)address, size, true, MZ_CALLER());                                     \
	}

#define ALL(size)                                                                                                      \
	PLAIN_READ(read##size, size)                                                                                   \
	PLAIN(write##size, size, true)                                                                                 \
	PLAIN_READ(unaligned_read##size, size)                                                                         \
	PLAIN(unaligned_write##size, size, true)                                                                       \
	VOLATILE_READ(volatile_read##size, size)                                                                       \
	VOLATILE(volatile_write##size, size, true)                                                                     \
	VOLATILE_READ(unaligned_volatile_read##size, size)                                                             \
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

MZ_EXPORT void __tsan_read_range(void *address, unsigned long size);
MZ_EXPORT void __tsan_read_range(void *address, unsigned long size)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, false, MZ_CALLER());
}

MZ_EXPORT void __tsan_write_range(void *address, unsigned long size);
MZ_EXPORT void __tsan_write_range(void *address, unsigned long size)
{
	if (mz_current) mz_plain(mz_current, (uintptr_t)address, size, true, MZ_CALLER());
}

/* An object's table of virtual functions: constructors and destructors write it, mostly with what is there. */
MZ_EXPORT void __tsan_vptr_update(void **address, void *value);
MZ_EXPORT void __tsan_vptr_update(void **address, void *value)
{
	if (mz_current && *address != value)
		mz_plain(mz_current, (uintptr_t)address, sizeof *address, true, MZ_CALLER());
}

MZ_EXPORT void __tsan_vptr_read(void **address);
MZ_EXPORT void __tsan_vptr_read(void **address)
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

MZ_EXPORT void __tsan_func_exit(void);
MZ_EXPORT void __tsan_func_exit(void)
{
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
