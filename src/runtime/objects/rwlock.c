/* SPDX-License-Identifier: MIT
 *
 * Who writes is the owner of the lock. Who reads is kept apart from the objects: few threads do at a time.
 */
#include "runtime/objects/rwlock.h"
#include "runtime/core/core.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <stdlib.h>

/* ---- who reads ---- */

struct reading {
	struct mz_object *lock;
	struct mz_fiber *reader;
	uintptr_t since;
	uint64_t count; /* how often the thread holds the lock for reading */
};

static struct reading *readings; /* the readers of all locks in the execution under way */
static size_t nreadings, readings_capacity;

static struct reading *find_reading(const struct mz_object *lock, const struct mz_fiber *reader)
{
	for (size_t i = 0; i < nreadings; i++)
		if (readings[i].lock == lock && readings[i].reader == reader) return &readings[i];
	return NULL;
}

static void make_room(size_t n)
{
	mz_array_require(&readings, &readings_capacity, n);
}

static void add_reading(struct mz_object *lock, struct mz_fiber *reader)
{
	struct reading *reading = find_reading(lock, reader);
	if (!reading) {
		make_room(nreadings + 1);
		reading = &readings[nreadings++];
		*reading = (struct reading){lock, reader, reader->caller, 0};
	}
	reading->count++;
}

static void end_reading(struct reading *reading)
{
	if (--reading->count == 0) *reading = readings[--nreadings];
}

void mz_rwlock_reset(void)
{
	nreadings = 0;
}

void mz_rwlock_forget(const struct mz_object *lock)
{
	for (size_t i = nreadings; i-- > 0;)
		if (readings[i].lock == lock) readings[i] = readings[--nreadings];
}

void mz_rwlock_store(struct mz_state *state)
{
	mz_state_put(state, &nreadings, sizeof nreadings);
	if (nreadings) mz_state_put(state, readings, nreadings * sizeof *readings);
}

void mz_rwlock_load(struct mz_state *state)
{
	mz_state_get(state, &nreadings, sizeof nreadings);
	if (!nreadings) return;
	make_room(nreadings);
	mz_state_get(state, readings, nreadings * sizeof *readings);
}

struct known_reading {
	uint64_t address, reader, count;
};

static int by_lock_and_reader(const void *a, const void *b)
{
	const struct known_reading *x = a, *y = b;
	if (x->address != y->address) return x->address < y->address ? -1 : 1;
	return (x->reader > y->reader) - (x->reader < y->reader);
}

void mz_rwlock_identity(struct mz_state *state)
{
	size_t from = state->size;
	for (size_t i = 0; i < nreadings; i++) {
		const struct reading *reading = &readings[i];
		const struct known_reading known = {reading->lock->address, reading->reader->index, reading->count};
		mz_state_put(state, &known, sizeof known);
	}
	if (nreadings) qsort(state->bytes + from, nreadings, sizeof(struct known_reading), by_lock_and_reader);
	mz_state_put(state, &nreadings, sizeof nreadings);
}

/* ---- explaining ---- */

static bool waits_to_write(const struct mz_fiber *fiber)
{
	return fiber->requests.awaited ? fiber->requests.op_awaited == MZ_OP_TRYLOCK
	                               : mz_rt.execution.pending[fiber->index].op == MZ_OP_LOCK;
}

/* Returns a thread that keeps `fiber` from getting the lock: the writer; a reader, if `fiber` waits to write; or a
 * writer that waits and has announced itself. */
static const struct mz_fiber *in_the_way(const struct mz_fiber *fiber, const struct mz_object *lock, const char **how)
{
	*how = lock->owner ? "holds" : "reads";
	if (lock->owner) return lock->owner;
	if (waits_to_write(fiber))
		for (size_t i = 0; i < nreadings; i++)
			if (readings[i].lock == lock) return readings[i].reader;
	*how = "waits to write";
	for (const struct mz_fiber *next = lock->queue; next; next = next->next)
		if (waits_to_write(next) && next != fiber) return next;
	return NULL;
}

void mz_rwlock_explain(struct mz_fiber *fiber, const struct mz_object *lock)
{
	char name[MZ_THREAD_NAME];
	const char *how;
	const struct mz_fiber *other = in_the_way(fiber, lock, &how);
	if (!other)
		mz_report_detail(fiber, fiber->caller, lock->address, 0, "waits for the read-write lock");
	else if (other == fiber)
		mz_report_detail(fiber, fiber->caller, lock->address, 0,
		                 "waits for the read-write lock that it %s itself:", how);
	else
		mz_report_detail(fiber, fiber->caller, lock->address, 0,
		                 "waits for the read-write lock that %s %s:", mz_thread_name(other, name), how);
}

void mz_rwlock_explain_holdings(const struct mz_fiber *fiber)
{
	for (size_t i = 0; i < nreadings; i++)
		if (readings[i].reader == fiber)
			mz_report_detail(NULL, readings[i].since, readings[i].lock->address, 0,
			                 "  and holds to read, since here,");
}

/* ---- locks ---- */

