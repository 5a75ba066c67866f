/* SPDX-License-Identifier: MIT
 *
 * pthread: read-write locks, spin locks, barriers.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include <errno.h>

MZ_HOOKS_DECLARE(LOCKS)

/* ---- read-write locks ---- */

int mz_entry_pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	if (MZ_SELF()) {
		mz_race_access(mz_current, (uintptr_t)lock, sizeof *lock, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)lock, MZ_CALLER());
	}
	return MZ_REAL(pthread_rwlock_init)(lock, attributes);
}

int mz_entry_pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_rwlock_destroy)(lock);
	return mz_rwlock_destroy(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	if (!MZ_SELF()) return mz_early_locked(MZ_EARLY_READ, lock, MZ_REAL(pthread_rwlock_rdlock)(lock), MZ_CALLER());
	return mz_rwlock_read(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	if (!MZ_SELF()) return mz_early_locked(MZ_EARLY_WRITE, lock, MZ_REAL(pthread_rwlock_wrlock)(lock), MZ_CALLER());
	return mz_rwlock_write(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	if (!MZ_SELF()) return mz_early_unlocked(lock, MZ_REAL(pthread_rwlock_unlock)(lock), MZ_CALLER());
	return mz_rwlock_unlock(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_READ, lock, MZ_REAL(pthread_rwlock_tryrdlock)(lock), MZ_CALLER());
	return mz_rwlock_tryread(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_WRITE, lock, MZ_REAL(pthread_rwlock_trywrlock)(lock), MZ_CALLER());
	return mz_rwlock_trywrite(mz_current, lock, MZ_CALLER());
}

int mz_entry_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_READ, lock, MZ_REAL(pthread_rwlock_timedrdlock)(lock, until),
		                       MZ_CALLER());
	return mz_rwlock_timedread(mz_current, lock, mz_time_from(CLOCK_REALTIME, until), MZ_CALLER());
}

int mz_entry_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_READ, lock, MZ_REAL(pthread_rwlock_clockrdlock)(lock, clock, until),
		                       MZ_CALLER());
	if (!mz_time_is_waited_for(clock)) return EINVAL;
	return mz_rwlock_timedread(mz_current, lock, mz_time_from(clock, until), MZ_CALLER());
}

int mz_entry_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_WRITE, lock, MZ_REAL(pthread_rwlock_timedwrlock)(lock, until),
		                       MZ_CALLER());
	return mz_rwlock_timedwrite(mz_current, lock, mz_time_from(CLOCK_REALTIME, until), MZ_CALLER());
}

int mz_entry_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_WRITE, lock, MZ_REAL(pthread_rwlock_clockwrlock)(lock, clock, until),
		                       MZ_CALLER());
	if (!mz_time_is_waited_for(clock)) return EINVAL;
	return mz_rwlock_timedwrite(mz_current, lock, mz_time_from(clock, until), MZ_CALLER());
}

/* ---- spin locks: who finds one held waits as at a mutex ---- */

int mz_entry_pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	if (MZ_SELF()) {
		mz_race_access(mz_current, (uintptr_t)lock, sizeof *lock, MZ_RACE_WRITE, MZ_CALLER());
		mz_object_initialise((uintptr_t)lock, MZ_CALLER());
	}
	return MZ_REAL(pthread_spin_init)(lock, shared);
}

int mz_entry_pthread_spin_destroy(pthread_spinlock_t *lock)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_spin_destroy)(lock);
	return mz_lock_destroy(mz_current, (uintptr_t)lock, MZ_CALLER());
}

int mz_entry_pthread_spin_lock(pthread_spinlock_t *lock)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_SPIN, (void *)lock, MZ_REAL(pthread_spin_lock)(lock), MZ_CALLER());
	mz_object_look_at(lock);
	mz_lock_acquire(mz_current, (uintptr_t)lock, MZ_CALLER());
	return 0;
}

int mz_entry_pthread_spin_trylock(pthread_spinlock_t *lock)
{
	if (!MZ_SELF())
		return mz_early_locked(MZ_EARLY_SPIN, (void *)lock, MZ_REAL(pthread_spin_trylock)(lock), MZ_CALLER());
	mz_object_look_at(lock);
	return mz_lock_try(mz_current, (uintptr_t)lock, MZ_CALLER()) ? 0 : EBUSY;
}

int mz_entry_pthread_spin_unlock(pthread_spinlock_t *lock)
{
	if (!MZ_SELF()) return mz_early_unlocked((void *)lock, MZ_REAL(pthread_spin_unlock)(lock), MZ_CALLER());
	struct mz_object *object = mz_object_in_memory(lock);
	if (object->owner != mz_current) {
		mz_object_misuse(mz_current, MZ_CALLER(), object,
		                 object->owner ? "unlock of a spin lock that another thread holds"
		                               : "unlock of a spin lock that is not held");
		return EPERM;
	}
	mz_lock_release(mz_current, (uintptr_t)lock, MZ_CALLER());
	return 0;
}

/* ---- barriers ---- */

int mz_entry_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
	if (MZ_SELF() && count) mz_barrier_init(mz_current, barrier, count, MZ_CALLER());
	return MZ_REAL(pthread_barrier_init)(barrier, attributes, count);
}

int mz_entry_pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_barrier_destroy)(barrier);
	return mz_barrier_destroy(mz_current, barrier, MZ_CALLER());
}

int mz_entry_pthread_barrier_wait(pthread_barrier_t *barrier)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_barrier_wait)(barrier);
	return mz_barrier_wait(mz_current, barrier, MZ_CALLER());
}
