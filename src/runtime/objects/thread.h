/* SPDX-License-Identifier: MIT
 *
 * Threads of the program: what pthread_create and thrd_create have in common.
 */
#ifndef MZ_RUNTIME_OBJECTS_THREAD_H
#define MZ_RUNTIME_OBJECTS_THREAD_H

#include "runtime/core/core.h"
#include "runtime/objects/attributes.h"
#include <time.h>

/* Returns the handle of a thread, which the program holds as a pthread_t. mz_thread_from() is the way back. */
static inline unsigned long mz_thread_handle(struct mz_fiber *fiber)
{
	return (unsigned long)fiber;
}

/* What pthread_create or thrd_create was asked for. */
struct mz_thread_start {
	void *function;
	void *argument;
	const struct mz_attributes *attributes; /* see mz_attributes_prepare() */
	bool c11;                               /* the function is an int (*)(void *) */
};
/* Notes a write to `place`, which will hold the handle of a thread that is about to be created and may read it. A place
 * on the creator's own stack is left out: hardly any other thread reads it, and every checkpoint would contain it. */
void mz_thread_handle_written(struct mz_fiber *self, const void *place, size_t size, uintptr_t caller);
struct mz_fiber *mz_thread_create(struct mz_fiber *self, const struct mz_thread_start *start, uintptr_t caller);
/* Waits for the end of the thread, whose result goes to `*result` (unless NULL). Returns 0 or an error number, as do
 * the functions below. */
int mz_thread_join(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller);
/* As pthread_clockjoin_np (if `until` is NULL it waits without a limit) and pthread_tryjoin_np: the second never waits,
 * and returns EBUSY if the thread has not ended; other threads may run before it. */
int mz_thread_timedjoin(struct mz_fiber *self, unsigned long handle, void **result, clockid_t clock,
                        const struct timespec *until, uintptr_t caller);
int mz_thread_tryjoin(struct mz_fiber *self, unsigned long handle, void **result, uintptr_t caller);
int mz_thread_detach(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
_Noreturn void mz_thread_exit(struct mz_fiber *self, void *result, uintptr_t caller);

#endif
