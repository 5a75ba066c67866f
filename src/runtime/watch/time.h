/* SPDX-License-Identifier: MIT
 *
 * Virtual time. It moves on where the program sleeps, where a wait times out, and by a little wherever the program looks
 * at a clock: by more and more in loops that wait for it.
 *
 * Every thread has a time of its own, in nanoseconds since the execution began, and learns of the others' by what
 * happens before: whatever orders two events (an object that both touch, a creation, a join, a wake-up) brings the
 * later thread to at least the time of the earlier. So time never goes back along happens-before, threads that sleep
 * side by side sleep at the same time, and what a thread reads from a clock depends on its past alone. Equivalent
 * executions show the same times: to sleep and to read a clock touch no object, and a program that only logs times has
 * no more executions than without. The price: a thread that does not hear of one that slept sees hardly any time pass.
 *
 * As long as nobody's time has moved on there is nothing to learn, and visible operations pay one branch.
 */
#ifndef MZ_RUNTIME_WATCH_TIME_H
#define MZ_RUNTIME_WATCH_TIME_H

#include "runtime/core/core.h"
#include <time.h>

#define MZ_SECOND 1000000000ULL

/* Sets the time of all threads to 0, for the next execution. */
void mz_time_reset(void);
/* See state.h. The threads' own times are among the members of fibers. */
void mz_time_store(struct mz_state *state);
void mz_time_load(struct mz_state *state);
/* Puts into `state` the times that tell states apart: none in a program that never reads a clock. */
void mz_time_identity(struct mz_state *state);

/* Returns the thread's time so much later. */
uint64_t mz_time_after(const struct mz_fiber *self, uint64_t nanoseconds);
/* Advances the thread's time to `until`, unless that is past. Where timers may have to expire before: mz_timers_reach()
 * in objects/timer.h. */
void mz_time_reach(struct mz_fiber *self, uint64_t until);

/* Returns the thread's time, in a call whose entry was noted (spin.h), after some of it has passed. How much depends on
 * what the thread has done since it last read a clock there: see docs/internals/runtime-watch.md. */
uint64_t mz_time_read(struct mz_fiber *self, uintptr_t caller);

/* Brings SELF to the latest time of those who have touched the objects of its first `naccesses` accesses, and notes its
 * own. */
MZ_COLD void mz_time_meet_slow(struct mz_fiber *self, uint16_t naccesses);

/* The same, without a call as long as no thread's time has moved. */
static inline void mz_time_meet(struct mz_fiber *self, uint16_t naccesses)
{
	if (MZ_UNLIKELY(mz_rt.execution.time_moved)) mz_time_meet_slow(self, naccesses);
}

/* Brings `after` to at least the time of `before`. */
static inline void mz_time_order(const struct mz_fiber *before, struct mz_fiber *after)
{
	if (after->time < before->time) after->time = before->time;
}

/* Return what a clock of the C library shows at a time; and the time at which it shows `shown`: 0 if that is before the
 * beginning, MZ_TIME_INVALID if it is invalid, at most the latest time that there is. */
#define MZ_TIME_INVALID UINT64_MAX
struct timespec mz_time_on(clockid_t clock, uint64_t time);
uint64_t mz_time_from(clockid_t clock, const struct timespec *shown);
/* Returns the clock of processor time of a thread (pthread_getcpuclockid). Processor time is not measured: the clock shows
 * whoever looks at it its own time. */
clockid_t mz_time_clock_of(const struct mz_fiber *fiber);
/* Returns the thread whose clock it is, or NULL. */
const struct mz_fiber *mz_time_owner_of(clockid_t clock);
/* Reports whether waits can be timed by the clock. */
static inline bool mz_time_is_waited_for(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}
/* Returns a length of time in nanoseconds, or MZ_TIME_INVALID. */
uint64_t mz_time_length(const struct timespec *length);

#endif
