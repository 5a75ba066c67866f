/* SPDX-License-Identifier: MIT
 *
 * Mutexes, and what is made of them: locks that are nothing else (spin locks), guards of C++ variables.
 */
#ifndef MZ_RUNTIME_OBJECTS_MUTEX_H
#define MZ_RUNTIME_OBJECTS_MUTEX_H

#include "runtime/core/core.h"
#include <pthread.h>

/* Locks without a pthread_mutex_t, such as spin locks, known by an address: they behave as a mutex of kind
 * PTHREAD_MUTEX_NORMAL. mz_lock_try() reports whether it got the lock; mz_lock_destroy() returns 0 or EBUSY;
 * mz_lock_owner() returns NULL if nobody holds the lock. */
void mz_lock_acquire(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
bool mz_lock_try(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
void mz_lock_release(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
int mz_lock_destroy(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
struct mz_fiber *mz_lock_owner(uintptr_t address);

/* As the functions of pthread: these return 0 or an error number. */
int mz_mutex_lock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
/* As pthread_mutex_timedlock: a thread that has to wait may time out at any moment, and its time is then `until`. */
int mz_mutex_timedlock(struct mz_fiber *self, pthread_mutex_t *mutex, uint64_t until, uintptr_t caller);
int mz_mutex_trylock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_unlock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
/* As pthread_mutex_consistent: the data that a robust mutex protects are in order again. */
int mz_mutex_consistent(const struct mz_fiber *self, pthread_mutex_t *mutex);
/* Releases the robust mutexes that SELF holds: it ends. Whoever acquires one of them next gets EOWNERDEAD. */
void mz_mutex_release_robust(struct mz_fiber *self);
/* Unlocks the mutex and locks it again: what a condition wait does that wakes up without a signal. */
int mz_mutex_unlock_and_lock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_destroy(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);

/* Acquires the guard of a C++ variable that is initialised on first use. Returns true if the caller must initialise the
 * variable now, and then call mz_guard_release(). */
bool mz_guard_acquire(struct mz_fiber *self, uint8_t *guard, uintptr_t caller);
/* Releases the guard. `done` is what the guard's byte becomes: non-zero if the variable is initialised, 0 if that
 * failed. */
void mz_guard_release(struct mz_fiber *self, uint8_t *guard, uint8_t done, uintptr_t caller);

/* ---- for conditions ---- */

/* Returns the object of a mutex, with its kind as the C library's initialiser has left it in memory. */
struct mz_object *mz_mutex_find(pthread_mutex_t *mutex);
/* Reports whether POSIX has a wait with the mutex, or its release, fail with EPERM where the caller does not hold the
 * mutex. For others that is undefined, and so a mistake of the program. (A recursive mutex refuses its release alone.) */
bool mz_mutex_refuses_strangers(const struct mz_object *mutex);
/* Has the first thread hold the mutex, once more if it does already, when an execution begins. */
void mz_mutex_hold_at_start(struct mz_fiber *first, struct mz_object *mutex);
/* Makes the mutex free, as part of an operation of SELF, its owner, that was just committed. */
void mz_mutex_clear_owner(struct mz_fiber *self, struct mz_object *mutex);
/* Commits `operation` and makes SELF the owner: SELF is in the mutex's queue and has been chosen to acquire it. */
void mz_mutex_acquire_chosen(struct mz_fiber *self, struct mz_object *mutex, struct mz_operation operation);
/* Acquires the mutex by an operation `op`; waits while another thread holds the mutex. A thread that can be sent
 * signals tries instead, and handles signals between two tries. */
void mz_mutex_acquire(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller);
/* Releases the mutex by an operation MZ_OP_UNLOCK, however often a recursive one is held. */
void mz_mutex_release(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller);
/* Marks a mutex unrecoverable if its owner died and SELF, which has just released it, did not call
 * mz_mutex_consistent(). */
void mz_mutex_mark_unrecoverable(struct mz_object *mutex);
/* Returns what a call that has just acquired the mutex returns: 0, EOWNERDEAD, or ENOTRECOVERABLE after releasing it
 * again. */
int mz_mutex_acquired_result(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller);

#endif
