/* SPDX-License-Identifier: MIT */
#include "runtime/objects/timer.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/ignored.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/objects/thread.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Operations on timers are sections, in which SELF handles no signals. Return what it blocks otherwise; and undo
 * that. */
static uint64_t begin(struct mz_fiber *self, bool writes, uintptr_t caller)
{
	mz_section_begin(self, caller);
	uint64_t blocked = self->requests.blocked;
	self->requests.blocked = UINT64_MAX;
	mz_object_do(self, mz_timers_table(), writes ? MZ_OP_ACCESS : MZ_OP_LOOK_UP, writes ? MZ_WRITE : MZ_READ, 0,
	             caller);
	return blocked;
}

static void end(struct mz_fiber *self, uint64_t blocked, uintptr_t caller)
{
	self->requests.blocked = blocked;
	mz_section_end(self, caller);
}

/* Ends an arming unless it is over already. Reports whether it was not. */
static bool end_arming(struct mz_fiber *self, uint32_t arming, uintptr_t caller)
{
	struct mz_object *object = mz_timers_object(arming);
	bool armed = object->state == 0;
	mz_object_do(self, object, armed ? MZ_OP_END : MZ_OP_LOAD, armed ? MZ_WRITE : MZ_READ, armed, caller);
	return armed;
}

/* ---- expiring ---- */

static uint32_t add_arming(uint32_t timer, uint64_t deadline)
{
	if (mz_timers.narmings + 1 >= MZ_ARMINGS)
		mz_unsupported("it sets timers too often in one execution (--max-expirations)");
	uint32_t number = ++mz_timers.narmings;
	mz_timers.armings[number] = (struct mz_arming){.deadline = deadline, .timer = timer};
	mz_timers.timers[timer].arming = number;
	mz_timers.timers[timer].deadline = deadline;
	return number;
}

/* Returns the thread that the signal goes to; NULL: it goes to the process. */
static struct mz_fiber *target_of(const struct mz_timer *timer)
{
	return timer->notify == SIGEV_THREAD_ID ? &mz_rt.fibers[timer->creator] : NULL;
}

static void raise_signal(struct mz_fiber *self, uint32_t number, uintptr_t caller)
{
	struct mz_timer *timer = &mz_timers.timers[number];
	struct mz_fiber *target = target_of(timer);
	if (mz_ignored_discards(self, target, timer->number, caller)) return;
	const struct mz_object *requests = target ? mz_requests_of(target) : mz_requests_of_process();
	timer->overrun = requests->state & mz_signals_bit(timer->number) ? timer->overrun + 1 : 0;
	const struct mz_signal_info info = {.number = timer->number,
	                                    .code = number < MZ_TIMERS_OF_PROCESS ? SI_KERNEL : SI_TIMER,
	                                    .value = (uintptr_t)timer->value.sival_ptr,
	                                    .timer = (int32_t)number,
	                                    .overrun = (int32_t)timer->overrun};
	if (target)
		mz_request_signal(self, mz_thread_handle(target), &info, caller);
	else
		mz_request_signal_process(self, &info, caller);
}

/* Returns how often the timer expires now. */
static uint64_t times_of(const struct mz_arming *arming)
{
	const struct mz_timer *timer = &mz_timers.timers[arming->timer];
	bool more = timer->notify == MZ_NOTIFY_CHANNEL && timer->interval && arming->until > arming->deadline;
	return more ? 1 + (arming->until - arming->deadline) / timer->interval : 1;
}

