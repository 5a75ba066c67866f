/* SPDX-License-Identifier: MIT
 *
 * Barriers. Arrivals commute: whoever comes last, all go on knowing of all. The thread with the lowest number is told
 * PTHREAD_BARRIER_SERIAL_THREAD.
 */
#ifndef MZ_RUNTIME_OBJECTS_BARRIER_H
#define MZ_RUNTIME_OBJECTS_BARRIER_H

#include "runtime/core/core.h"
#include <pthread.h>

void mz_barrier_init(struct mz_fiber *self, pthread_barrier_t *barrier, unsigned count, uintptr_t caller);
int mz_barrier_destroy(struct mz_fiber *self, pthread_barrier_t *barrier, uintptr_t caller);
/* 0 or PTHREAD_BARRIER_SERIAL_THREAD. */
int mz_barrier_wait(struct mz_fiber *self, pthread_barrier_t *barrier, uintptr_t caller);

#endif
