/* SPDX-License-Identifier: MIT
 *
 * Where threads hear of what others ask of them (request.h): at cancellation points, and of signals that they do not
 * block before every operation.
 *
 * A thread that waits where it can hear waits for two things. It looks first at its requests, then at what it waits
 * for, and if there is nothing *awaits* a change of any of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_POINT_H
#define MZ_RUNTIME_OBJECTS_POINT_H

#include "runtime/core/core.h"
#include "runtime/objects/signal_actions.h"

/* A cancellation point: an operation, if anything could be asked. Does not return if the thread is to be cancelled.
 * Handles signals until none is left, and says so. */
enum mz_interrupted mz_request_point(struct mz_fiber *self, uintptr_t caller);
/* One that a program may call again and again, in a call that was noted (spin.h). */
enum mz_interrupted mz_request_poll(struct mz_fiber *self, uintptr_t caller);
/* Handles those of these signals that are pending. */
enum mz_interrupted mz_request_signals(struct mz_fiber *self, uint64_t signals, uintptr_t caller);
/* Takes one of these signals, and says which, or 0 if none is pending. If it `awaits`, right after another time that it
 * took none, it is not before there is something new. Also a cancellation point. */
int mz_request_take(struct mz_fiber *self, uint64_t signals, bool awaits, uintptr_t caller);

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

/* ---- acquiring ---- */

/* An operation on an object that has a state, as in model.h: returns once the class of the operation has let it pass,
 * and handles signals meanwhile. */
void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller);

#endif
