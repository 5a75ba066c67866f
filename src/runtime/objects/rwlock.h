/* SPDX-License-Identifier: MIT
 *
 * Read-write locks. Readers commute with each other. By default readers come first: a writer waits until nobody reads,
 * and does not keep others from reading meanwhile. A lock that prefers writers
 * (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) admits no reader once a writer has announced itself, which is a
 * visible operation of its own.
 */
#ifndef MZ_RUNTIME_OBJECTS_RWLOCK_H
#define MZ_RUNTIME_OBJECTS_RWLOCK_H

#include "runtime/core/core.h"
#include <pthread.h>

/* All return 0 or an error number. A thread that has to wait may time out at any moment, and its time is then
 * `until`. */
int mz_rwlock_read(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_tryread(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_timedread(struct mz_fiber *self, pthread_rwlock_t *lock, uint64_t until, uintptr_t caller);
int mz_rwlock_write(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_trywrite(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_timedwrite(struct mz_fiber *self, pthread_rwlock_t *lock, uint64_t until, uintptr_t caller);
int mz_rwlock_unlock(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_destroy(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);

/* Has the first thread hold the lock when an execution begins: for writing, or once more for reading. */
void mz_rwlock_hold(struct mz_fiber *first, const pthread_rwlock_t *lock, bool writes);

/* ---- who reads: as model.h has it for objects ---- */

/* Forgets the readers of all locks, for the next execution. */
void mz_rwlock_reset(void);
/* Forgets all readers of the lock. */
void mz_rwlock_forget(const struct mz_object *lock);
void mz_rwlock_store(struct mz_state *state);
void mz_rwlock_load(struct mz_state *state);
void mz_rwlock_identity(struct mz_state *state);
/* Add details to the last finding: which threads keep `fiber` from getting the lock; and which locks `fiber` holds for
 * reading. */
void mz_rwlock_explain(struct mz_fiber *fiber, const struct mz_object *lock);
void mz_rwlock_explain_holdings(const struct mz_fiber *fiber);

#endif
