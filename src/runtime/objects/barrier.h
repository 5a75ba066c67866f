/* SPDX-License-Identifier: MIT
 *
 * Barriers. Arrivals commute: whichever thread comes last, all threads go on with the same knowledge of each other.
 * PTHREAD_BARRIER_SERIAL_THREAD is returned to the thread with the lowest number.
 */
#ifndef MZ_RUNTIME_OBJECTS_BARRIER_H
#define MZ_RUNTIME_OBJECTS_BARRIER_H

#include "runtime/core/core.h"
#include <pthread.h>

/* As the functions of pthread. Destroying returns 0, or EBUSY if threads wait at the barrier. */
void mz_barrier_init(struct mz_fiber *self, pthread_barrier_t *barrier, unsigned count, uintptr_t caller);
int mz_barrier_destroy(struct mz_fiber *self, pthread_barrier_t *barrier, uintptr_t caller);
/* Waits until as many threads have arrived as the barrier counts. Returns 0 or PTHREAD_BARRIER_SERIAL_THREAD. */
int mz_barrier_wait(struct mz_fiber *self, pthread_barrier_t *barrier, uintptr_t caller);

#endif