static struct mz_object *find_rwlock(const pthread_rwlock_t *lock)
{
	struct mz_object *object = mz_object_in_memory(lock);
	object->type = MZ_OBJECT_RWLOCK;
	return object;
}

static bool prefers_writers(const pthread_rwlock_t *lock)
{
	/* static initialisers set the flag too */
	return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static int now_reads(struct mz_fiber *self, struct mz_object *lock)
{
	if (lock->state % MZ_HELD_ALONE == MZ_HELD_ALONE - 1) mz_unsupported("too many threads share a lock");
	mz_race_acquire(self, &lock->clock);
	add_reading(lock, self);
	return 0;
}

/* A writer learns what earlier readers knew when they released the lock; readers do not. */
static int now_writes(struct mz_fiber *self, struct mz_object *lock)
{
	lock->owner = self;
	lock->acquired_at = self->caller;
	mz_race_acquire(self, &lock->clock);
	mz_race_acquire(self, &lock->sharers);
	return 0;
}

void mz_rwlock_hold(struct mz_fiber *first, const pthread_rwlock_t *address, bool writes)
{
	struct mz_object *lock = find_rwlock(address);
	lock->state += writes ? MZ_HELD_ALONE : MZ_HELD_SHARED;
	if (writes)
		now_writes(first, lock);
	else
		now_reads(first, lock);
}

int mz_rwlock_read(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (lock->owner == self) return EDEADLK;
	mz_object_wait(self, lock, MZ_OP_LOCK_SHARED, MZ_WEAK_WRITE, MZ_HELD_SHARED, caller);
	return now_reads(self, lock);
}

int mz_rwlock_tryread(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (!mz_object_try(self, lock, MZ_OP_TRYLOCK_SHARED, MZ_HELD_SHARED, caller)) return EBUSY;
	return now_reads(self, lock);
}

int mz_rwlock_timedread(struct mz_fiber *self, pthread_rwlock_t *address, uint64_t until, uintptr_t caller)
{
	if (until == MZ_TIME_INVALID) return EINVAL;
	if (find_rwlock(address)->owner == self) return EDEADLK;
	if (mz_rwlock_tryread(self, address, caller) == 0) return 0;
	mz_timers_reach(self, until, caller);
	return ETIMEDOUT;
}

/* Announces a writer where the lock prefers writers. Returns what that added to the lock's state: the writer takes it
 * back when it gets the lock or gives up. */
static int announce(struct mz_fiber *self, const pthread_rwlock_t *address, uintptr_t caller)
{
	if (!prefers_writers(address)) return 0;
	mz_object_do(self, find_rwlock(address), MZ_OP_ANNOUNCE, MZ_WRITE, MZ_HELD_ANNOUNCED, caller);
	return MZ_HELD_ANNOUNCED;
}

int mz_rwlock_write(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (lock->owner == self) return EDEADLK;
	int announced = announce(self, address, caller);
	mz_object_wait(self, lock, MZ_OP_LOCK, MZ_WRITE, MZ_HELD_ALONE - announced, caller);
	return now_writes(self, lock);
}

int mz_rwlock_trywrite(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (!mz_object_try(self, lock, MZ_OP_TRYLOCK, MZ_HELD_ALONE, caller)) return EBUSY;
	return now_writes(self, lock);
}

int mz_rwlock_timedwrite(struct mz_fiber *self, pthread_rwlock_t *address, uint64_t until, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (until == MZ_TIME_INVALID) return EINVAL;
	if (lock->owner == self) return EDEADLK;
	int announced = announce(self, address, caller);
	if (mz_object_try(self, lock, MZ_OP_TIMEDLOCK, MZ_HELD_ALONE - announced, caller))
		return now_writes(self, lock);
	if (announced) mz_object_do(self, lock, MZ_OP_ANNOUNCE, MZ_WRITE, -announced, caller);
	mz_timers_reach(self, until, caller);
	return ETIMEDOUT;
}

int mz_rwlock_unlock(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	if (lock->owner == self) {
		mz_object_do(self, lock, MZ_OP_UNLOCK, MZ_WRITE, -MZ_HELD_ALONE, caller);
		lock->owner = NULL;
		mz_race_release(self, &lock->clock);
		return 0;
	}
	if (!find_reading(lock, self)) {
		mz_object_misuse(self, caller, lock, "unlock of a read-write lock that the thread does not hold");
		return EPERM;
	}
	mz_object_do(self, lock, MZ_OP_UNLOCK_SHARED, MZ_WEAK_WRITE, -MZ_HELD_SHARED, caller);
	/* looked up again: other readers may have come or gone meanwhile, and the array may have moved */
	end_reading(find_reading(lock, self));
	mz_race_publish(self, &lock->sharers);
	return 0;
}

int mz_rwlock_destroy(struct mz_fiber *self, pthread_rwlock_t *address, uintptr_t caller)
{
	struct mz_object *lock = find_rwlock(address);
	mz_object_before_destruction(self, lock, caller);
	return mz_object_destroy(self, lock, lock->state,
	                         lock->state ? "destruction of a read-write lock that is held" : NULL);
}
