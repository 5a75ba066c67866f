/* SPDX-License-Identifier: MIT
 *
 * Clocks, and waiting for time to pass: in an execution both are virtual (time.h). To sleep is to let others go first.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* ftime */

MZ_HOOKS_DECLARE(TIME)

/* ---- yielding and sleeping ---- */

int mz_entry_sched_yield(void)
{
	if (!MZ_SELF()) return MZ_REAL(sched_yield)();
	mz_yield_now(mz_current, MZ_CALLER());
	return 0;
}

void mz_entry_thrd_yield(void)
{
	if (!MZ_SELF())
		MZ_REAL(thrd_yield)();
	else
		mz_yield_now(mz_current, MZ_CALLER());
}

/* Lets other threads go first, also those that cancel SELF or interrupt it by a signal. Reports whether SELF was
 * interrupted before time has passed. */
static bool is_interrupted(struct mz_fiber *self, uintptr_t caller)
{
	const struct mz_caller noted = mz_caller_keep();
	mz_yield_now(self, caller);
	mz_caller_again(&noted);
	return mz_request_poll(self, caller) != MZ_INTERRUPTED_NOT;
}

/* Returns how much of the time is left: 0 unless SELF was interrupted. */
static uint64_t sleep_for(struct mz_fiber *self, uint64_t nanoseconds, uintptr_t caller)
{
	uint64_t until = mz_time_after(self, nanoseconds);
	if (is_interrupted(self, caller)) return nanoseconds;
	self->clock_rounds = 0;
	if (mz_timers_reach(self, until, caller) == MZ_INTERRUPTED_NOT) return 0;
	return until > self->time ? until - self->time : 1;
}

static int status(int error)
{
	if (!error) return 0;
	errno = error;
	return -1;
}

unsigned mz_entry_sleep(unsigned seconds)
{
	if (!MZ_SELF()) return MZ_REAL(sleep)(seconds);
	uint64_t left = sleep_for(mz_current, seconds * MZ_SECOND, MZ_CALLER());
	return (unsigned)((left + MZ_SECOND / 2) / MZ_SECOND) + (left && left < MZ_SECOND / 2);
}

int mz_entry_usleep(useconds_t time)
{
	if (!MZ_SELF()) return MZ_REAL(usleep)(time);
	return status(sleep_for(mz_current, time * 1000ULL, MZ_CALLER()) ? EINTR : 0);
}

/* 0 or an error number. */
static int sleep_length(struct mz_fiber *self, const struct timespec *time, struct timespec *left, uintptr_t caller)
{
	uint64_t length = mz_time_length(time);
	if (length == MZ_TIME_INVALID) return EINVAL;
	uint64_t rest = sleep_for(self, length, caller);
	const struct timespec shown = {(time_t)(rest / MZ_SECOND), (long)(rest % MZ_SECOND)};
	if (rest) mz_plain_result(self, left, &shown, sizeof shown, caller);
	return rest ? EINTR : 0;
}

int mz_entry_nanosleep(const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(nanosleep)(time, left);
	return status(sleep_length(mz_current, time, left, MZ_CALLER()));
}

static bool is_clock(clockid_t clock)
{
	int error = errno;
	if (mz_time_owner_of(clock)) return true;
	bool is = MZ_REAL(clock_getres)(clock, NULL) == 0;
	errno = error;
	return is;
}

int mz_entry_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(clock_nanosleep)(clock, flags, time, left);
	if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID || mz_time_owner_of(clock) == mz_current)
		return EINVAL;
	if (clock >= CLOCK_MONOTONIC_RAW && clock <= CLOCK_MONOTONIC_COARSE) return EOPNOTSUPP;
	if ((flags & TIMER_ABSTIME) && time->tv_sec < 0) return EINVAL;
	if (!(flags & TIMER_ABSTIME)) return sleep_length(mz_current, time, left, MZ_CALLER());
	uint64_t until = mz_time_from(clock, time);
	if (until == MZ_TIME_INVALID) return EINVAL;
	if (is_interrupted(mz_current, MZ_CALLER())) return EINTR;
	return mz_timers_reach(mz_current, until, MZ_CALLER()) == MZ_INTERRUPTED_NOT ? 0 : EINTR;
}

