/* SPDX-License-Identifier: MIT
 *
 * C11 threads: the same models behind other names. In the C library mtx_t and cnd_t are laid out as pthread_mutex_t and
 * pthread_cond_t, and thrd_t is pthread_t.
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
#include <threads.h>

MZ_HOOKS_DECLARE(THREADS)

static int status(int error)
{
	switch (error) {
	case 0: return thrd_success;
	case EBUSY: return thrd_busy;
	case ETIMEDOUT: return thrd_timedout;
	case ENOMEM: return thrd_nomem;
	default: return thrd_error;
	}
}

static pthread_mutex_t *mutex_of(mtx_t *mutex)
{
	return (pthread_mutex_t *)mutex;
}

static pthread_cond_t *condition_of(cnd_t *condition)
{
	return (pthread_cond_t *)condition;
}

/* ---- threads ---- */

int mz_entry_thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	if (!MZ_SELF()) {
		int result = MZ_REAL(thrd_create)(thread, function, argument);
		if (MZ_IS_EARLY() && result == thrd_success) mz_early_thread_created();
		return result;
	}
	if (mz_fails(mz_current, MZ_FAULT_PTHREAD_CREATE, MZ_CALLER())) return thrd_nomem;
	struct mz_thread_start start = {.function = (void *)function, .argument = argument, .c11 = true};
	struct mz_attributes room;
	int refused = mz_attributes_prepare(NULL, &room, &start.attributes);
	if (refused) return status(refused);
	mz_thread_handle_written(mz_current, thread, sizeof *thread, MZ_CALLER());
	*thread = mz_thread_handle(mz_thread_create(mz_current, &start, MZ_CALLER()));
	return thrd_success;
}

int mz_entry_thrd_join(thrd_t thread, int *result)
{
	if (!MZ_SELF()) {
		int done = MZ_REAL(thrd_join)(mz_early_real_handle(thread), result);
		if (MZ_IS_EARLY() && done == thrd_success) mz_early_thread_over();
		return done;
	}
	int error = mz_thread_join(mz_current, thread, NULL, MZ_CALLER());
	if (error || !result) return status(error);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	MZ_RESULT(mz_current, result, (int)(intptr_t)fiber->result, MZ_CALLER());
	if (MZ_UNLIKELY(__mz_sym_active)) __mz_sym_copy(result, &fiber->result, sizeof *result);
	return thrd_success;
}

int mz_entry_thrd_detach(thrd_t thread)
{
	if (!MZ_SELF()) {
		int done = MZ_REAL(thrd_detach)(mz_early_real_handle(thread));
		if (MZ_IS_EARLY() && done == thrd_success) mz_early_thread_over();
		return done;
	}
	return status(mz_thread_detach(mz_current, thread, MZ_CALLER()));
}

MZ_EXPORT void thrd_exit(int result)
{
	if (!MZ_SELF()) MZ_REAL(thrd_exit)(result);
	mz_thread_exit(mz_current, (void *)(intptr_t)result, MZ_CALLER());
}

MZ_EXPORT thrd_t thrd_current(void)
{
	if (MZ_SELF()) return mz_thread_handle(mz_current);
	return MZ_IS_EARLY() && mz_early_is_first() ? mz_thread_handle(&mz_rt.fibers[0]) : MZ_REAL(thrd_current)();
}

#undef thrd_equal
MZ_EXPORT int thrd_equal(thrd_t a, thrd_t b)
{
	return a == b;
}

/* ---- mutexes ---- */

int mz_entry_mtx_init(mtx_t *mutex, int type)
{
	if (MZ_SELF()) {
		if (mz_fails(mz_current, MZ_FAULT_PTHREAD_MUTEX_INIT, MZ_CALLER())) return thrd_error;
		mz_race_access(mz_current, (uintptr_t)mutex, sizeof *mutex, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)mutex, MZ_CALLER());
	}
	return MZ_REAL(mtx_init)(mutex, type);
}

void mz_entry_mtx_destroy(mtx_t *mutex)
{
	if (MZ_SELF())
		mz_mutex_destroy(mz_current, mutex_of(mutex), MZ_CALLER());
	else
		MZ_REAL(mtx_destroy)(mutex);
}

int mz_entry_mtx_lock(mtx_t *mutex)
{
	if (!MZ_SELF()) return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(mtx_lock)(mutex), MZ_CALLER());
	return status(mz_mutex_lock(mz_current, mutex_of(mutex), MZ_CALLER()));
}

int mz_entry_mtx_trylock(mtx_t *mutex)
{
	if (!MZ_SELF()) return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(mtx_trylock)(mutex), MZ_CALLER());
	return status(mz_mutex_trylock(mz_current, mutex_of(mutex), MZ_CALLER()));
}

int mz_entry_mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_MUTEX, mutex, MZ_REAL(mtx_timedlock)(mutex, until), MZ_CALLER());
	uint64_t time = mz_time_from(CLOCK_REALTIME, until);
	return status(mz_mutex_timedlock(mz_current, mutex_of(mutex), time, MZ_CALLER()));
}

int mz_entry_mtx_unlock(mtx_t *mutex)
{
	if (!MZ_SELF()) return mz_early_unlocked(mutex, MZ_REAL(mtx_unlock)(mutex), MZ_CALLER());
	return status(mz_mutex_unlock(mz_current, mutex_of(mutex), MZ_CALLER()));
}

/* ---- conditions ---- */

int mz_entry_cnd_init(cnd_t *condition)
{
	if (MZ_SELF()) {
		if (mz_fails(mz_current, MZ_FAULT_PTHREAD_COND_INIT, MZ_CALLER())) return thrd_nomem;
		mz_race_access(mz_current, (uintptr_t)condition, sizeof *condition, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)condition, MZ_CALLER());
	}
	return MZ_REAL(cnd_init)(condition);
}

void mz_entry_cnd_destroy(cnd_t *condition)
{
	if (MZ_SELF())
		mz_condition_destroy(mz_current, condition_of(condition), MZ_CALLER());
	else
		MZ_REAL(cnd_destroy)(condition);
}

int mz_entry_cnd_wait(cnd_t *condition, mtx_t *mutex)
{
	if (!MZ_SELF()) return MZ_REAL(cnd_wait)(condition, mutex);
	if (mz_fails_once(mz_current, MZ_FAULT_PTHREAD_COND_WAIT_SPURIOUS, MZ_CALLER()))
		return status(mz_mutex_unlock_and_lock(mz_current, mutex_of(mutex), MZ_CALLER()));
	return status(mz_condition_wait(mz_current, condition_of(condition), mutex_of(mutex), MZ_CALLER()));
}

int mz_entry_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(cnd_timedwait)(condition, mutex, until);
	uint64_t time = mz_time_from(CLOCK_REALTIME, until);
	return status(mz_condition_timedwait(mz_current, condition_of(condition), mutex_of(mutex), time, MZ_CALLER()));
}

int mz_entry_cnd_signal(cnd_t *condition)
{
	if (!MZ_SELF()) return MZ_REAL(cnd_signal)(condition);
	return status(mz_condition_signal(mz_current, condition_of(condition), MZ_CALLER()));
}

int mz_entry_cnd_broadcast(cnd_t *condition)
{
	if (!MZ_SELF()) return MZ_REAL(cnd_broadcast)(condition);
	return status(mz_condition_broadcast(mz_current, condition_of(condition), MZ_CALLER()));
}
