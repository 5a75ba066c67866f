/* SPDX-License-Identifier: MIT
 *
 * Where threads act upon requests (request.h): at cancellation points; and, for signals that they do not block, before
 * every operation.
 *
 * A thread that waits where requests may reach it waits for two things. It checks for requests first, then for what it
 * waits for, and if there is neither it *awaits* a change of any of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_POINT_H
#define MZ_RUNTIME_OBJECTS_POINT_H

#include "runtime/core/core.h"
#include "runtime/objects/signal_actions.h"

/* A cancellation point: an operation if a request may reach SELF, else nothing. Does not return if SELF is cancelled.
 * Handles signals until none is pending, and returns what that means for the call under way. */
enum mz_interrupted mz_request_point(struct mz_fiber *self, uintptr_t caller);
/* The same for a call that a program may repeat in a loop: if the call was noted, the loop can be recognised
 * (spin.h). */
enum mz_interrupted mz_request_poll(struct mz_fiber *self, uintptr_t caller);
/* Handles those of `signals` that are pending. */
enum mz_interrupted mz_request_signals(struct mz_fiber *self, uint64_t signals, uintptr_t caller);
/* Takes one of `signals` and returns its number, or 0 if none is pending. With `awaits`, which follows a call that took
 * none, the operation is not enabled before there is a new request. Also a cancellation point. */
int mz_request_take(struct mz_fiber *self, uint64_t signals, bool awaits, uintptr_t caller);

/* Reports whether the C library's function of that name is a cancellation point: for functions that are passed on. */
bool mz_request_is_point(const char *name);

/* ---- waiting where the thread hears: each right after mz_request_point() and, but for an end, one more operation ----
 */

/* Waits after SELF has tried to get the object, by an operation `op`, and failed: returns when another try may succeed,
 * or when signals have been handled. Here and below only these `signals` are handled, or, if 0, all requests that SELF
 * is ready for at a cancellation point. */
enum mz_interrupted mz_request_await(struct mz_fiber *self, struct mz_object *object, enum mz_op op, uint64_t signals,
                                     uintptr_t caller);
/* The same for several objects, those of the accesses, of which any one would do; SELF has looked at them in one
 * operation. Code that changes one of these objects enables the thread (mz_channel_written()). */
enum mz_interrupted mz_request_await_any(struct mz_fiber *self, const struct mz_access *objects, uint16_t n,
                                         uintptr_t caller);
/* Waits in the queue of a condition. Returns false when SELF was woken, true when it has left the queue because of a
 * request. */
bool mz_request_leave(struct mz_fiber *self, struct mz_object *condition, uint64_t signals, uintptr_t caller);
/* Wakes a thread that is in mz_request_leave(), or in a wait that may time out: it stays pending and learns of the
 * wake-up when it is chosen next. */
void mz_request_woken(struct mz_fiber *fiber, const struct mz_object *condition);
/* Waits until the state of the object, which only grows, is at least `target`, or until signals are pending. Reports
 * whether the state is. */
bool mz_request_pass(struct mz_fiber *self, struct mz_object *object, uint64_t target, uintptr_t caller);
/* Waits for the end of a thread, given its object (see leaving.h), or for requests. Reports whether the thread has
 * ended. */
bool mz_request_await_end(struct mz_fiber *self, struct mz_object *end, uintptr_t caller);

/* ---- acquiring ---- */

/* Performs an operation on an object that has a state, as in model.h: waits until the class of the operation lets it
 * pass, and handles signals meanwhile. */
void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller);

#endif
