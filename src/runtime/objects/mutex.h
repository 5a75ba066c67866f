/* SPDX-License-Identifier: MIT
 *
 * Mutexes, and what is made of them: locks that are nothing else (spin locks), guards of C++ variables.
 */
#ifndef MZ_RUNTIME_OBJECTS_MUTEX_H
#define MZ_RUNTIME_OBJECTS_MUTEX_H

#include "runtime/core/core.h"
#include <pthread.h>

/* A lock that is nothing else: as a mutex of the simplest kind. */
void mz_lock_acquire(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
bool mz_lock_try(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
void mz_lock_release(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
int mz_lock_destroy(struct mz_fiber *self, uintptr_t address, uintptr_t caller);
struct mz_fiber *mz_lock_owner(uintptr_t address);

int mz_mutex_lock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
/* Gives up at the time `until`, which it may whenever it has to wait. */
int mz_mutex_timedlock(struct mz_fiber *self, pthread_mutex_t *mutex, uint64_t until, uintptr_t caller);
int mz_mutex_trylock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_unlock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
/* What a robust mutex protects is in order again. */
int mz_mutex_consistent(const struct mz_fiber *self, pthread_mutex_t *mutex);
/* The thread ends: the robust mutexes that it holds are given back, and who gets them is told so. */
void mz_mutex_release_robust(struct mz_fiber *self);
/* Gives it up and gets it again: a wait that ends without a signal. */
int mz_mutex_unlock_and_lock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_destroy(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);

/* The guard of a C++ variable that is initialised on first use: true if the caller is to initialise it now. */
bool mz_guard_acquire(struct mz_fiber *self, uint8_t *guard, uintptr_t caller);
/* It is done, which the guard has from then on, or (0) was given up. */
void mz_guard_release(struct mz_fiber *self, uint8_t *guard, uint8_t done, uintptr_t caller);

/* ---- for conditions ---- */

struct mz_object *mz_mutex_find(pthread_mutex_t *mutex);
/* The first thread holds it, once more, when an execution begins. */
void mz_mutex_hold_at_start(struct mz_fiber *first, struct mz_object *mutex);
/* The thread gives it back, as a part of an operation. */
void mz_mutex_clear_owner(struct mz_fiber *self, struct mz_object *mutex);
/* The thread, which is in its queue to get it, has been chosen to. */
void mz_mutex_acquire_chosen(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op);
/* The operation that gets it, called `op`, which waits for it; who can be sent signals tries, and handles them in
 * between. */
void mz_mutex_acquire(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller);
/* The operation that gives it back, however often it is held. */
void mz_mutex_release(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller);
/* Of one whose owner has died: who has just given it back did not put it in order. */
void mz_mutex_mark_unrecoverable(struct mz_object *mutex);
/* What there is to be said of a mutex that the thread has got: 0 or an error number. */
int mz_mutex_acquired_result(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller);

#endif
