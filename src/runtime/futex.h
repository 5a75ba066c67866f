/* SPDX-License-Identifier: MIT
 *
 * The futex system call, as libraries use it (std::atomic<T>::wait, std::counting_semaphore, std::future): to wait
 * while a word has a value, and to wake who waits at it, first come first. Waking orders threads but publishes nothing:
 * that is for the atomics around it.
 */
#ifndef MZ_RUNTIME_FUTEX_H
#define MZ_RUNTIME_FUTEX_H

#include "runtime/runtime.h"

struct timespec;

/* What the system call returns; an error is in errno then. */
long mz_futex(struct mz_fiber *self, uint32_t *word, int operation, uint32_t value, const struct timespec *time,
              uint32_t bits, uintptr_t caller);

#endif
