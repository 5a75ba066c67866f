/* SPDX-License-Identifier: MIT
 * Mutexes, conditions, read-write locks, spin locks, barriers. */
#include "values.h"

static pthread_mutex_t mutex, other;
static pthread_mutexattr_t attributes;

static void make(int type, int robust)
{
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robust);
	pthread_mutex_init(&mutex, &attributes);
}

IN_THREAD(try_all, it)
{
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_timedlock(&mutex, &negative));
	SHOW(pthread_mutex_timedlock(&mutex, &too_many));
	SHOW(pthread_mutex_timedlock(&mutex, &below));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &too_many));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &past));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past));
	SHOW(pthread_mutex_clocklock(&mutex, 77, &past));
	return NULL;
}

IN_THREAD(unlock_by_another, it)
{
	SHOW(pthread_mutex_unlock(&mutex));
	return NULL;
}

static void show_mutex(void)
{
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_trylock(&mutex));
	beside(try_all, NULL);
	SHOW(pthread_mutex_unlock(&mutex));
}

static void show_free(void)
{
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_timedlock(&mutex, &too_many));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_clocklock(&mutex, 77, &past));
	SHOW(pthread_mutex_destroy(&mutex));
}

#define MUTEX(name, type, robust)                                                                                      \
	PROBE(name)                                                                                                    \
	{                                                                                                              \
		make(type, robust);                                                                                    \
		show_mutex();                                                                                          \
	}                                                                                                              \
	PROBE(name##_free)                                                                                             \
	{                                                                                                              \
		make(type, robust);                                                                                    \
		show_free();                                                                                           \
	}                                                                                                              \
	PROBE(name##_consistent)                                                                                       \
	{                                                                                                              \
		make(type, robust);                                                                                    \
		SHOW(pthread_mutex_consistent(&mutex));                                                                \
		SHOW(pthread_mutex_lock(&mutex));                                                                      \
		SHOW(pthread_mutex_consistent(&mutex));                                                                \
	}                                                                                                              \
	PROBE(name##_ceiling)                                                                                          \
	{                                                                                                              \
		int ceiling;                                                                                           \
		make(type, robust);                                                                                    \
		SHOW(pthread_mutex_getprioceiling(&mutex, &ceiling));                                                  \
		SHOW(pthread_mutex_setprioceiling(&mutex, 5, &ceiling));                                               \
	}

MUTEX(mutex_normal, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED)
MUTEX(mutex_default, PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_STALLED)
MUTEX(mutex_recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED)
MUTEX(mutex_errorcheck, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED)
MUTEX(mutex_adaptive, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_MUTEX_STALLED)
MUTEX(mutex_robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST)
MUTEX(mutex_robust_recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST)
MUTEX(mutex_robust_errorcheck, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST)

#define NOT_HELD(name, type, robust)                                                                                   \
	PROBE(name##_not_held)                                                                                         \
	{                                                                                                              \
		make(type, robust);                                                                                    \
		SHOW(pthread_mutex_unlock(&mutex));                                                                    \
		SHOW(pthread_mutex_lock(&mutex));                                                                      \
		beside(unlock_by_another, NULL);                                                                       \
		SHOW(pthread_mutex_unlock(&mutex));                                                                    \
	}                                                                                                              \
	PROBE(name##_locked_again)                                                                                     \
	{                                                                                                              \
		make(type, robust);                                                                                    \
		SHOW(pthread_mutex_lock(&mutex));                                                                      \
		SHOW(pthread_mutex_lock(&mutex));                                                                      \
		SHOW(pthread_mutex_trylock(&mutex));                                                                   \
		SHOW(pthread_mutex_timedlock(&mutex, &past));                                                          \
		SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));                                         \
		SHOW(pthread_mutex_unlock(&mutex));                                                                    \
	}

NOT_HELD(mutex_recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED)
NOT_HELD(mutex_errorcheck, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED)
NOT_HELD(mutex_robust_recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST)
NOT_HELD(mutex_robust_errorcheck, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST)

PROBE(mutex_normal_timed_by_owner)
{
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_timedlock(&mutex, &too_many));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
	SHOW(pthread_mutex_unlock(&mutex));
}

PROBE(mutex_destroy_held)
{
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
}

IN_THREAD(lock_and_end, it)
{
	SHOW(pthread_mutex_lock(&mutex));
	return NULL;
}

static void leave_held(int type)
{
	make(type, PTHREAD_MUTEX_ROBUST);
	beside(lock_and_end, NULL);
}

PROBE(mutex_owner_died)
{
	leave_held(PTHREAD_MUTEX_NORMAL);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
}

PROBE(mutex_owner_died_tried)
{
	leave_held(PTHREAD_MUTEX_NORMAL);
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
}

PROBE(mutex_owner_died_timed)
{
	leave_held(PTHREAD_MUTEX_NORMAL);
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
}

PROBE(mutex_owner_died_not_consistent)
{
	leave_held(PTHREAD_MUTEX_NORMAL);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
}

PROBE(mutex_owner_died_recursive)
{
	leave_held(PTHREAD_MUTEX_RECURSIVE);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
}

PROBE(mutex_attributes)
{
	int value = 55;
	SHOW(pthread_mutexattr_init(&attributes));
	SHOW(pthread_mutexattr_gettype(&attributes, &value));
	SHOW(value);
	SHOW(pthread_mutexattr_settype(&attributes, 77));
	SHOW(pthread_mutexattr_settype(&attributes, -1));
	SHOW(pthread_mutexattr_setrobust(&attributes, 77));
	SHOW(pthread_mutexattr_getrobust(&attributes, &value));
	SHOW(value);
	SHOW(pthread_mutexattr_setpshared(&attributes, 77));
	SHOW(pthread_mutexattr_getpshared(&attributes, &value));
	SHOW(value);
	SHOW(pthread_mutexattr_setprotocol(&attributes, 77));
	SHOW(pthread_mutexattr_getprotocol(&attributes, &value));
	SHOW(value);
	SHOW(pthread_mutexattr_setprioceiling(&attributes, 0));
	SHOW(pthread_mutexattr_setprioceiling(&attributes, 1000));
	SHOW(pthread_mutexattr_getprioceiling(&attributes, &value));
	SHOW(pthread_mutexattr_destroy(&attributes));
}

PROBE(mutex_attributes_together)
{
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	SHOW(pthread_mutex_init(&mutex, &attributes));
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	SHOW(pthread_mutex_init(&other, &attributes));
	SHOW(pthread_mutex_lock(&other));
	SHOW(pthread_mutex_unlock(&other));
}

static pthread_cond_t condition;
static pthread_condattr_t condition_attributes;

PROBE(condition_alone)
{
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
	SHOW(pthread_cond_init(&condition, NULL));
	SHOW(pthread_cond_signal(&condition));
	SHOW(pthread_cond_broadcast(&condition));
	pthread_mutex_lock(&mutex);
	SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
	SHOW(pthread_cond_timedwait(&condition, &mutex, &negative));
	SHOW(pthread_cond_timedwait(&condition, &mutex, &too_many));
	SHOW(pthread_cond_timedwait(&condition, &mutex, &below));
	SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past));
	SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &past));
	SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &too_many));
	SHOW(pthread_cond_clockwait(&condition, &mutex, 77, &past));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_cond_destroy(&condition));
}

