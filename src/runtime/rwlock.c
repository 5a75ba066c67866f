/* SPDX-License-Identifier: MIT */
#include "runtime/rwlock.h"
#include "runtime/race.h"
#include "runtime/time.h"
#include <errno.h>

static struct mz_object *find(const pthread_rwlock_t *lock)
{
	struct mz_object *object = mz_object_find((uintptr_t)lock);
	object->type = MZ_OBJECT_RWLOCK;
	return object;
}

static bool prefers_writers(const pthread_rwlock_t *lock)
{
	return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; /* initialisers set it too */
}

static int now_reads(struct mz_fiber *self, struct mz_object *lock)
{
	if (lock->state % MZ_HELD_ALONE == MZ_HELD_ALONE - 1) mz_unsupported("too many threads share a lock");
	mz_race_acquire(self, &lock->clock);
	return 0;
}

/* What those know who read before is for writers only. */
static int now_writes(struct mz_fiber *self, struct mz_object *lock)
{
	lock->owner = self;
	lock->acquired_at = self->caller;
	mz_race_acquire(self, &lock->clock);
	mz_race_acquire(self, &lock->sharers);
	return 0;
}

int mz_rwlock_read(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (lock->owner == self) return EDEADLK;
	mz_object_wait(self, lock, MZ_OP_LOCK_SHARED, MZ_WEAK_WRITE, MZ_HELD_SHARED, caller);
	return now_reads(self, lock);
}

int mz_rwlock_tryread(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (!mz_object_try(self, lock, MZ_OP_TRYLOCK_SHARED, MZ_HELD_SHARED, caller)) return EBUSY;
	return now_reads(self, lock);
}

int mz_rwlock_timedread(struct mz_fiber *self, pthread_rwlock_t *address, uint64_t until, uintptr_t caller)
{
	if (find(address)->owner == self) return EDEADLK;
	if (mz_rwlock_tryread(self, address, caller) == 0) return 0;
	if (until == MZ_TIME_INVALID) return EINVAL;
	mz_time_reach(self, until);
	return ETIMEDOUT;
}

int mz_rwlock_write(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	int effect = MZ_HELD_ALONE;
	if (lock->owner == self) return EDEADLK;
	if (prefers_writers(address)) {
		mz_object_do(self, lock, MZ_OP_ANNOUNCE, MZ_WRITE, MZ_HELD_ANNOUNCED, caller);
		effect -= MZ_HELD_ANNOUNCED;
	}
	mz_object_wait(self, lock, MZ_OP_LOCK, MZ_WRITE, effect, caller);
	return now_writes(self, lock);
}

int mz_rwlock_trywrite(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (!mz_object_try(self, lock, MZ_OP_TRYLOCK, MZ_HELD_ALONE, caller)) return EBUSY;
	return now_writes(self, lock);
}

int mz_rwlock_timedwrite(struct mz_fiber *self, pthread_rwlock_t *address, uint64_t until, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (lock->owner == self) return EDEADLK;
	if (mz_object_try(self, lock, MZ_OP_TIMEDLOCK, MZ_HELD_ALONE, caller)) return now_writes(self, lock);
	if (until == MZ_TIME_INVALID) return EINVAL;
	mz_time_reach(self, until);
	return ETIMEDOUT;
}

int mz_rwlock_unlock(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (lock->owner == self) {
		mz_object_do(self, lock, MZ_OP_UNLOCK, MZ_WRITE, -MZ_HELD_ALONE, caller);
		lock->owner = NULL;
		mz_race_release(self, &lock->clock);
		return 0;
	}
	if (lock->owner || lock->state % MZ_HELD_ALONE == 0) {
		mz_object_misuse(self, caller, lock,
		                 lock->owner ? "unlock of a read-write lock that another thread holds"
		                             : "unlock of a read-write lock that is not held");
		return EPERM;
	}
	mz_object_do(self, lock, MZ_OP_UNLOCK_SHARED, MZ_WEAK_WRITE, -MZ_HELD_SHARED, caller);
	mz_race_publish(self, &lock->sharers);
	return 0;
}

int mz_rwlock_destroy(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find(address);
	if (!lock->state && !lock->queued) return 0;
	mz_object_misuse(self, caller, lock, "destruction of a read-write lock that is held");
	return EBUSY;
}
