/* SPDX-License-Identifier: MIT
 *
 * Requests: what other threads ask of a thread, which is to be cancelled or to handle signals (signals.h). All requests
 * to a thread are one object, whose state has a bit for each. To make a request raises a bit. To check for requests
 * (point.h) lowers the bits that the thread is ready for, which it then acts upon. Both are operations like those on
 * atomic variables (classes RAISE and LOWER of trace/event.h), so strategies need to know nothing else of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_REQUEST_H
#define MZ_RUNTIME_OBJECTS_REQUEST_H

#include "runtime/core/core.h"

#define MZ_REQUEST_CANCEL 1 /* the bit of cancellation; a signal has the bit of its number */

/* Return the object of a thread's requests; and the object that counts the requests made so far, for operations that
 * wait for one more. */
struct mz_object *mz_requests_of(const struct mz_fiber *fiber);
uint64_t mz_request_count_of(const struct mz_fiber *fiber);

/* Called before a thread makes a request of this kind (enum mz_requests). Threads check for requests of a kind only in
 * programs where some execution makes one. The first time of all this does not return: the search starts over, with the
 * checks. */
void mz_request_expect(uint32_t kind);
/* Sets, before each execution, which kinds of requests threads check for. */
void mz_request_reset(void);

/* Return the signals that the thread does not block; and those that it would handle if they were pending: none as long
 * as no execution has sent a signal to another thread. */
static inline uint64_t mz_signals_unblocked(const struct mz_fiber *fiber)
{
	return ~(fiber->requests.blocked | 1);
}
static inline uint64_t mz_signals_deliverable(const struct mz_fiber *fiber)
{
	return mz_rt.mode.checks_signals && !fiber->leaving ? mz_signals_unblocked(fiber) : 0;
}
/* Returns the requests that the thread would act upon at a cancellation point. */
uint64_t mz_request_ready(const struct mz_fiber *fiber);
/* Reports whether a request may reach SELF while it waits. The answer depends on the thread's own past alone. */
bool mz_request_may_arrive(const struct mz_fiber *self);
/* Reports whether one of the signals is pending. This is no operation, so it is only right for signals that SELF sent
 * to itself. */
bool mz_request_any(const struct mz_fiber *self, uint64_t signals);
/* Returns the signals that are pending for SELF, by an operation. */
uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller);

/* Returns a hash of the requests that the thread is ready for: part of what tells states apart. */
uint64_t mz_request_identity(const struct mz_fiber *fiber);

/* Make a request of another thread. Return 0 or an error number. With signal 0 only the handle is checked. */
int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
int mz_request_signal(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller);

#endif