PROBE(condition_errorcheck)
{
	make(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	pthread_cond_init(&condition, NULL);
	SHOW(pthread_cond_wait(&condition, &mutex));
	SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
	pthread_mutex_lock(&mutex);
	SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
	SHOW(pthread_mutex_unlock(&mutex));
}

PROBE(condition_attributes_bad)
{
	int value;
	clockid_t clock = 55;
	SHOW(pthread_condattr_init(&condition_attributes));
	SHOW(pthread_condattr_getclock(&condition_attributes, &clock));
	SHOW(clock);
	SHOW(pthread_condattr_setclock(&condition_attributes, CLOCK_PROCESS_CPUTIME_ID));
	SHOW(pthread_condattr_setclock(&condition_attributes, CLOCK_BOOTTIME));
	SHOW(pthread_condattr_setclock(&condition_attributes, 77));
	SHOW(pthread_condattr_setclock(&condition_attributes, CLOCK_MONOTONIC));
	SHOW(pthread_condattr_setpshared(&condition_attributes, 77));
	SHOW(pthread_condattr_getpshared(&condition_attributes, &value));
	SHOW(value);
	SHOW(pthread_condattr_destroy(&condition_attributes));
}

static pthread_rwlock_t lock;

IN_THREAD(try_lock, it)
{
	SHOW(pthread_rwlock_trywrlock(&lock));
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_timedwrlock(&lock, &negative));
	SHOW(pthread_rwlock_timedwrlock(&lock, &too_many));
	SHOW(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past));
	SHOW(pthread_rwlock_clockwrlock(&lock, 77, &past));
	SHOW(pthread_rwlock_tryrdlock(&lock));
	SHOW(pthread_rwlock_timedrdlock(&lock, &past));
	return NULL;
}