int mz_entry_thrd_sleep(const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(thrd_sleep)(time, left);
	int error = sleep_length(mz_current, time, left, MZ_CALLER());
	return error == EINTR ? -1 : error ? -2 : 0;
}

/* ---- clocks: their entries are noted (x86_64/entry.S) ---- */

int mz_entry_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (!MZ_SELF() || !is_clock(clock)) return MZ_REAL(clock_gettime)(clock, time);
	const struct timespec now = mz_time_on(clock, mz_timers_look(mz_current, MZ_CALLER()));
	mz_plain_result(mz_current, time, &now, sizeof now, MZ_CALLER());
	return 0;
}

int mz_entry_clock_getres(clockid_t clock, struct timespec *resolution)
{
	if (!MZ_SELF() || !mz_time_owner_of(clock)) return MZ_REAL(clock_getres)(clock, resolution);
	const struct timespec nanosecond = {0, 1};
	mz_plain_result(mz_current, resolution, &nanosecond, sizeof nanosecond, MZ_CALLER());
	return 0;
}

MZ_EXPORT int clock_settime(clockid_t clock, const struct timespec *time)
{
	if (!MZ_SELF()) return MZ_REAL(clock_settime)(clock, time);
	bool own = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || mz_time_owner_of(clock);
	bool valid = time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)MZ_SECOND;
	errno = own || (clock == CLOCK_REALTIME && valid) ? EPERM : EINVAL;
	return -1;
}

int mz_entry_gettimeofday(struct timeval *time, void *zone)
{
	if (!MZ_SELF()) return MZ_REAL(gettimeofday)(time, zone);
	struct timespec now = mz_time_on(CLOCK_REALTIME, mz_timers_look(mz_current, MZ_CALLER()));
	const struct timeval short_now = {now.tv_sec, now.tv_nsec / 1000};
	const struct timezone none = {0, 0};
	mz_plain_result(mz_current, time, &short_now, sizeof short_now, MZ_CALLER());
	mz_plain_result(mz_current, zone, &none, sizeof none, MZ_CALLER());
	return 0;
}

time_t mz_entry_time(time_t *time_)
{
	if (!MZ_SELF()) return MZ_REAL(time)(time_);
	time_t now = mz_time_on(CLOCK_REALTIME, mz_timers_look(mz_current, MZ_CALLER())).tv_sec;
	MZ_RESULT(mz_current, time_, now, MZ_CALLER());
	return now;
}

int mz_entry_timespec_get(struct timespec *time, int base)
{
	if (!MZ_SELF()) return MZ_REAL(timespec_get)(time, base);
	if (base != TIME_UTC) return 0;
	const struct timespec now = mz_time_on(CLOCK_REALTIME, mz_timers_look(mz_current, MZ_CALLER()));
	mz_plain_result(mz_current, time, &now, sizeof now, MZ_CALLER());
	return base;
}

int mz_entry_ftime(struct timeb *time)
{
	if (!MZ_SELF()) return MZ_REAL(ftime)(time);
	const struct timespec now = mz_time_on(CLOCK_REALTIME, mz_timers_look(mz_current, MZ_CALLER()));
	const struct timeb short_now = {.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
	mz_plain_result(mz_current, time, &short_now, sizeof short_now, MZ_CALLER());
	return 0;
}

clock_t mz_entry_clock(void)
{
	if (!MZ_SELF()) return MZ_REAL(clock)();
	return (clock_t)(mz_timers_look(mz_current, MZ_CALLER()) / (MZ_SECOND / CLOCKS_PER_SEC));
}

clock_t mz_entry_times(struct tms *times_)
{
	if (!MZ_SELF()) return MZ_REAL(times)(times_);
	clock_t ticks =
	    (clock_t)(mz_timers_look(mz_current, MZ_CALLER()) / (MZ_SECOND / (uint64_t)sysconf(_SC_CLK_TCK)));
	const struct tms used = {.tms_utime = ticks};
	mz_plain_result(mz_current, times_, &used, sizeof used, MZ_CALLER());
	return ticks;
}
