/* SPDX-License-Identifier: MIT
 *
 * Waiting for time to pass: in an execution it passes at once, and others may go first.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/access.h"
#include "runtime/image.h"
#include "runtime/real.h"
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int mz_entry_sched_yield(void);
int mz_entry_sched_yield(void)
{
	if (!MZ_SELF()) return MZ_REAL(sched_yield)();
	mz_yield_now(mz_current, MZ_CALLER());
	return 0;
}

unsigned mz_entry_sleep(unsigned seconds);
unsigned mz_entry_sleep(unsigned seconds)
{
	if (!MZ_SELF()) return MZ_REAL(sleep)(seconds);
	mz_yield_now(mz_current, MZ_CALLER());
	return 0;
}

int mz_entry_usleep(useconds_t time);
int mz_entry_usleep(useconds_t time)
{
	if (!MZ_SELF()) return MZ_REAL(usleep)(time);
	mz_yield_now(mz_current, MZ_CALLER());
	return 0;
}

static void nothing_left(struct timespec *left)
{
	if (left) *left = (struct timespec){0, 0};
}

int mz_entry_nanosleep(const struct timespec *time, struct timespec *left);
int mz_entry_nanosleep(const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(nanosleep)(time, left);
	mz_yield_now(mz_current, MZ_CALLER());
	nothing_left(left);
	return 0;
}

int mz_entry_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left);
int mz_entry_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(clock_nanosleep)(clock, flags, time, left);
	mz_yield_now(mz_current, MZ_CALLER());
	nothing_left(left);
	return 0;
}

void mz_entry_thrd_yield(void);
void mz_entry_thrd_yield(void)
{
	if (!MZ_SELF())
		MZ_REAL(thrd_yield)();
	else
		mz_yield_now(mz_current, MZ_CALLER());
}

int mz_entry_thrd_sleep(const struct timespec *time, struct timespec *left);
int mz_entry_thrd_sleep(const struct timespec *time, struct timespec *left)
{
	if (!MZ_SELF()) return MZ_REAL(thrd_sleep)(time, left);
	mz_yield_now(mz_current, MZ_CALLER());
	nothing_left(left);
	return 0;
}
