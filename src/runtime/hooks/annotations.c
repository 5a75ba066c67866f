/* SPDX-License-Identifier: MIT
 *
 * What programs call by themselves when they are built with -fsanitize=thread (<sanitizer/tsan_interface.h>): where
 * they acquire and release something, and locks of their own making. Both are order for data races; neither is a step,
 * for what such a lock does is seen anyway. Fibers, and objects of libraries, are what the program sees to itself.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do. Outside an execution they do nothing.
 */
#include "runtime/core/core.h"
#include "runtime/watch/watch.h"

static void acquires(const void *address)
{
	if (mz_current && mz_rt.mode.finds_races)
		mz_race_acquire(mz_current, &mz_object_find((uintptr_t)address)->clock);
}

static void releases(const void *address)
{
	if (mz_current && mz_rt.mode.finds_races)
		mz_race_publish(mz_current, &mz_object_find((uintptr_t)address)->clock);
}

/* A function of that interface: its name, its parameters, what it does. */
#define ANNOTATION(type, name, parameters, ...)                                                                        \
	MZ_EXPORT type name parameters;                                                                                \
	MZ_EXPORT type name parameters                                                                                 \
	{                                                                                                              \
		__VA_ARGS__;                                                                                           \
	}

ANNOTATION(void, __tsan_acquire, (void *address), acquires(address))
ANNOTATION(void, __tsan_release, (void *address), releases(address))

#define UNUSED2 ((void)address, (void)flags)
ANNOTATION(void, __tsan_mutex_create, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_destroy, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_pre_lock, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_post_lock, (void *address, unsigned flags, int recursion), acquires(address), (void)flags,
           (void)recursion)
ANNOTATION(int, __tsan_mutex_pre_unlock, (void *address, unsigned flags), releases(address); (void)flags; return 0)
ANNOTATION(void, __tsan_mutex_post_unlock, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_pre_signal, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_post_signal, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_pre_divert, (void *address, unsigned flags), UNUSED2)
ANNOTATION(void, __tsan_mutex_post_divert, (void *address, unsigned flags), UNUSED2)

ANNOTATION(void *, __tsan_get_current_fiber, (void), return mz_current)
ANNOTATION(void *, __tsan_create_fiber, (unsigned flags), (void)flags; return mz_current)
ANNOTATION(void, __tsan_destroy_fiber, (void *fiber), (void)fiber)
ANNOTATION(void, __tsan_switch_to_fiber, (void *fiber, unsigned flags), (void)fiber, (void)flags)
ANNOTATION(void, __tsan_set_fiber_name, (void *fiber, const char *name), (void)fiber, (void)name)

ANNOTATION(void *, __tsan_external_register_tag, (const char *type), return (void *)type)
ANNOTATION(void, __tsan_external_register_header, (void *tag, const char *header), (void)tag, (void)header)
ANNOTATION(void, __tsan_external_assign_tag, (void *address, void *tag), (void)address, (void)tag)
ANNOTATION(void, __tsan_external_read, (void *address, void *caller, void *tag), (void)address, (void)caller, (void)tag)
ANNOTATION(void, __tsan_external_write, (void *address, void *caller, void *tag), (void)address, (void)caller,
           (void)tag)
ANNOTATION(void, __tsan_flush_memory, (void), (void)0)

/* What the same programs call under other names (AnnotateHappensBefore and its kin), with the place in their source. */
#define HERE const char *file, int line
#define UNUSED_HERE ((void)file, (void)line)
ANNOTATION(void, AnnotateHappensBefore, (HERE, const void *address), UNUSED_HERE, releases(address))
ANNOTATION(void, AnnotateHappensAfter, (HERE, const void *address), UNUSED_HERE, acquires(address))
ANNOTATION(void, AnnotateRWLockCreate, (HERE, const void *lock), UNUSED_HERE, (void)lock)
ANNOTATION(void, AnnotateRWLockDestroy, (HERE, const void *lock), UNUSED_HERE, (void)lock)
ANNOTATION(void, AnnotateRWLockAcquired, (HERE, const void *lock, long writes), UNUSED_HERE, (void)writes,
           acquires(lock))
ANNOTATION(void, AnnotateRWLockReleased, (HERE, const void *lock, long writes), UNUSED_HERE, (void)writes,
           releases(lock))