IN_THREAD(time_reading, it)
{
	SHOW(pthread_rwlock_tryrdlock(&lock));
	SHOW(pthread_rwlock_timedrdlock(&lock, &past));
	SHOW(pthread_rwlock_timedrdlock(&lock, &too_many));
	SHOW(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past));
	SHOW(pthread_rwlock_clockrdlock(&lock, 77, &past));
	return NULL;
}

PROBE(rwlock_written)
{
	SHOW(pthread_rwlock_init(&lock, NULL));
	SHOW(pthread_rwlock_wrlock(&lock));
	beside(time_reading, NULL);
	beside(try_lock, NULL);
	SHOW(pthread_rwlock_wrlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	SHOW(pthread_rwlock_trywrlock(&lock));
	SHOW(pthread_rwlock_tryrdlock(&lock));
	SHOW(pthread_rwlock_timedrdlock(&lock, &past));
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_destroy(&lock));
}

PROBE(rwlock_read)
{
	pthread_rwlock_init(&lock, NULL);
	SHOW(pthread_rwlock_rdlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	beside(try_lock, NULL);
	SHOW(pthread_rwlock_trywrlock(&lock));
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_unlock(&lock));
}

PROBE(rwlock_free)
{
	pthread_rwlock_init(&lock, NULL);
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_timedwrlock(&lock, &too_many));
	SHOW(pthread_rwlock_timedrdlock(&lock, &below));
	SHOW(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past));
	SHOW(pthread_rwlock_unlock(&lock));
}

PROBE(rwlock_attributes)
{
	int value;
	pthread_rwlockattr_t a;
	SHOW(pthread_rwlockattr_init(&a));
	SHOW(pthread_rwlockattr_setpshared(&a, 77));
	SHOW(pthread_rwlockattr_getpshared(&a, &value));
	SHOW(value);
	SHOW(pthread_rwlockattr_setkind_np(&a, 77));
	SHOW(pthread_rwlockattr_getkind_np(&a, &value));
	SHOW(value);
	SHOW(pthread_rwlockattr_destroy(&a));
}

PROBE(spin)
{
	pthread_spinlock_t s;
	SHOW(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE));
	SHOW(pthread_spin_trylock(&s));
	SHOW(pthread_spin_trylock(&s));
	SHOW(pthread_spin_unlock(&s));
	SHOW(pthread_spin_lock(&s));
	SHOW(pthread_spin_unlock(&s));
	SHOW(pthread_spin_destroy(&s));
	SHOW(pthread_spin_init(&s, 77));
}

PROBE(barrier)
{
	int value;
	pthread_barrier_t b;
	pthread_barrierattr_t a;
	SHOW(pthread_barrier_init(&b, NULL, 0));
	SHOW(pthread_barrier_init(&b, NULL, UINT_MAX));
	SHOW(pthread_barrier_init(&b, NULL, INT_MAX));
	SHOW(pthread_barrier_init(&b, NULL, 1));
	SHOW(pthread_barrier_wait(&b));
	SHOW(pthread_barrier_wait(&b));
	SHOW(pthread_barrier_destroy(&b));
	SHOW(pthread_barrierattr_init(&a));
	SHOW(pthread_barrierattr_setpshared(&a, 77));
	SHOW(pthread_barrierattr_getpshared(&a, &value));
	SHOW(value);
	SHOW(pthread_barrierattr_destroy(&a));
}
