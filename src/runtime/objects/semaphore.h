/* SPDX-License-Identifier: MIT
 *
 * Semaphores. Posts commute with each other; taking does with nothing, for whose post it was decides what is known.
 * Named semaphores are those of the execution: at its beginning there are none in the system.
 */
#ifndef MZ_RUNTIME_OBJECTS_SEMAPHORE_H
#define MZ_RUNTIME_OBJECTS_SEMAPHORE_H

#include "runtime/core/core.h"
#include <semaphore.h>

/* All return 0 or an error number. A thread that has to wait may time out at any moment, and its time is then
 * `until`. */
int mz_semaphore_init(struct mz_fiber *self, sem_t *semaphore, unsigned value, uintptr_t caller);
int mz_semaphore_destroy(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller);
int mz_semaphore_take(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller);
int mz_semaphore_trytake(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller);
int mz_semaphore_timedtake(struct mz_fiber *self, sem_t *semaphore, uint64_t until, uintptr_t caller);
int mz_semaphore_post(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller);
int mz_semaphore_value(struct mz_fiber *self, sem_t *semaphore, int *value, uintptr_t caller);

/* As sem_open, sem_close and sem_unlink, for named semaphores; `*semaphore` becomes the one that was opened. */
int mz_semaphore_open(struct mz_fiber *self, const char *name, int flags, unsigned value, sem_t **semaphore,
                      uintptr_t caller);
int mz_semaphore_close(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller);
int mz_semaphore_unlink(struct mz_fiber *self, const char *name, uintptr_t caller);

#endif
