/* SPDX-License-Identifier: MIT
 *
 * Timers of the process and those that the program makes: see objects/timer.h and channels/timer_channel.h.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

MZ_HOOKS_DECLARE(TIMERS)

static int status(int error)
{
	if (!error) return 0;
	errno = error;
	return -1;
}

/* ---- those of the process ---- */

static struct itimerspec in_nanoseconds(const struct itimerval *value)
{
	return (struct itimerspec){{value->it_interval.tv_sec, value->it_interval.tv_usec * 1000},
	                           {value->it_value.tv_sec, value->it_value.tv_usec * 1000}};
}

/* What is left of a timer that is set is never 0. */
static struct timeval in_microseconds(const struct timespec *time)
{
	struct timeval value = {time->tv_sec, time->tv_nsec / 1000};
	if (!value.tv_sec && !value.tv_usec && time->tv_nsec) value.tv_usec = 1;
	return value;
}

/* Sets the timer that alarm() and setitimer() share. Returns what was left of it. */
static struct timespec set_alarm(struct mz_fiber *self, uint64_t first, uint64_t interval, uintptr_t caller)
{
	const struct itimerspec new = {{(time_t)(interval / MZ_SECOND), (long)(interval % MZ_SECOND)},
	                               {(time_t)(first / MZ_SECOND), (long)(first % MZ_SECOND)}};
	struct itimerspec old;
	mz_timer_set(self, ITIMER_REAL, 0, &new, &old, caller);
	return old.it_value;
}

unsigned mz_entry_alarm(unsigned seconds)
{
	if (!MZ_SELF()) return MZ_REAL(alarm)(seconds);
	struct timespec left = set_alarm(mz_current, seconds * MZ_SECOND, 0, MZ_CALLER());
	bool up = left.tv_nsec >= 500000000 || (!left.tv_sec && left.tv_nsec);
	return (unsigned)left.tv_sec + up;
}

useconds_t mz_entry_ualarm(useconds_t first, useconds_t interval)
{
	if (!MZ_SELF()) return MZ_REAL(ualarm)(first, interval);
	struct timespec left = set_alarm(mz_current, first * 1000ULL, interval * 1000ULL, MZ_CALLER());
	return (useconds_t)(left.tv_sec * 1000000 + left.tv_nsec / 1000);
}

/* Sets the timer unless `new` is NULL. Returns 0 or an error number. */
static int set_of_process(struct mz_fiber *self, int which, const struct itimerval *new, struct itimerval *old,
                          uintptr_t caller)
{
	struct itimerspec next, was;
	if (which < 0 || which >= MZ_TIMERS_OF_PROCESS) return EINVAL;
	if (new) next = in_nanoseconds(new);
	int error = mz_timer_set(self, (uint32_t)which, 0, new ? &next : NULL, &was, caller);
	if (error) return error;
	const struct itimerval before = {in_microseconds(&was.it_interval), in_microseconds(&was.it_value)};
	mz_plain_result(self, old, &before, sizeof before, caller);
	return 0;
}

int mz_entry_setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
	if (!MZ_SELF()) return MZ_REAL(setitimer)(which, new, old);
	static const struct itimerval none;
	return status(set_of_process(mz_current, (int)which, new ? new : &none, old, MZ_CALLER()));
}

int mz_entry_getitimer(__itimer_which_t which, struct itimerval *value)
{
	if (!MZ_SELF()) return MZ_REAL(getitimer)(which, value);
	mz_timers_look(mz_current, MZ_CALLER());
	return status(set_of_process(mz_current, (int)which, NULL, value, MZ_CALLER()));
}

/* ---- those that the program makes ---- */

static uint32_t number_of(timer_t timer)
{
	return (uint32_t)(uintptr_t)timer;
}

int mz_entry_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	if (!MZ_SELF()) return MZ_REAL(timer_create)(clock, event, timer);
	uint32_t number;
	int error = mz_timer_create(mz_current, clock, event, &number, MZ_CALLER());
	if (error) return status(error);
	MZ_RESULT(mz_current, timer, (timer_t)(uintptr_t)number, MZ_CALLER());
	return 0;
}

int mz_entry_timer_delete(timer_t timer)
{
	if (!MZ_SELF()) return MZ_REAL(timer_delete)(timer);
	return status(mz_timer_delete(mz_current, number_of(timer), MZ_CALLER()));
}

int mz_entry_timer_settime(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	if (!MZ_SELF()) return MZ_REAL(timer_settime)(timer, flags, new, old);
	struct itimerspec was;
	if (!new) return status(EINVAL);
	int error = mz_timer_set(mz_current, number_of(timer), flags, new, &was, MZ_CALLER());
	if (!error) mz_plain_result(mz_current, old, &was, sizeof was, MZ_CALLER());
	return status(error);
}

int mz_entry_timer_gettime(timer_t timer, struct itimerspec *value)
{
	if (!MZ_SELF()) return MZ_REAL(timer_gettime)(timer, value);
	struct itimerspec was;
	mz_timers_look(mz_current, MZ_CALLER());
	int error = mz_timer_set(mz_current, number_of(timer), 0, NULL, &was, MZ_CALLER());
	if (!error) mz_plain_result(mz_current, value, &was, sizeof was, MZ_CALLER());
	return status(error);
}

int mz_entry_timer_getoverrun(timer_t timer)
{
	if (!MZ_SELF()) return MZ_REAL(timer_getoverrun)(timer);
	int overrun = 0;
	int error = mz_timer_overrun(mz_current, number_of(timer), &overrun, MZ_CALLER());
	return error ? status(error) : overrun;
}

/* ---- those that are read ---- */

/* Refuses the descriptor if it is a timer of the kernel's, from before main. */
static void refuse_of_kernel(int fd)
{
	struct itimerspec value;
	int error = errno;
	if (MZ_REAL(timerfd_gettime)(fd, &value) == 0)
		mz_unsupported("it uses a timer that was made by timerfd_create() before main: make it in main");
	errno = error;
}

int mz_entry_timerfd_create(clockid_t clock, int flags)
{
	if (!MZ_SELF()) return MZ_REAL(timerfd_create)(clock, flags);
	int number = mz_timer_channel_make(mz_current, clock, flags, MZ_CALLER());
	return number < 0 ? status(-number) : number;
}

int mz_entry_timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	if (!MZ_SELF()) return MZ_REAL(timerfd_settime)(fd, flags, new, old);
	struct itimerspec was;
	if (!mz_descriptor_is_ours(fd)) {
		refuse_of_kernel(fd);
		return MZ_REAL(timerfd_settime)(fd, flags, new, NULL);
	}
	int error = mz_timer_channel_set(mz_current, fd, flags, new, &was, MZ_CALLER());
	if (!error) mz_plain_result(mz_current, old, &was, sizeof was, MZ_CALLER());
	return status(error);
}

int mz_entry_timerfd_gettime(int fd, struct itimerspec *value)
{
	if (!MZ_SELF()) return MZ_REAL(timerfd_gettime)(fd, value);
	struct itimerspec was;
	if (!mz_descriptor_is_ours(fd)) {
		refuse_of_kernel(fd);
		return MZ_REAL(timerfd_gettime)(fd, value);
	}
	mz_timers_look(mz_current, MZ_CALLER());
	int error = mz_timer_channel_set(mz_current, fd, 0, NULL, &was, MZ_CALLER());
	if (!error) mz_plain_result(mz_current, value, &was, sizeof was, MZ_CALLER());
	return status(error);
}
