/* SPDX-License-Identifier: MIT
 *
 * pthread: threads, mutexes, conditions. What is not modelled is in unsupported.c.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

MZ_HOOKS_DECLARE(PTHREAD)

/* ---- threads ---- */

static int create_outside(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument)
{
	int state = PTHREAD_CREATE_JOINABLE;
	if (attributes) pthread_attr_getdetachstate(attributes, &state);
	int error = MZ_REAL(pthread_create)(thread, attributes, function, argument);
	if (MZ_IS_EARLY() && !error && state == PTHREAD_CREATE_JOINABLE) mz_early_thread_created();
	return error;
}

int mz_entry_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                            void *argument)
{
	if (!MZ_SELF()) return create_outside(thread, attributes, function, argument);
	struct mz_thread_start start = {.function = (void *)function, .argument = argument};
	struct mz_attributes room;
	int refused = mz_attributes_prepare(attributes, &room, &start.attributes);
	if (refused) return refused;
	if (mz_fails(mz_current, MZ_FAULT_PTHREAD_CREATE, MZ_CALLER())) return EAGAIN;
	mz_thread_handle_written(mz_current, thread, sizeof *thread, MZ_CALLER());
	*thread = mz_thread_handle(mz_thread_create(mz_current, &start, MZ_CALLER()));
	return 0;
}

MZ_COLD static int join_outside(pthread_t thread, void **result, bool early)
{
	int error = MZ_REAL(pthread_join)(mz_early_real_handle(thread), result);
	if (early && !error) mz_early_thread_over();
	return error;
}

int mz_entry_pthread_join(pthread_t thread, void **result)
{
	if (!MZ_SELF()) return join_outside(thread, result, MZ_IS_EARLY());
	return mz_thread_join(mz_current, thread, result, MZ_CALLER());
}

int mz_entry_pthread_detach(pthread_t thread)
{
	if (!MZ_SELF()) {
		int error = MZ_REAL(pthread_detach)(mz_early_real_handle(thread));
		if (MZ_IS_EARLY() && !error) mz_early_thread_over();
		return error;
	}
	return mz_thread_detach(mz_current, thread, MZ_CALLER());
}

MZ_EXPORT void pthread_exit(void *result)
{
	if (!MZ_SELF()) MZ_REAL(pthread_exit)(result);
	mz_thread_exit(mz_current, result, MZ_CALLER());
}

MZ_EXPORT pthread_t pthread_self(void)
{
	if (MZ_SELF()) return mz_thread_handle(mz_current);
	return MZ_IS_EARLY() && mz_early_is_first() ? mz_thread_handle(&mz_rt.fibers[0]) : MZ_REAL(pthread_self)();
}

#undef pthread_equal
MZ_EXPORT int pthread_equal(pthread_t a, pthread_t b)
{
	return a == b;
}

/* ---- mutexes ---- */

int mz_entry_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	if (MZ_SELF()) {
		if (mz_fails(mz_current, MZ_FAULT_PTHREAD_MUTEX_INIT, MZ_CALLER())) return ENOMEM;
		mz_race_access(mz_current, (uintptr_t)mutex, sizeof *mutex, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)mutex, MZ_CALLER());
	}
	return MZ_REAL(pthread_mutex_init)(mutex, attributes);
}

int mz_entry_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_mutex_destroy)(mutex);
	return mz_mutex_destroy(mz_current, mutex, MZ_CALLER());
}

/* Locks outside of executions. A function of its own, so that the one which executions call most needs few
 * registers. */
MZ_COLD static int lock_outside(pthread_mutex_t *mutex, uintptr_t caller)
{
	return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(pthread_mutex_lock)(mutex), caller);
}

MZ_COLD static int unlock_outside(pthread_mutex_t *mutex, uintptr_t caller)
{
	return mz_early_unlocked(mutex, MZ_REAL(pthread_mutex_unlock)(mutex), caller);
}

int mz_entry_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (!MZ_SELF()) return lock_outside(mutex, MZ_CALLER());
	return mz_mutex_lock(mz_current, mutex, MZ_CALLER());
}

int mz_entry_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(pthread_mutex_trylock)(mutex), MZ_CALLER());
	return mz_mutex_trylock(mz_current, mutex, MZ_CALLER());
}

