/* SPDX-License-Identifier: MIT
 *
 * What other threads ask of a thread: to be cancelled, and to handle signals (signals.h). It hears of that where it is
 * ready to: at cancellation points, and of signals that it does not block before every operation.
 *
 * All that is asked of a thread is one object, whose state has a bit for each request. To ask raises a bit; to hear
 * lowers those that the thread is ready for, which are then its own to act upon. Both are operations like those on
 * atomic variables (classes RAISE and LOWER of trace/event.h), so strategies need to know nothing else of them.
 *
 * A thread that waits where it can hear waits for two things. It looks first at its requests, then at what it waits
 * for, and if there is nothing *awaits* a change of any of them.
 */
#ifndef MZ_RUNTIME_REQUEST_H
#define MZ_RUNTIME_REQUEST_H

#include "runtime/object.h"
#include "runtime/signals.h"

/* Threads look for requests of a kind (enum mz_requests) only in programs where some execution makes one: it says so
 * here, first. If nobody looked so far, this does not return: the search begins anew, and looks. */
void mz_request_expect(uint32_t kind);
/* Before each execution. */
void mz_request_reset(void);
/* Whether something could be asked of the thread while it waits. Depends on its own past alone. */
bool mz_request_hears(const struct mz_fiber *self);

/* A cancellation point: an operation, if anything could be asked. Does not return if the thread is to be cancelled.
 * Handles signals until none is left, and says so. */
enum mz_interrupted mz_request_point(struct mz_fiber *self, uintptr_t caller);
/* One that a program may call again and again, in a call that was noted (spin.h). */
enum mz_interrupted mz_request_poll(struct mz_fiber *self, uintptr_t caller);
/* Handles those of these signals that are pending. */
enum mz_interrupted mz_request_signals(struct mz_fiber *self, uint64_t signals, uintptr_t caller);
/* Whether one of the signals is pending: not an operation, and so only of use for what the thread sent itself. */
bool mz_request_any(const struct mz_fiber *self, uint64_t signals);
/* Takes one of these signals, and says which, or 0 if none is pending. If it `awaits`, right after another time that it
 * took none, it is not before there is something new. Also a cancellation point. */
int mz_request_take(struct mz_fiber *self, uint64_t signals, bool awaits, uintptr_t caller);
/* The signals that are pending. */
uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller);

/* The same for functions that are passed on: whether the one of that name is a cancellation point. */
bool mz_request_is_point(const char *name);

/* ---- waiting where the thread hears: each right after mz_request_point() and, but for an end, one more operation ----
 */

/* The thread has tried to get the object, by an operation `op`, and failed: returns when it is worth another try, or
 * when signals have been handled. Here and below it hears of these `signals` alone, or (0) of all that it is ready for
 * at a cancellation point. */
enum mz_interrupted mz_request_await(struct mz_fiber *self, struct mz_object *object, enum mz_op op, uint64_t signals,
                                     uintptr_t caller);
/* The same for several objects, those of the accesses, of which any would do; it has looked at them in one operation.
 * Who changes one of them sees to it that the thread hears (mz_channel_written()). */
enum mz_interrupted mz_request_await_any(struct mz_fiber *self, const struct mz_access *objects, uint16_t n,
                                         uintptr_t caller);
/* The thread is in the queue of a condition: returns when it was woken (false), or has left because something is asked
 * of it. */
bool mz_request_leave(struct mz_fiber *self, struct mz_object *condition, uint64_t signals, uintptr_t caller);
/* Somebody has woken the thread, which is leaving so, or in a wait that may time out. */
void mz_request_woken(struct mz_fiber *fiber, const struct mz_object *condition);
/* Waits until the state of the object, which only grows, is at least `target`, or for signals: whether it is. */
bool mz_request_pass(struct mz_fiber *self, struct mz_object *object, uint64_t target, uintptr_t caller);
/* Waits for the end of a thread (see leaving.h), or for requests: whether it has ended. */
bool mz_request_await_end(struct mz_fiber *self, struct mz_object *end, uintptr_t caller);

/* Whether a thread whose pending operation is one of these may go on, once the object it waits for has changed: so that
 * it passes, or does not. */
bool mz_request_enabled(const struct mz_fiber *fiber, bool passes);

/* What tells states apart: what the thread is ready for. */
uint64_t mz_request_identity(const struct mz_fiber *fiber);

/* Both return 0, or an error number. Signal 0 is none. */
int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller);
int mz_request_signal(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller);

#endif
