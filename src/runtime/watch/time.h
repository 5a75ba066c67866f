/* SPDX-License-Identifier: MIT
 *
 * Virtual time. It moves on only where the program asks for it: by sleeping, by a wait that times out, and by going
 * round a loop that does nothing but look at the clock.
 *
 * Every thread has a time of its own, in nanoseconds since the execution began, and learns of the others' by what
 * happens before: whatever orders two events (an object that both touch, a creation, a join, a wake-up) brings the
 * later thread to at least the time of the earlier. So time never goes back along happens-before, threads that sleep
 * side by side sleep at the same time, and what a thread reads from a clock depends on its past alone. Equivalent
 * executions show the same times: to sleep and to read a clock touch no object, and a program that only logs times has
 * no more executions than without. The price: a thread that neither sleeps nor hears of one that did sees no time pass.
 *
 * As long as nobody's time has moved on there is nothing to learn, and visible operations pay one branch.
 */
#ifndef MZ_RUNTIME_WATCH_TIME_H
#define MZ_RUNTIME_WATCH_TIME_H

#include "runtime/core/core.h"
#include <time.h>

#define MZ_SECOND 1000000000ULL

/* Everybody is at 0 again: for the next execution. */
void mz_time_reset(void);
/* See state.h. The threads' own times are among the members of fibers. */
void mz_time_store(struct mz_state *state);
void mz_time_load(struct mz_state *state);
/* What tells states apart: nothing in a program that never looks. */
void mz_time_identity(struct mz_state *state);

/* Moves the thread's time on: by so many nanoseconds, or to a point in time if that is not past. */
void mz_time_pass(struct mz_fiber *self, uint64_t nanoseconds);
void mz_time_reach(struct mz_fiber *self, uint64_t until);

/* The thread looks at a clock, in a call whose entry was noted (spin.h). If it goes round, time moves on. */
uint64_t mz_time_read(struct mz_fiber *self, uintptr_t caller);

/* The thread has touched its first `naccesses` accesses. */
MZ_COLD void mz_time_meet_slow(struct mz_fiber *self, uint16_t naccesses);

static inline void mz_time_meet(struct mz_fiber *self, uint16_t naccesses)
{
	if (MZ_UNLIKELY(mz_rt.execution.time_moved)) mz_time_meet_slow(self, naccesses);
}

static inline void mz_time_order(const struct mz_fiber *before, struct mz_fiber *after)
{
	if (after->time < before->time) after->time = before->time;
}

/* What a clock of the C library shows at that time, and back: a point before the beginning is 0, invalid ones are
 * MZ_TIME_INVALID, those far away as late as can be. */
#define MZ_TIME_INVALID UINT64_MAX
struct timespec mz_time_on(clockid_t clock, uint64_t time);
uint64_t mz_time_from(clockid_t clock, const struct timespec *shown);
/* Whether it is one of the clocks that waits can be timed by. */
static inline bool mz_time_is_waited_for(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}
/* A length of time; or MZ_TIME_INVALID. */
uint64_t mz_time_length(const struct timespec *length);

#endif
