/* SPDX-License-Identifier: MIT
 *
 * What timers there are (timer.h), and how time passes for threads that know of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_DEADLINE_H
#define MZ_RUNTIME_OBJECTS_DEADLINE_H

#include "runtime/core/core.h"
#include "runtime/objects/signal_actions.h"
#include <signal.h>
#include <time.h>

/* Numbers of timers that every process has: one for each of enum __itimer_which. */
#define MZ_TIMERS_OF_PROCESS 3
#define MZ_TIMERS (MZ_TIMERS_OF_PROCESS + MZ_MAX_THREADS)
#define MZ_ARMINGS 65536 /* more than threads and expirations can make of them */

/* How timers of timerfd_create notify: they count expirations in the channel whose name is `value`. */
#define MZ_NOTIFY_CHANNEL 255

struct mz_timer {
	bool exists;
	uint8_t notify; /* SIGEV_..., MZ_NOTIFY_CHANNEL */
	int number;     /* of its signal */
	clockid_t clock;
	uint32_t creator; /* number of the thread that made it */
	uint32_t arming;  /* number of its latest arming; 0: it was never set, or notifies nobody */
	uint32_t overrun;
	uint64_t deadline; /* of the latest arming; 0: it is not set */
	uint64_t interval;
	union sigval value;
	void (*function)(union sigval);
};

struct mz_arming {
	uint64_t deadline;
	uint32_t timer;
	uint64_t until;  /* the timer, if it has a channel, expires as often as it does until then at once; or 0 */
	uint32_t thread; /* 1 + the number of the thread that waits for time to pass; 0: it does not */
};

/* Of the execution. */
struct mz_timers {
	uint32_t ntimers, narmings; /* how many entries below have been used */
	uint32_t nexpired;          /* number of expirations */
	struct mz_timer timers[MZ_TIMERS];
	struct mz_arming armings[MZ_ARMINGS]; /* from 1 */
};
extern struct mz_timers mz_timers;

/* Return the objects: of all timers; of an arming, whose state is 1 when it is over; and of whether somebody has let time
 * pass beyond its deadline. */
struct mz_object *mz_timers_table(void);
struct mz_object *mz_timers_object(uint32_t arming);
struct mz_object *mz_timers_asked(uint32_t arming);
/* Takes the thread of an arming out of its sleep. */
struct mz_fiber *mz_timers_wake(uint32_t arming);

/* Reports whether the program may have set timers. */
bool mz_timers_may_be_set(void);
/* Lets time pass until then for SELF. If timers are to expire by then, SELF waits for that, and handles signals: if a
 * handler has run, it returns what became of the call, and no more time has passed than the timer took. */
enum mz_interrupted mz_timers_reach(struct mz_fiber *self, uint64_t until, uintptr_t caller);

/* Returns the deadline of the next timer that has a channel, later than SELF's time, by an operation; at most `until`. */
uint64_t mz_timers_next(struct mz_fiber *self, uint64_t until, uintptr_t caller);

/* Returns what time it is for SELF, in a call as of mz_time_read(): timers have expired by then. */
uint64_t mz_timers_look(struct mz_fiber *self, uintptr_t caller);

#endif
