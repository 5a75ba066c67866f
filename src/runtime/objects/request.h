/* SPDX-License-Identifier: MIT
 *
 * What other threads ask of a thread: to be cancelled, and to handle signals (signals.h). All that is asked of a thread
 * is one object, whose state has a bit for each request. To ask raises a bit; to hear (point.h) lowers those that the
 * thread is ready for, which are then its own to act upon. Both are operations like those on atomic variables (classes
 * RAISE and LOWER of trace/event.h), so strategies need to know nothing else of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_REQUEST_H
#define MZ_RUNTIME_OBJECTS_REQUEST_H

#include "runtime/core/core.h"

#define MZ_REQUEST_CANCEL 1 /* its bit; signals have those of their numbers */

/* The object; and the one that counts how often something was asked of the thread, for who waits for more. */
struct mz_object *mz_requests_of(const struct mz_fiber *fiber);
uint64_t mz_request_count_of(const struct mz_fiber *fiber);

/* Threads look for requests of a kind (enum mz_requests) only in programs where some execution makes one: it says so
 * here, first. If nobody looked so far, this does not return: the search begins anew, and looks. */
void mz_request_expect(uint32_t kind);
/* Before each execution. */
void mz_request_reset(void);

/* The signals that the thread does not block; those that it would handle if they were pending, which are none if nobody
 * sends any to other threads. */
static inline uint64_t mz_signals_unblocked(const struct mz_fiber *fiber)
{
	return ~(fiber->requests.blocked | 1);
}
static inline uint64_t mz_signals_deliverable(const struct mz_fiber *fiber)
{
	return mz_rt.mode.signals && !fiber->leaving ? mz_signals_unblocked(fiber) : 0;
}
/* The requests that it is ready for, at a cancellation point. */
uint64_t mz_request_ready(const struct mz_fiber *fiber);
/* Whether something could be asked of the thread while it waits. Depends on its own past alone. */
bool mz_request_may_arrive(const struct mz_fiber *self);
/* Whether one of the signals is pending: not an operation, and so only of use for what the thread sent itself. */
bool mz_request_any(const struct mz_fiber *self, uint64_t signals);
/* The signals that are pending. */
uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller);

/* What tells states apart: what the thread is ready for. */
uint64_t mz_request_identity(const struct mz_fiber *fiber);

/* Both return 0, or an error number. Signal 0 is none. */
int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
int mz_request_signal(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller);

#endif