/* Sets the timer again, after so many intervals. */
static uint32_t arm_again(struct mz_fiber *self, uint32_t number, uint64_t intervals, uintptr_t caller)
{
	const struct mz_arming *arming = &mz_timers.armings[number];
	mz_object_do(self, mz_timers_table(), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
	return add_arming(arming->timer, arming->deadline + intervals * mz_timers.timers[arming->timer].interval);
}

static void notify(struct mz_fiber *self, uint32_t number, uint64_t times, uintptr_t caller)
{
	const struct mz_timer *timer = &mz_timers.timers[number];
	if (timer->notify == MZ_NOTIFY_CHANNEL)
		mz_timer_expired(self, (uintptr_t)timer->value.sival_ptr, times, caller);
	else if (timer->notify != SIGEV_THREAD)
		raise_signal(self, number, caller);
}

/* Returns whether the arming has expired, and the number of the next one, or 0. */
static bool expire(struct mz_fiber *self, uint32_t number, uint32_t *next, uintptr_t caller)
{
	struct mz_timer *timer = &mz_timers.timers[mz_timers.armings[number].timer];
	mz_section_begin(self, caller);
	bool expires = end_arming(self, number, caller);
	uint64_t times = expires ? times_of(&mz_timers.armings[number]) : 0;
	*next = expires && timer->interval ? arm_again(self, number, times, caller) : 0;
	if (expires) notify(self, mz_timers.armings[number].timer, times, caller);
	mz_section_end(self, caller);
	mz_timers.nexpired += expires;
	if (mz_timers.nexpired > mz_rt.session->configuration.max_expirations) mz_give_up(MZ_PATH_LIMIT_EXPIRATIONS);
	return expires;
}

static void start(struct mz_fiber *self, uint32_t arming, uintptr_t caller);

/* A timer as a thread. It is the next expiration's thread as well, unless it calls a function of the program. */
static void *run_timer(void *argument)
{
	struct mz_fiber *self = mz_current;
	uintptr_t caller = self->start.created_at;
	uint32_t number = (uint32_t)(uintptr_t)argument, next;
	self->requests.blocked = UINT64_MAX;
	snprintf(self->name, sizeof self->name, "timer");
	for (; number; number = next) {
		mz_time_reach(self, mz_timers.armings[number].deadline);
		mz_timers.armings[number].thread = self->index + 1;
		mz_suspend(self, MZ_FIBER_DORMANT);
		const struct mz_timer timer = mz_timers.timers[mz_timers.armings[number].timer];
		if (!expire(self, number, &next, caller)) break;
		if (timer.notify != SIGEV_THREAD) continue;
		if (next) start(self, next, caller);
		self->requests.blocked = 0;
		mz_caller_wipe();
		timer.function(timer.value);
		break;
	}
	return NULL;
}

static void start(struct mz_fiber *self, uint32_t arming, uintptr_t caller)
{
	static const struct mz_attributes attributes = {.detached = true};
	const struct mz_thread_start thread = {
	    .function = (void *)run_timer, .argument = (void *)(uintptr_t)arming, .attributes = &attributes};
	mz_thread_create(self, &thread, caller);
}

/* Reports whether the signal would stay pending. The first thread stands for all of the process. */
static bool is_blocked(const struct mz_timer *timer)
{
	const struct mz_fiber *target = target_of(timer);
	return mz_signals_blocks(target ? target : &mz_rt.fibers[0], timer->number);
}

static bool is_waiting(uint32_t number)
{
	return mz_timers.armings[number].thread && !mz_timers_object(number)->state;
}

/* Reports whether the timer may expire, now that no thread can go on: not if that ends the program for want of a
 * handler, because a deadlock is a better thing to say. */
static bool may_expire(uint32_t number)
{
	const struct mz_arming *arming = &mz_timers.armings[number];
	const struct mz_timer *timer = &mz_timers.timers[arming->timer];
	if (!is_waiting(number)) return false;
	if (timer->notify == SIGEV_THREAD) return true;
	if (timer->notify == MZ_NOTIFY_CHANNEL) return mz_timer_is_news((uintptr_t)timer->value.sival_ptr);
	const struct sigaction action = mz_signals_action_of(timer->number);
	return mz_signals_is_handler(&action) || is_blocked(timer);
}

bool mz_timers_any_waits(void)
{
	uint32_t n = mz_timers.narmings;
	while (n > 0 && !is_waiting(n)) n--;
	return n > 0;
}

struct mz_fiber *mz_timers_due(void)
{
	uint32_t first = 0;
	for (uint32_t n = 1; n <= mz_timers.narmings; n++)
		if (may_expire(n) && (!first || mz_timers.armings[n].deadline < mz_timers.armings[first].deadline))
			first = n;
	if (!first) return NULL;
	struct mz_fiber *fiber = mz_timers_wake(first);
	mz_timers_asked(first)->state = 1;
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++)
		if (t != fiber->index && mz_rt.fibers[t].state != MZ_FIBER_UNUSED) mz_order(&mz_rt.fibers[t], fiber);
	fiber->state = MZ_FIBER_RUNNING;
	return fiber;
}

/* ---- setting ---- */

static uint64_t length_of(const struct timespec *time)
{
	return mz_time_length(time);
}

static struct timespec spec_of(uint64_t length)
{
	return (struct timespec){(time_t)(length / MZ_SECOND), (long)(length % MZ_SECOND)};
}

