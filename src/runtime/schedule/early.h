/* SPDX-License-Identifier: MIT
 *
 * What the program does before it is explored: in constructors, or before it calls mz_check(). The real functions do
 * it, and what has to exist when an execution begins is noted here: locks that the first thread holds, and threads.
 * (Keys and destructors of threads are noted in leaving.c, handlers of signals in signals.c, channels in
 * early_channel.c.)
 */
#ifndef MZ_RUNTIME_SCHEDULE_EARLY_H
#define MZ_RUNTIME_SCHEDULE_EARLY_H

#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include <errno.h>

/* Reports whether the function that uses this was called by the program, outside of an execution, in a process that
 * will explore the program or may come to. */
#define MZ_IS_EARLY() mz_early_is(MZ_CALLER())
static inline bool mz_early_is(uintptr_t caller)
{
	return mz_rt.fibers && !mz_current && mz_image_owns_code(caller);
}

/* Notes which kernel thread is the first: called by it, once, when the library is loaded. */
void mz_early_init(void);
/* Reports whether the calling kernel thread is the first. */
bool mz_early_is_first(void);

/* Returns the pthread_t that the C library has for HANDLE: the first thread has the same handle before an execution as
 * within, which the C library does not know. */
unsigned long mz_early_real_handle(unsigned long handle);

/* ---- locks ---- */

enum mz_early_kind { MZ_EARLY_MUTEX, MZ_EARLY_SPIN, MZ_EARLY_READ, MZ_EARLY_WRITE };
void mz_early_note_lock(enum mz_early_kind kind, void *lock, uintptr_t caller);
void mz_early_note_unlock(const void *lock);

/* Both return ERROR, the result of the real function that locked or unlocked, and note what it did if the caller is
 * early. */
static inline int mz_early_locked(enum mz_early_kind kind, void *lock, int error, uintptr_t caller)
{
	if (mz_early_is(caller) && (error == 0 || error == EOWNERDEAD)) mz_early_note_lock(kind, lock, caller);
	return error;
}
static inline int mz_early_unlocked(const void *lock, int error, uintptr_t caller)
{
	if (mz_early_is(caller) && error == 0) mz_early_note_unlock(lock);
	return error;
}

/* ---- threads ---- */

/* Note that the program has created a thread before the first execution; and that it has joined or detached one. */
void mz_early_thread_created(void);
void mz_early_thread_over(void);
/* Ends the run if the process has a thread besides the first. Called before the runtime makes its own. */
void mz_early_refuse_threads(void);

/* Notes that the program calls one of our functions where nothing is explored: before main begins, if it is noted then. */
void mz_early_note_call(const char *name);
/* Ends the run if there was such a call. */
void mz_early_refuse_calls(void);

/* Has the first thread hold, at the beginning of an execution, the locks that it held before. */
void mz_early_start(struct mz_fiber *first);

#endif
