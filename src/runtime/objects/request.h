/* SPDX-License-Identifier: MIT
 *
 * Requests: what other threads ask of a thread, which is to be cancelled or to handle signals (signals.h). All requests
 * to a thread are one object, whose state has a bit for each. To make a request raises a bit. To check for requests
 * (point.h) lowers the bits that the thread is ready for, which it then acts upon. Both are operations like those on
 * atomic variables (classes RAISE and LOWER of trace/event.h), so strategies need to know nothing else of them.
 *
 * Signals to the process are one more object of this kind, which belongs to no thread: any thread that is ready for such
 * a signal may find it there. Threads look there only for signals that some execution has sent to the process.
 */
#ifndef MZ_RUNTIME_OBJECTS_REQUEST_H
#define MZ_RUNTIME_OBJECTS_REQUEST_H

#include "runtime/core/core.h"

/* The bit of cancellation; a signal has its own (mz_signals_bit). It is that of the signal which the C library uses for
 * cancellation, and which programs cannot have. */
#define MZ_REQUEST_CANCEL (1UL << 32)

/* Return the object of a thread's requests; and the object that counts the requests made so far, for operations that
 * wait for one more. */
struct mz_object *mz_requests_of(const struct mz_fiber *fiber);
uint64_t mz_request_count_of(const struct mz_fiber *fiber);
/* The same for the requests to the process. Of such objects `wakes` is the number of requests made so far, and `users`
 * how often the requests were written otherwise, but by the thread itself. */
struct mz_object *mz_requests_of_process(void);
uint64_t mz_request_count_of_process(void);
/* Returns how often the requests to a thread were written by others, or those to the process by anybody. */
static inline uint32_t mz_request_changes(const struct mz_object *requests)
{
	return requests->wakes + requests->users;
}
/* Updates which threads are enabled that wait for signals to the process: one more was sent, or one was taken. */
void mz_request_process_changed(bool is_more);

/* Called before a thread makes a request of this kind (enum mz_requests); or sends one of `signals` to the process.
 * Threads check for such requests only in programs where some execution makes one. The first time of all this does not
 * return: the search starts over, with the checks. */
void mz_request_expect(uint32_t kind);
void mz_request_expect_of_process(uint64_t signals);
/* Sets, before each execution, which kinds of requests threads check for. */
void mz_request_reset(void);

/* Return the signals that the thread does not block; and those that it would handle if they were pending: none as long
 * as no execution has sent a signal to another thread. */
static inline uint64_t mz_signals_unblocked(const struct mz_fiber *fiber)
{
	return ~(fiber->requests.blocked | MZ_REQUEST_CANCEL);
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
 * to itself, or right after an operation that read what is pending. */
bool mz_request_any(const struct mz_fiber *self, uint64_t signals);
/* Returns the signals that are pending for SELF, by an operation. */
uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller);

/* Returns a hash of the requests that the thread is ready for: part of what tells states apart. */
uint64_t mz_request_identity(const struct mz_fiber *fiber);

/* Reports whether a request to the process, among those that SELF could take, was made or taken since SELF last
 * looked. */
bool mz_request_process_is_news(const struct mz_fiber *self);

/* Make a request of another thread. Return 0 or an error number. With signal 0 only the handle is checked. */
int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
int mz_request_signal(struct mz_fiber *self, unsigned long handle, const struct mz_signal_info *info, uintptr_t caller);
/* Sends a signal to the process: one that mz_request_expect_of_process() was told of. */
void mz_request_signal_process(struct mz_fiber *self, const struct mz_signal_info *info, uintptr_t caller);
/* Writes, by an operation that is part of a section, what sending a signal to the thread (NULL: to the process) would
 * write, and changes nothing: a section should touch the same whatever it finds. */
void mz_request_touch(struct mz_fiber *self, struct mz_fiber *fiber, uintptr_t caller);
/* Discards the signals of that number that are pending, for all threads and the process: part of a section of SELF. */
void mz_request_discard(struct mz_fiber *self, int number, uintptr_t caller);
/* Reports whether SELF is the only thread: every other one has ended, and SELF can know that. */
bool mz_request_is_alone(const struct mz_fiber *self);

#endif