/* Returns how long the timer has still to go: 0 if it is not set. One that is late is about to expire. */
static uint64_t left_of(const struct mz_fiber *self, const struct mz_timer *timer, bool armed)
{
	uint64_t deadline = timer->deadline;
	if (!deadline) return 0;
	bool silent = !timer->arming;
	if (silent && deadline <= self->time && timer->interval)
		deadline += ((self->time - deadline) / timer->interval + 1) * timer->interval;
	if (silent) return deadline > self->time ? deadline - self->time : 0;
	if (!armed) return 0;
	return deadline > self->time ? deadline - self->time : 1;
}

/* Returns the deadline that the program asks for: 0 to disarm, MZ_TIME_INVALID. */
static uint64_t deadline_of(const struct mz_fiber *self, const struct mz_timer *timer, int flags,
                            const struct timespec *value)
{
	uint64_t length = length_of(value);
	if (length == MZ_TIME_INVALID || length == 0) return length;
	uint64_t deadline = flags & TIMER_ABSTIME ? mz_time_from(timer->clock, value) : self->time + length;
	return deadline ? deadline : 1;
}

static bool exists(uint32_t number)
{
	return number < MZ_TIMERS_OF_PROCESS || (number < mz_timers.ntimers && mz_timers.timers[number].exists);
}

static void set(uint32_t number, uint64_t deadline, uint64_t interval)
{
	struct mz_timer *timer = &mz_timers.timers[number];
	timer->arming = 0;
	timer->deadline = deadline;
	timer->interval = deadline ? interval : 0;
	timer->overrun = 0;
	if (deadline && timer->notify != SIGEV_NONE) add_arming(number, deadline);
}

/* The timer is about to be set: threads have to look for its signal, and for timers. */
static void expect(uint32_t number)
{
	const struct mz_timer *timer = &mz_timers.timers[number < MZ_TIMERS ? number : 0];
	mz_request_expect(MZ_REQUESTS_SIGNAL);
	if (timer->notify == SIGEV_SIGNAL && timer->number) mz_request_expect_of_process(mz_signals_bit(timer->number));
}

int mz_timer_set(struct mz_fiber *self, uint32_t number, int flags, const struct itimerspec *new,
                 struct itimerspec *old, uintptr_t caller)
{
	mz_spin_forget(self);
	if (new) expect(number);
	uint64_t blocked = begin(self, new != NULL, caller);
	struct mz_timer *timer = &mz_timers.timers[number];
	uint64_t interval = new ? length_of(&new->it_interval) : 0;
	uint64_t deadline = new &&exists(number) ? deadline_of(self, timer, flags, &new->it_value) : 0;
	bool valid = exists(number) && interval != MZ_TIME_INVALID && deadline != MZ_TIME_INVALID;
	bool armed = valid && timer->arming && (new ? end_arming(self, timer->arming, caller) : false);
	if (valid && timer->arming && !new) {
		struct mz_object *object = mz_timers_object(timer->arming);
		mz_object_do(self, object, MZ_OP_LOAD, MZ_READ, 0, caller);
		armed = !object->state;
	}
	uint64_t left = valid ? left_of(self, timer, armed) : 0;
	const struct itimerspec was = {spec_of(left ? timer->interval : 0), spec_of(left)};
	bool starts = valid && new &&deadline && timer->notify != SIGEV_NONE;
	if (valid && new) set(number, deadline, interval);
	uint32_t arming = timer->arming;
	end(self, blocked, caller);
	if (!valid) return EINVAL;
	if (starts) start(self, arming, caller);
	if (old) *old = was;
	return 0;
}

static bool is_clock(clockid_t clock)
{
	if (mz_time_owner_of(clock)) return true;
	return clock >= CLOCK_REALTIME && clock <= CLOCK_TAI && clock != CLOCK_MONOTONIC_RAW &&
	       clock != CLOCK_REALTIME_COARSE && clock != CLOCK_MONOTONIC_COARSE;
}

static struct mz_timer timer_for(const struct mz_fiber *self, clockid_t clock, const struct sigevent *event,
                                 uint32_t number)
{
	struct mz_timer timer = {.exists = true, .clock = clock, .creator = self->index};
	timer.notify = (uint8_t)(event ? event->sigev_notify : SIGEV_SIGNAL);
	timer.number = event ? event->sigev_signo : SIGALRM;
	timer.value.sival_ptr = event ? event->sigev_value.sival_ptr : (void *)(uintptr_t)number;
	if (event && event->sigev_notify == SIGEV_THREAD) timer.function = event->sigev_notify_function;
	return timer;
}

