/* SPDX-License-Identifier: MIT
 *
 * A mutex has a queue of all threads whose pending operation is to acquire it, enabled or not: taking it disables the
 * others in the queue, releasing it enables them.
 */
#include "runtime/objects/mutex.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>

/* bits of the C library in __kind */
#define TYPE 3
#define ROBUST 16

static bool any_robust; /* some execution has used a robust mutex */

struct mz_object *mz_mutex_find(pthread_mutex_t *mutex)
{
	struct mz_object *object = mz_object_find((uintptr_t)mutex);
	int kind = mutex->__data.__kind; /* set by initialisers, which cannot be intercepted */
	object->kind = (uint8_t)(kind & (TYPE | ROBUST));
	if (kind & ROBUST) any_robust = true;
	return object;
}

static bool has_type(const struct mz_object *mutex, int type)
{
	return (mutex->kind & TYPE) == type;
}

bool mz_mutex_refuses_strangers(const struct mz_object *mutex)
{
	return has_type(mutex, PTHREAD_MUTEX_ERRORCHECK) || (mutex->kind & ROBUST);
}

static void make_owner(struct mz_fiber *self, struct mz_object *mutex)
{
	mutex->owner = self;
	mutex->count = 1;
	mutex->acquired_at = self->caller;
	mz_object_enable(mutex, false);
	mz_race_acquire(self, &mutex->clock);
}

void mz_mutex_hold_at_start(struct mz_fiber *first, struct mz_object *mutex)
{
	if (mutex->owner)
		mutex->count++;
	else
		make_owner(first, mutex);
}

void mz_mutex_clear_owner(struct mz_fiber *self, struct mz_object *mutex)
{
	mz_race_release(self, &mutex->clock);
	mutex->owner = NULL;
	mutex->count = 0;
	mz_object_enable(mutex, true);
}

/* Tries to acquire the mutex by one operation. Reports whether SELF got it. */
static bool try_once(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller)
{
	mz_accesses(self)[0] = mz_object_whole(mutex, 1);
	const struct mz_operation operation = mz_operation(op, 1);
	mz_spin_visible(self, operation, 0, caller);
	self->accesses[0].before = mutex->owner != NULL;
	self->accesses[0].kind = mutex->owner ? MZ_READ : MZ_WRITE;
	self->accesses[0].effect = !mutex->owner;
	mz_commit(self, operation);
	if (mutex->owner) return false;
	make_owner(self, mutex);
	return true;
}

void mz_mutex_acquire_chosen(struct mz_fiber *self, struct mz_object *mutex, struct mz_operation operation)
{
	mz_object_dequeue(mutex, self);
	self->accesses[0].before = 0;
	mz_commit(self, operation);
	make_owner(self, mutex);
}

void mz_mutex_acquire(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller)
{
	uint64_t signals = MZ_UNLIKELY(mz_rt.mode.checks_signals) ? mz_signals_deliverable(self) : 0;
	if (MZ_UNLIKELY(signals)) {
		while (!try_once(self, mutex, MZ_OP_TRYLOCK, caller))
			mz_request_await(self, mutex, MZ_OP_TRYLOCK, signals, caller);
		return;
	}
	mz_accesses(self)[0] = mz_object_whole(mutex, 1);
	mz_object_enqueue(mutex, self);
	const struct mz_operation operation = mz_operation(op, 1);
	mz_visible_if(self, operation, !mutex->owner, caller);
	mz_mutex_acquire_chosen(self, mutex, operation);
}

void mz_mutex_release(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_accesses(self)[0] = mz_object_whole(mutex, -1);
	const struct mz_operation operation = mz_operation(MZ_OP_UNLOCK, 1);
	mz_visible(self, operation, caller);
	self->accesses[0].before = 1;
	mz_commit(self, operation);
	mz_mutex_clear_owner(self, mutex);
}

void mz_mutex_mark_unrecoverable(struct mz_object *mutex)
{
	if (MZ_UNLIKELY(mutex->orphaned)) mutex->orphaned = MZ_ORPHANED_UNRECOVERABLE;
}

