/* SPDX-License-Identifier: MIT
 *
 * Conditions. Which waiter a signal wakes is a choice.
 */
#ifndef MZ_RUNTIME_OBJECTS_CONDITION_H
#define MZ_RUNTIME_OBJECTS_CONDITION_H

#include <pthread.h>
#include <stdint.h>

struct mz_fiber;

/* As the functions of pthread: all return 0 or an error number. The timed wait may time out at any moment, and the
 * time of SELF is then `until`. */
int mz_condition_wait(struct mz_fiber *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t caller);
int mz_condition_timedwait(struct mz_fiber *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until,
                           uintptr_t caller);
int mz_condition_signal(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);
int mz_condition_broadcast(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);
int mz_condition_destroy(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);

#endif