/* Returns the number of the new timer, which is not ready for use. Ends SELF if there are too many. */
static uint32_t make(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t blocked = begin(self, true, caller);
	uint32_t free = MZ_TIMERS_OF_PROCESS, end_of_timers = free + mz_rt.session->configuration.max_threads;
	while (free < mz_timers.ntimers && mz_timers.timers[free].exists) free++;
	if (free < end_of_timers) {
		mz_timers.timers[free] = (struct mz_timer){.exists = true};
		if (free >= mz_timers.ntimers) mz_timers.ntimers = free + 1;
	}
	end(self, blocked, caller);
	if (free == end_of_timers) mz_give_up(MZ_PATH_LIMIT_THREADS);
	return free;
}

int mz_timer_create(struct mz_fiber *self, clockid_t clock, const struct sigevent *event, uint32_t *number,
                    uintptr_t caller)
{
	const struct mz_timer timer = timer_for(self, clock, event, 0);
	bool sends = timer.notify == SIGEV_SIGNAL || timer.notify == SIGEV_THREAD_ID;
	bool known = sends || timer.notify == SIGEV_THREAD || timer.notify == SIGEV_NONE;
	if (!known || !is_clock(clock) || (sends && !mz_signals_is_valid(timer.number))) return EINVAL;
	*number = make(self, caller);
	mz_timers.timers[*number] = timer_for(self, clock, event, *number);
	return 0;
}

int mz_timer_create_for_channel(struct mz_fiber *self, clockid_t clock, uint32_t *number, uintptr_t caller)
{
	const struct sigevent event = {.sigev_notify = MZ_NOTIFY_CHANNEL};
	*number = make(self, caller);
	mz_timers.timers[*number] = timer_for(self, clock, &event, *number);
	return 0;
}

void mz_timer_counts_in(uint32_t number, uint64_t channel)
{
	mz_timers.timers[number].value.sival_ptr = (void *)(uintptr_t)channel; // NOLINT(performance-no-int-to-ptr)
}

int mz_timer_delete(struct mz_fiber *self, uint32_t number, uintptr_t caller)
{
	uint64_t blocked = begin(self, true, caller);
	bool valid = number >= MZ_TIMERS_OF_PROCESS && exists(number);
	if (valid && mz_timers.timers[number].arming) end_arming(self, mz_timers.timers[number].arming, caller);
	if (valid) mz_timers.timers[number] = (struct mz_timer){0};
	end(self, blocked, caller);
	return valid ? 0 : EINVAL;
}

int mz_timer_overrun(struct mz_fiber *self, uint32_t number, int *overrun, uintptr_t caller)
{
	uint64_t blocked = begin(self, false, caller);
	bool valid = number >= MZ_TIMERS_OF_PROCESS && exists(number);
	if (valid) *overrun = (int)mz_timers.timers[number].overrun;
	end(self, blocked, caller);
	return valid ? 0 : EINVAL;
}

/* ---- executions ---- */

void mz_timers_reset(void)
{
	static const int signals[MZ_TIMERS_OF_PROCESS] = {SIGALRM, SIGVTALRM, SIGPROF};
	mz_timers.ntimers = MZ_TIMERS_OF_PROCESS;
	mz_timers.narmings = mz_timers.nexpired = 0;
	for (uint32_t n = 0; n < MZ_TIMERS_OF_PROCESS; n++)
		mz_timers.timers[n] = (struct mz_timer){.exists = true, .notify = SIGEV_SIGNAL, .number = signals[n]};
}

void mz_timers_store(struct mz_state *state)
{
	mz_state_put(state, &mz_timers.ntimers, sizeof mz_timers.ntimers);
	mz_state_put(state, &mz_timers.narmings, sizeof mz_timers.narmings);
	mz_state_put(state, &mz_timers.nexpired, sizeof mz_timers.nexpired);
	mz_state_put(state, mz_timers.timers, mz_timers.ntimers * sizeof *mz_timers.timers);
	mz_state_put(state, mz_timers.armings + 1, mz_timers.narmings * sizeof *mz_timers.armings);
}

void mz_timers_load(struct mz_state *state)
{
	mz_state_get(state, &mz_timers.ntimers, sizeof mz_timers.ntimers);
	mz_state_get(state, &mz_timers.narmings, sizeof mz_timers.narmings);
	mz_state_get(state, &mz_timers.nexpired, sizeof mz_timers.nexpired);
	mz_state_get(state, mz_timers.timers, mz_timers.ntimers * sizeof *mz_timers.timers);
	mz_state_get(state, mz_timers.armings + 1, mz_timers.narmings * sizeof *mz_timers.armings);
}