int mz_mutex_acquired_result(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	if (MZ_LIKELY(!mutex->orphaned)) return 0;
	if (mutex->orphaned == MZ_ORPHANED_INCONSISTENT) return EOWNERDEAD;
	mz_mutex_release(self, mutex, caller);
	return ENOTRECOVERABLE;
}

/* Reports whether SELF holds the mutex already and it is recursive: then it is held once more, which is no
 * operation. */
static bool acquire_recursively(struct mz_fiber *self, struct mz_object *mutex)
{
	if (mutex->owner != self || !has_type(mutex, PTHREAD_MUTEX_RECURSIVE)) return false;
	mutex->count++;
	mz_spin_forget(self);
	return true;
}

int mz_mutex_lock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = mz_mutex_find(address);
	if (acquire_recursively(self, mutex)) return 0;
	if (mutex->owner == self && has_type(mutex, PTHREAD_MUTEX_ERRORCHECK)) return EDEADLK;
	mz_mutex_acquire(self, mutex, MZ_OP_LOCK, caller);
	return mz_mutex_acquired_result(self, mutex, caller);
}

/* The same, where SELF may hold the mutex already. */
static bool try_acquire(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller)
{
	return acquire_recursively(self, mutex) || try_once(self, mutex, op, caller);
}

int mz_mutex_trylock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = mz_mutex_find(address);
	bool told = (mutex->kind & ROBUST) && has_type(mutex, PTHREAD_MUTEX_ERRORCHECK); /* as the C library does it */
	if (mutex->owner == self && told) return EDEADLK;
	return try_acquire(self, mutex, MZ_OP_TRYLOCK, caller) ? mz_mutex_acquired_result(self, mutex, caller) : EBUSY;
}

/* The thread tries once. If another thread holds the mutex it times out: being chosen while the mutex is held means
 * that. */
int mz_mutex_timedlock(struct mz_fiber *self, pthread_mutex_t *address, uint64_t until, uintptr_t caller)
{
	struct mz_object *mutex = mz_mutex_find(address);
	if (mutex->owner == self && has_type(mutex, PTHREAD_MUTEX_ERRORCHECK)) return EDEADLK;
	if (try_acquire(self, mutex, MZ_OP_TIMEDLOCK, caller)) return mz_mutex_acquired_result(self, mutex, caller);
	if (until == MZ_TIME_INVALID) return EINVAL;
	mz_timers_reach(self, until, caller);
	return ETIMEDOUT;
}

int mz_mutex_unlock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = mz_mutex_find(address);
	if (mutex->owner != self) {
		if (!has_type(mutex, PTHREAD_MUTEX_RECURSIVE) && !mz_mutex_refuses_strangers(mutex))
			mz_object_misuse(self, caller, mutex,
			                 mutex->owner ? "unlock of a mutex that another thread holds"
			                              : "unlock of a mutex that is not held");
		return EPERM;
	}
	if (mutex->count > 1) {
		mutex->count--;
		mz_spin_forget(self);
		return 0;
	}
	mz_mutex_release(self, mutex, caller);
	mz_mutex_mark_unrecoverable(mutex);
	return 0;
}

int mz_mutex_consistent(const struct mz_fiber *self, pthread_mutex_t *address)
{
	struct mz_object *mutex = mz_mutex_find(address);
	if (mutex->owner != self || mutex->orphaned != MZ_ORPHANED_INCONSISTENT) return EINVAL;
	mutex->orphaned = MZ_NOT_ORPHANED;
	return 0;
}

void mz_mutex_release_robust(struct mz_fiber *self)
{
	if (MZ_LIKELY(!any_robust)) return;
	size_t n;
	struct mz_object *const *used = mz_objects_used(&n);
	for (size_t i = 0; i < n; i++) {
		struct mz_object *mutex = used[i];
		bool is_held = mutex->owner == self && mutex->type == MZ_OBJECT_PLAIN;
		if (!is_held || !(((const pthread_mutex_t *)mutex->address)->__data.__kind & ROBUST)) continue;
		mz_mutex_release(self, mutex, mutex->acquired_at);
		mutex->orphaned = MZ_ORPHANED_INCONSISTENT;
	}
}

