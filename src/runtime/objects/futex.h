/* SPDX-License-Identifier: MIT
 *
 * The futex system call, as libraries use it (std::atomic<T>::wait, std::counting_semaphore, std::future): to wait
 * while a word has a value, and to wake who waits at it, first come first. Waking orders threads but publishes nothing:
 * that is for the atomics around it.
 */
#ifndef MZ_RUNTIME_OBJECTS_FUTEX_H
#define MZ_RUNTIME_OBJECTS_FUTEX_H

#include "runtime/core/core.h"

struct timespec;

/* The arguments of the system call, whatever they are for the operation. */
struct mz_futex_call {
	uint32_t *word;
	int operation;
	uint32_t value;
	const struct timespec *time; /* or, for operations that take one, a number in place of the pointer */
	uint32_t *second;
	uint32_t value3;
};

/* Performs the call. Returns what the system call returns: -1 with errno set if it fails. */
long mz_futex(struct mz_fiber *self, const struct mz_futex_call *call, uintptr_t caller);

#endif
