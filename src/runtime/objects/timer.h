/* SPDX-License-Identifier: MIT
 *
 * Timers that the program sets: alarm, setitimer, timer_create, timerfd_create. A timer that is set is a thread of its own, which does
 * nothing but expire. Its own time is the deadline, and it waits until time gets there: until a thread that knows of it
 * lets time pass beyond the deadline, or until no thread can go on. Then it may expire at any time. Timers for which no
 * thread can go on are the earliest first. To expire is a section (schedule/section.c), in which the timer is over and
 * its signal is raised.
 *
 * What timers there are is one object, which all calls about timers touch. Each time that a timer is set is an object of
 * its own, an *arming*, whose state is 1 once it is over: the timer has expired, was set again or deleted. Whoever lets
 * time pass beyond a deadline that is known to it waits for that.
 */
#ifndef MZ_RUNTIME_OBJECTS_TIMER_H
#define MZ_RUNTIME_OBJECTS_TIMER_H

#include "runtime/core/core.h"
#include "runtime/objects/deadline.h"
#include <signal.h>
#include <time.h>

/* These return 0 or an error number, and are what the functions of the C library are called that they are for. */
int mz_timer_create(struct mz_fiber *self, clockid_t clock, const struct sigevent *event, uint32_t *timer,
                    uintptr_t caller);
/* Makes a timer that counts how often it expires, once mz_timer_counts_in() has said in which channel, by its name. */
int mz_timer_create_for_channel(struct mz_fiber *self, clockid_t clock, uint32_t *timer, uintptr_t caller);
void mz_timer_counts_in(uint32_t timer, uint64_t channel);
int mz_timer_delete(struct mz_fiber *self, uint32_t timer, uintptr_t caller);
/* Sets the timer, unless `new` is NULL, and stores what it was set to, unless `old` is NULL. */
int mz_timer_set(struct mz_fiber *self, uint32_t timer, int flags, const struct itimerspec *new, struct itimerspec *old,
                 uintptr_t caller);
/* Stores how often the timer expired while its last signal was still pending. */
int mz_timer_overrun(struct mz_fiber *self, uint32_t timer, int *overrun, uintptr_t caller);

/* Returns the timer that expires next of those that wait for all threads, to run until its next operation; or NULL.
 * Called when no thread can go on. */
struct mz_fiber *mz_timers_due(void);
/* Reports whether a timer is set that may expire once no thread can go on. */
bool mz_timers_any_waits(void);

/* See state.h and parts.h. */
void mz_timers_reset(void);
void mz_timers_store(struct mz_state *state);
void mz_timers_load(struct mz_state *state);

#endif