int mz_mutex_unlock_and_lock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	int failed = mz_mutex_unlock(self, address, caller);
	return failed ? failed : mz_mutex_lock(self, address, caller);
}

/* What is reported when a mutex is destroyed that is held, or whose last owner is not known to have released it
 * before. */
struct mistakes {
	const char *held, *unknown;
};

static int destroy(struct mz_fiber *self, struct mz_object *mutex, const struct mistakes *mistakes, uintptr_t caller)
{
	mz_object_before_destruction(self, mutex, caller);
	if (mutex->owner) return mz_object_destroy(self, mutex, 1, mistakes->held);
	bool known = mz_race_knows(self, &mutex->clock);
	mz_object_destroy(self, mutex, 0, NULL);
	if (!known) mz_object_misuse(self, caller, mutex, mistakes->unknown);
	return 0;
}

int mz_mutex_destroy(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	static const struct mistakes mistakes = {"destruction of a mutex that is held",
	                                         "destruction of a mutex that another thread may be about to unlock"};
	return destroy(self, mz_mutex_find(address), &mistakes, caller);
}

/* ---- locks that are nothing else ---- */

void mz_lock_acquire(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	mz_mutex_acquire(self, mz_object_find(address), MZ_OP_LOCK, caller);
}

bool mz_lock_try(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_object *lock = mz_object_find(address);
	lock->kind = PTHREAD_MUTEX_NORMAL;
	return try_acquire(self, lock, MZ_OP_TRYLOCK, caller);
}

void mz_lock_release(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	mz_mutex_release(self, mz_object_find(address), caller);
}

int mz_lock_destroy(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	static const struct mistakes mistakes = {
	    "destruction of a spin lock that is held",
	    "destruction of a spin lock that another thread may be about to unlock"};
	return destroy(self, mz_object_find(address), &mistakes, caller);
}

struct mz_fiber *mz_lock_owner(uintptr_t address)
{
	return mz_object_find(address)->owner;
}

/* ---- guards of C++ variables, and what is done once: a mutex beside a byte that says that it is done ---- */

static struct mz_object *guard_mutex(const uint8_t *guard)
{
	return mz_object_find(mz_object_inside(guard, MZ_INSIDE_GUARD_MUTEX));
}

bool mz_guard_acquire(struct mz_fiber *self, uint8_t *guard, uintptr_t caller)
{
	struct mz_object *mutex = guard_mutex(guard);
	mz_mutex_acquire(self, mutex, MZ_OP_LOCK, caller);
	if (!*guard) return true;
	mz_mutex_release(self, mutex, caller);
	return false;
}

void mz_guard_release(struct mz_fiber *self, uint8_t *guard, uint8_t done, uintptr_t caller)
{
	uintptr_t word = (uintptr_t)guard & ~7UL;
	if (done) {
		/* compiled code looks at the byte by itself, with an acquiring load */
		mz_race_atomic_store(self, mz_object_find((uintptr_t)guard), __ATOMIC_RELEASE);
		mz_race_access(self, (uintptr_t)guard, 1, MZ_RACE_WRITE | MZ_RACE_ATOMIC, caller);
	}
	struct mz_access *accesses = mz_accesses(self);
	struct mz_object *mutex = guard_mutex(guard);
	accesses[0] = mz_object_whole(mutex, -1);
	accesses[1] =
	    (struct mz_access){.object = word, .mask = (uint8_t)(1U << ((uintptr_t)guard & 7)), .kind = MZ_WRITE};
	uint16_t n = done ? 2 : 1;
	const struct mz_operation operation = mz_operation(MZ_OP_UNLOCK, n);
	mz_visible(self, operation, caller);
	accesses[0].before = 1;
	accesses[1].before = *(const uint64_t *)word;
	mz_commit(self, operation);
	if (done) *guard = done;
	if (done && mz_rt.mode.finds_races) mz_unseen_wrote(mz_object_find((uintptr_t)guard), 1, done);
	mz_mutex_clear_owner(self, mutex);
}
