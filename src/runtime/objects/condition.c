/* SPDX-License-Identifier: MIT
 *
 * A waiting thread is in the queue of its condition; a signal moves it to that of its mutex, where its pending
 * operation is to wake up, that is, to acquire the mutex again.
 */
#include "runtime/objects/condition.h"
#include "base/bug.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/exit.h"
#include "runtime/objects/model.h"
#include "runtime/objects/mutex.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>

/* Returns 0 or an error number. Reports a wait without the mutex that is undefined, and ends the thread: a loop around
 * the wait would never end. */
static int check_wait(struct mz_fiber *self, const struct mz_object *mutex, uintptr_t caller)
{
	bool is_held = mutex->owner == self;
	if (is_held && mutex->count == 1) return 0;
	if (!is_held && mz_mutex_refuses_strangers(mutex)) return EPERM;
	mz_object_misuse(self, caller, mutex,
	                 is_held ? "wait with a recursive mutex that the thread holds more than once, and so keeps"
	                         : "wait with a mutex that the thread does not hold");
	mz_thread_failed(self);
}

/* Releases the mutex and joins the queue of the condition, in one operation. */
static void start_waiting(struct mz_fiber *self, struct mz_object *condition, struct mz_object *mutex, uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = mz_object_whole(condition, 1);
	accesses[1] = mz_object_whole(mutex, -1);
	const struct mz_operation operation = mz_operation(MZ_OP_WAIT, 2);
	mz_visible(self, operation, caller);
	accesses[0].before = condition->queued;
	accesses[1].before = 1;
	mz_commit(self, operation);
	self->waits.mutex = mutex;
	mz_mutex_clear_owner(self, mutex);
	mz_mutex_mark_unrecoverable(mutex);
	mz_object_enqueue(condition, self);
}

/* Ends the wait: SELF has the mutex again. Returns 0 or an error number. */
static int end_wait(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	self->waits.mutex = NULL;
	return mz_mutex_acquired_result(self, mutex, caller);
}

static int acquire_again(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_mutex_acquire(self, mutex, MZ_OP_WAKEUP, caller);
	return end_wait(self, mutex, caller);
}

/* Waits where requests may arrive. SELF acts upon a request only once it has the mutex again. */
static int wait_interruptibly(struct mz_fiber *self, struct mz_object *condition, struct mz_object *mutex,
                              uintptr_t caller)
{
	mz_request_point(self, caller);
	start_waiting(self, condition, mutex, caller);
	bool left = mz_request_leave(self, condition, 0, caller);
	int error = acquire_again(self, mutex, caller);
	if (left) mz_request_point(self, caller);
	return error;
}

/* A thread that was woken takes its mutex back: whoever wakes it makes that its operation, and it commits the same. */
static struct mz_operation wakeup(void)
{
	return mz_operation(MZ_OP_WAKEUP, 1);
}

int mz_condition_wait(struct mz_fiber *self, pthread_cond_t *address, pthread_mutex_t *mutex_address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_in_memory(address), *mutex = mz_mutex_find(mutex_address);
	int error = check_wait(self, mutex, caller);
	if (error) return error;
	if (MZ_UNLIKELY(mz_request_may_arrive(self))) return wait_interruptibly(self, condition, mutex, caller);
	start_waiting(self, condition, mutex, caller);
	mz_accesses_now(self)[0] = mz_object_whole(mutex, 1);
	mz_suspend(self, MZ_FIBER_WAITING);
	mz_mutex_acquire_chosen(self, mutex, wakeup());
	return end_wait(self, mutex, caller);
}

int mz_condition_timedwait(struct mz_fiber *self, pthread_cond_t *address, pthread_mutex_t *mutex_address,
                           uint64_t until, uintptr_t caller)
{
	struct mz_object *condition = mz_object_in_memory(address), *mutex = mz_mutex_find(mutex_address);
	int error = until == MZ_TIME_INVALID ? EINVAL : check_wait(self, mutex, caller);
	if (error) return error;
	mz_request_point(self, caller);
	self->timed_out = until <= self->time; /* the time is over already: it does not wait */
	if (self->timed_out) {
		self->waits.mutex = mutex;
		mz_mutex_release(self, mutex, caller);
		mz_mutex_mark_unrecoverable(mutex);
	} else {
		start_waiting(self, condition, mutex, caller);
		self->timed_out = mz_object_leave(self, condition, caller);
		if (self->timed_out) mz_timers_reach(self, until, caller);
	}
	error = acquire_again(self, mutex, caller);
	if (!self->timed_out) return error;
	mz_request_point(self, caller);
	return error ? error : ETIMEDOUT;
}

/* Wakes a waiter. A waiter that may time out or be cancelled stays pending: whether the signal or the time-out won is
 * decided when it is chosen next. */
static void wake_waiter(struct mz_fiber *self, struct mz_object *condition, struct mz_fiber *waiter)
{
	mz_object_dequeue(condition, waiter);
	if (waiter->state == MZ_FIBER_PENDING) {
		mz_request_woken(waiter, condition);
		mz_race_order(self, waiter);
		return;
	}
	mz_object_enqueue(waiter->waits.mutex, waiter);
	mz_set_pending(waiter, wakeup(), !waiter->waits.mutex->owner);
	mz_order(self, waiter);
	mz_race_order(self, waiter);
}

/* Completes the access of a signal that wakes at most `most` threads. Returns the number of threads that wait. */
static uint32_t before_signal(struct mz_fiber *self, struct mz_object *condition, uint32_t most)
{
	uint32_t woken = condition->queued < most ? condition->queued : most;
	self->accesses[0].before = condition->queued;
	self->accesses[0].kind = condition->queued ? MZ_WRITE : MZ_READ;
	if (condition->queued) self->accesses[0].expected = ++condition->wakes;
	self->accesses[0].effect = (int16_t)-woken;
	return condition->queued;
}

/* Which one of so many is woken is chosen. */
static struct mz_operation signalling(uint32_t waiters)
{
	struct mz_operation operation = mz_operation(MZ_OP_SIGNAL, 1);
	operation.alternatives = waiters ? waiters : 1;
	return operation;
}

int mz_condition_signal(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_in_memory(address);
	mz_accesses(self)[0] = mz_object_whole(condition, 0);
	mz_rt.execution.nsignalling++;
	mz_visible(self, signalling(condition->queued), caller);
	mz_rt.execution.nsignalling--;
	uint32_t waiters = before_signal(self, condition, 1);
	mz_commit(self, signalling(waiters)); /* others may have come to wait, or left, meanwhile */
	if (!waiters) return 0;
	MZ_REQUIRE(mz_rt.execution.choice < waiters);
	struct mz_fiber *waiter = condition->queue;
	for (uint32_t i = 0; i < mz_rt.execution.choice; i++) waiter = waiter->next;
	wake_waiter(self, condition, waiter);
	return 0;
}

int mz_condition_broadcast(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_in_memory(address);
	mz_accesses(self)[0] = mz_object_whole(condition, 0);
	const struct mz_operation operation = mz_operation(MZ_OP_BROADCAST, 1);
	mz_visible(self, operation, caller);
	before_signal(self, condition, UINT32_MAX);
	mz_commit(self, operation);
	while (condition->queue) wake_waiter(self, condition, condition->queue);
	return 0;
}

int mz_condition_destroy(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_in_memory(address);
	mz_object_before_destruction(self, condition, caller);
	return mz_object_destroy(self, condition, condition->queued,
	                         condition->queued ? "destruction of a condition that threads wait for" : NULL);
}
