/* SPDX-License-Identifier: MIT */
#include "runtime/objects/barrier.h"
#include "runtime/core/core.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>

/* Returns the object of a barrier. One that was initialised before the execution has its count in memory, where the C
 * library put it. */
static struct mz_object *find_barrier(const pthread_barrier_t *barrier)
{
	struct mz_object *object = mz_object_in_memory(barrier);
	if (object->type != MZ_OBJECT_BARRIER) {
		object->type = MZ_OBJECT_BARRIER;
		object->count = ((const unsigned *)barrier)[2];
	}
	return object;
}

/* Returns the object of every other round, where threads handle signals while they wait: so threads that are slow to
 * leave one round do not meet those that have arrived for the next. */
static struct mz_object *other_rounds(const struct mz_object *barrier)
{
	struct mz_object *object = mz_object_find(barrier->address + MZ_INSIDE_BARRIER_ROUNDS);
	object->type = MZ_OBJECT_BARRIER;
	object->count = barrier->count;
	return object;
}

/* Returns the number of arrivals of this round, and of earlier ones if those are counted. */
static uint64_t arrivals(const struct mz_object *barrier)
{
	return barrier->state + (mz_rt.mode.checks_signals ? other_rounds(barrier)->state : 0);
}

void mz_barrier_init(struct mz_fiber *self, pthread_barrier_t *barrier, unsigned count, uintptr_t caller)
{
	mz_race_access(self, (uintptr_t)barrier, sizeof *barrier, MZ_RACE_WRITE, caller);
	if (!mz_object_initialise((uintptr_t)barrier, caller) ||
	    !mz_object_initialise(mz_object_inside(barrier, MZ_INSIDE_BARRIER_ROUNDS), caller))
		return;
	struct mz_object *object = mz_object_in_memory(barrier);
	object->type = MZ_OBJECT_BARRIER;
	object->count = count;
}

int mz_barrier_destroy(struct mz_fiber *self, pthread_barrier_t *barrier, uintptr_t caller)
{
	struct mz_object *object = find_barrier(barrier);
	mz_object_before_destruction(self, object, caller);
	bool waits = object->count && arrivals(object) % object->count;
	return mz_object_destroy(self, object, object->state,
	                         waits ? "destruction of a barrier that threads wait at" : NULL);
}

static struct mz_fiber *lowest_waiter(const struct mz_object *barrier)
{
	struct mz_fiber *found = barrier->queue;
	for (struct mz_fiber *fiber = found; fiber; fiber = fiber->next)
		if (fiber->index < found->index) found = fiber;
	return found;
}

/* Lets `fiber` go on behind the barrier, ordered after all that `middle` has done. */
static void let_pass(struct mz_fiber *self, struct mz_fiber *middle, struct mz_fiber *fiber, bool serial)
{
	fiber->is_barrier_serial = serial;
	if (fiber != middle) mz_order(middle, fiber);
	if (fiber != self) mz_make_ready(fiber);
}

/* Reports whether every choice of the thread that gets PTHREAD_BARRIER_SERIAL_THREAD is explored. */
static bool any_is_serial(void)
{
	return mz_rt.mode.faults >> MZ_FAULT_PTHREAD_BARRIER_WAIT_SERIAL & 1;
}

/* Returns the object at which threads wait that have passed the barrier until `middle` has chosen the serial one among
 * them. */
static struct mz_object *passing(const struct mz_fiber *middle)
{
	return mz_object_find(mz_object_inside(middle, MZ_INSIDE_THREAD_PASSING));
}

/* Called when all threads are there: lets every one go on, ordered after everything that any of them did before. Which
 * thread came last must not matter, so the edges go by way of a thread that does not depend on that. Reports whether
 * the caller goes on. */
static bool open_barrier(struct mz_fiber *self, struct mz_object *barrier)
{
	struct mz_fiber *middle = lowest_waiter(barrier);
	bool decides = any_is_serial();
	for (struct mz_fiber *fiber = barrier->queue; fiber; fiber = fiber->next)
		if (fiber != middle) mz_order(fiber, middle);
	while (barrier->queue) {
		struct mz_fiber *fiber = barrier->queue;
		mz_object_dequeue(barrier, fiber);
		mz_race_acquire(fiber, &barrier->clock);
		if (!decides)
			let_pass(self, middle, fiber, fiber == middle);
		else if (fiber != middle)
			mz_object_enqueue(passing(middle), fiber);
	}
	barrier->state = 0;
	mz_clock_clear(&barrier->clock); /* arrivals of the next round learn nothing from this one */
	if (decides && middle != self) mz_make_ready(middle);
	return !decides || middle == self;
}

/* Returns how many threads in the queue have a lower number than `fiber`. */
static uint32_t count_lower_waiters(const struct mz_object *queue, const struct mz_fiber *fiber)
{
	uint32_t lower = 0;
	for (const struct mz_fiber *other = queue->queue; other; other = other->next)
		lower += other->index < fiber->index;
	return lower;
}

