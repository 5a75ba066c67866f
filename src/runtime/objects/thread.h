/* SPDX-License-Identifier: MIT
 *
 * Threads of the program: what pthread_create and thrd_create have in common.
 */
#ifndef MZ_RUNTIME_OBJECTS_THREAD_H
#define MZ_RUNTIME_OBJECTS_THREAD_H

#include "runtime/core/core.h"

/* What the program holds as a pthread_t, and back; NULL if it names no thread of this execution. */
static inline unsigned long mz_thread_handle(struct mz_fiber *fiber)
{
	return (unsigned long)fiber;
}

/* What a thread is to be. */
struct mz_thread_start {
	void *function;
	void *argument;
	bool c11; /* the function is an int (*)(void *) */
	bool detached;
	size_t stack_size; /* 0: the default */
};
/* Where the handle of the thread that is about to be created goes: the new thread may read it. On the creator's own
 * stack, where hardly anybody else looks for it, it is not looked at: every checkpoint would have it. */
void mz_thread_handle_written(struct mz_fiber *self, const void *place, size_t size, uintptr_t caller);
struct mz_fiber *mz_thread_create(struct mz_fiber *self, const struct mz_thread_start *start, uintptr_t caller);
/* 0, or an error number. */
int mz_thread_join(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller);
/* Does not wait: EBUSY. Others may go first. */
int mz_thread_timedjoin(struct mz_fiber *self, unsigned long handle, void **result, uint64_t until, uintptr_t caller);
int mz_thread_tryjoin(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller);
int mz_thread_detach(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
_Noreturn void mz_thread_exit(struct mz_fiber *self, void *result, uintptr_t caller);

#endif
