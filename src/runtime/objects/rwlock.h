/* SPDX-License-Identifier: MIT
 *
 * Read-write locks. Who reads commutes with who reads. By default readers come first: a writer waits until nobody reads
 * and keeps nobody from reading meanwhile. A lock that prefers writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
 * lets nobody in to read from when a writer has announced itself, which is a visible operation of its own.
 */
#ifndef MZ_RUNTIME_OBJECTS_RWLOCK_H
#define MZ_RUNTIME_OBJECTS_RWLOCK_H

#include "runtime/core/core.h"
#include <pthread.h>

/* All return 0 or an error number. `until`: gives up then, which it may whenever it has to wait. */
int mz_rwlock_read(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_tryread(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_timedread(struct mz_fiber *self, pthread_rwlock_t *lock, uint64_t until, uintptr_t caller);
int mz_rwlock_write(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_trywrite(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_timedwrite(struct mz_fiber *self, pthread_rwlock_t *lock, uint64_t until, uintptr_t caller);
int mz_rwlock_unlock(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);
int mz_rwlock_destroy(struct mz_fiber *self, pthread_rwlock_t *lock, uintptr_t caller);

/* The first thread holds the lock when an execution begins, to read (once more) or to write. */
void mz_rwlock_hold(struct mz_fiber *first, const pthread_rwlock_t *lock, bool writes);

/* ---- who reads: as model.h has it for objects ---- */

void mz_rwlock_reset(void);
/* Nobody reads this one any more. */
void mz_rwlock_forget(const struct mz_object *lock);
void mz_rwlock_store(struct mz_state *state);
void mz_rwlock_load(struct mz_state *state);
void mz_rwlock_identity(struct mz_state *state);
/* Says who is in the way of a thread that waits for the lock; and which locks the thread reads. */
void mz_rwlock_explain(struct mz_fiber *fiber, const struct mz_object *lock);
void mz_rwlock_explain_holdings(const struct mz_fiber *fiber);

#endif