int mz_entry_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(pthread_mutex_timedlock)(mutex, until),
		                       MZ_CALLER());
	return mz_mutex_timedlock(mz_current, mutex, mz_time_from(CLOCK_REALTIME, until), MZ_CALLER());
}

int mz_entry_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(pthread_mutex_clocklock)(mutex, clock, until),
		                       MZ_CALLER());
	if (!mz_time_is_waited_for(clock)) return EINVAL;
	return mz_mutex_timedlock(mz_current, mutex, mz_time_from(clock, until), MZ_CALLER());
}

int mz_entry_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (!MZ_SELF()) return unlock_outside(mutex, MZ_CALLER());
	return mz_mutex_unlock(mz_current, mutex, MZ_CALLER());
}

/* Priorities change nothing: a priority ceiling is only stored, where the C library stores it. */
#define PROTECTED 64 /* bits of the C library, in __kind and in __lock */
#define CEILING 19

static int get_ceiling(const pthread_mutex_t *mutex)
{
	return (int)((unsigned)mutex->__data.__lock >> CEILING);
}

int mz_entry_pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_mutex_getprioceiling)(mutex, ceiling);
	if (!(mutex->__data.__kind & PROTECTED)) return EINVAL;
	MZ_RESULT(mz_current, ceiling, get_ceiling(mutex), MZ_CALLER());
	return 0;
}

int mz_entry_pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_mutex_setprioceiling)(mutex, ceiling, old);
	bool possible = ceiling >= sched_get_priority_min(SCHED_FIFO) && ceiling <= sched_get_priority_max(SCHED_FIFO);
	if (!(mutex->__data.__kind & PROTECTED) || !possible) return EINVAL;
	int error = mz_mutex_lock(mz_current, mutex, MZ_CALLER());
	if (error && error != EOWNERDEAD) return error;
	MZ_RESULT(mz_current, old, get_ceiling(mutex), MZ_CALLER());
	mutex->__data.__lock = (int)((unsigned)ceiling << CEILING);
	return mz_mutex_unlock(mz_current, mutex, MZ_CALLER());
}

/* ---- conditions ---- */

int mz_entry_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
	if (MZ_SELF()) {
		if (mz_fails(mz_current, MZ_FAULT_PTHREAD_COND_INIT, MZ_CALLER())) return ENOMEM;
		mz_race_access(mz_current, (uintptr_t)condition, sizeof *condition, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)condition, MZ_CALLER());
	}
	return MZ_REAL(pthread_cond_init)(condition, attributes);
}

int mz_entry_pthread_cond_destroy(pthread_cond_t *condition)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_destroy)(condition);
	return mz_condition_destroy(mz_current, condition, MZ_CALLER());
}

int mz_entry_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_wait)(condition, mutex);
	if (mz_fails_once(mz_current, MZ_FAULT_PTHREAD_COND_WAIT_SPURIOUS, MZ_CALLER()))
		return mz_mutex_unlock_and_lock(mz_current, mutex, MZ_CALLER());
	return mz_condition_wait(mz_current, condition, mutex, MZ_CALLER());
}

/* Returns the clock of a condition's attributes, from where the C library stores it. */
static clockid_t clock_of(const pthread_cond_t *condition)
{
	return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int mz_entry_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_timedwait)(condition, mutex, until);
	uint64_t time = mz_time_from(clock_of(condition), until);
	return mz_condition_timedwait(mz_current, condition, mutex, time, MZ_CALLER());
}

int mz_entry_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                    const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
	if (!mz_time_is_waited_for(clock)) return EINVAL;
	return mz_condition_timedwait(mz_current, condition, mutex, mz_time_from(clock, until), MZ_CALLER());
}

int mz_entry_pthread_cond_signal(pthread_cond_t *condition)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_signal)(condition);
	return mz_condition_signal(mz_current, condition, MZ_CALLER());
}

int mz_entry_pthread_cond_broadcast(pthread_cond_t *condition)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cond_broadcast)(condition);
	return mz_condition_broadcast(mz_current, condition, MZ_CALLER());
}

int mz_entry_pthread_mutex_consistent(pthread_mutex_t *mutex)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_mutex_consistent)(mutex);
	return mz_mutex_consistent(mz_current, mutex);
}