/* Has SELF, the thread in the middle, choose the serial thread: itself, or one of the others in the order of their
 * numbers. */
static void decide(struct mz_fiber *self, struct mz_object *others, uintptr_t caller)
{
	uint32_t n = others->queued + 1;
	mz_accesses(self);
	const struct mz_operation operation = mz_choice(n);
	mz_visible(self, operation, caller);
	uint32_t serial = mz_rt.execution.choice;
	mz_commit(self, operation);
	self->is_barrier_serial = serial == 0;
	for (struct mz_fiber *fiber = others->queue; fiber; fiber = fiber->next)
		fiber->is_barrier_serial = count_lower_waiters(others, fiber) + 1 == serial;
	while (others->queue) {
		struct mz_fiber *fiber = others->queue;
		mz_object_dequeue(others, fiber);
		let_pass(self, self, fiber, fiber->is_barrier_serial);
	}
}

/* Returns as what kind of access threads arrive. As long as exactly as many threads use the barrier as it counts, the
 * order of arrivals does not matter. If more use it, or a signal handler does, whose thread may be waiting there, the
 * order matters: from then on arrivals are ordered, in all executions, and the search starts over. A search of states
 * cannot start over, and orders arrivals always. */
static enum mz_access_kind kind_of_arrival(void)
{
	return mz_rt.session->learned.ordered_arrivals || mz_rt.way->orders_arrivals ? MZ_WRITE : MZ_WEAK_WRITE;
}

static void count_user(const struct mz_fiber *self, struct mz_object *barrier)
{
	struct mz_clock *users = &barrier->sharers;
	if (mz_rt.session->learned.ordered_arrivals || mz_rt.way->orders_arrivals || mz_rt.mode.follows_schedule ||
	    mz_rt.mode.replaying)
		return;
	if (!self->in_handler) {
		if (mz_clock_get(users, self->index)) return;
		mz_clock_tick(users, self->index);
		if (++barrier->users <= barrier->count) return;
	}
	mz_rt.session->learned.ordered_arrivals = 1;
	mz_rt.execution.must_restart_search = true;
}

/* ---- where threads handle signals while they wait: to pass is an operation then, of everyone ---- */

/* Returns the object that counts the arrivals of a round. Unless arrivals are ordered, the round that a thread comes to
 * cannot end without that thread, and so is still the same when the thread is chosen to arrive. */
static struct mz_object *counter_of(struct mz_object *barrier, uint64_t round)
{
	bool one_is_enough = kind_of_arrival() == MZ_WRITE || mz_rt.mode.follows_schedule || mz_rt.mode.replaying;
	return one_is_enough || round % 2 == 0 ? barrier : other_rounds(barrier);
}

/* Adds SELF to the round. The clock of the round, and which thread has the lowest number, are kept until the round
 * after the next. */
static struct mz_object *join_round(struct mz_fiber *self, struct mz_object *barrier, uint64_t round, bool is_first)
{
	struct mz_object *kept = round % 2 == 0 ? barrier : other_rounds(barrier);
	if (is_first) mz_clock_clear(&kept->clock);
	if (is_first || self->index < kept->wakes) kept->wakes = self->index;
	mz_race_publish(self, &kept->clock);
	return kept;
}

static int wait_interruptibly(struct mz_fiber *self, struct mz_object *barrier, uintptr_t caller)
{
	mz_request_before(self); /* its handlers may use the barrier */
	self->has_checked_requests = true;
	uint64_t arrived = arrivals(barrier);
	struct mz_object *counter = counter_of(barrier, arrived / barrier->count);
	mz_object_do(self, counter, MZ_OP_ARRIVE, kind_of_arrival(), 1, caller);
	count_user(self, barrier);
	arrived = arrivals(barrier) - 1;
	uint64_t target = ((counter->state - 1) / barrier->count + 1) * barrier->count;
	const struct mz_object *round =
	    join_round(self, barrier, arrived / barrier->count, arrived % barrier->count == 0);
	while (!mz_request_pass(self, counter, target, caller))
		mz_request_signals(self, mz_signals_deliverable(self), caller);
	mz_race_acquire(self, &round->clock);
	return round->wakes == self->index ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int mz_barrier_wait(struct mz_fiber *self, pthread_barrier_t *address, uintptr_t caller)
{
	struct mz_object *barrier = find_barrier(address);
	if (MZ_UNLIKELY(mz_rt.mode.checks_signals)) return wait_interruptibly(self, barrier, caller);
	mz_object_do(self, barrier, MZ_OP_ARRIVE, kind_of_arrival(), 1, caller);
	count_user(self, barrier);
	mz_race_publish(self, &barrier->clock);
	mz_object_enqueue(barrier, self);
	bool goes_on = barrier->state == barrier->count && open_barrier(self, barrier);
	if (!goes_on) mz_suspend(self, MZ_FIBER_WAITING);
	if (MZ_UNLIKELY(any_is_serial()) && passing(self)->queue) decide(self, passing(self), caller);
	return self->is_barrier_serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
