/* SPDX-License-Identifier: MIT
 *
 * Objects; mutexes and conditions. Each other kind of object has a file of its own.
 *
 * A mutex has a queue of all threads whose pending operation is to acquire it, enabled or not: taking it disables the
 * others in the queue, releasing it enables them. A waiting thread is in the queue of its condition; a signal moves it
 * to that of its mutex, where its pending operation is to wake up, that is, to acquire the mutex again.
 */
#include "runtime/model.h"
#include "base/alloc.h"
#include "base/bug.h"
#include "base/hash.h"
#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/exit.h"
#include "runtime/race.h"
#include "runtime/request.h"
#include "runtime/spin.h"
#include "runtime/time.h"
#include "runtime/unseen.h"
#include <errno.h>
#include <stdlib.h>

/* ---- finding objects ---- */

static struct mz_object **table;
static size_t table_size, table_used;
static struct mz_object **used; /* in this execution */
static size_t nused, used_capacity;

static struct mz_object **slot_of(uint64_t address)
{
	size_t at = mz_mix(address) & (table_size - 1);
	while (table[at] && table[at]->address != address) at = (at + 1) & (table_size - 1);
	return &table[at];
}

static void grow_table(void)
{
	struct mz_object **old = table;
	size_t old_size = table_size;
	table_size = old_size ? old_size * 2 : 256;
	table = mz_alloc(table_size * sizeof *table);
	if (!table) mz_unsupported("out of memory");
	for (size_t i = 0; i < table_size; i++) table[i] = NULL;
	for (size_t i = 0; i < old_size; i++)
		if (old[i]) *slot_of(old[i]->address) = old[i];
	mz_free(old);
}

static struct mz_object *add_object(struct mz_object **slot, uint64_t address)
{
	struct mz_object *object = mz_alloc(sizeof *object);
	if (!object) mz_unsupported("out of memory");
	*object = (struct mz_object){.address = address};
	table_used++;
	return *slot = object;
}

static void make_new(struct mz_object *object)
{
	object->generation = mz_rt.generation;
	object->owner = NULL;
	object->acquired_at = 0;
	object->queue = NULL;
	object->queued = object->count = object->wakes = object->users = 0;
	object->type = MZ_OBJECT_PLAIN;
	object->orphaned = MZ_ORPHANED_NOT;
	object->kind = 0;
	object->state = 0;
	object->seen = object->first;
	object->seen_size = object->first_size;
	mz_clock_clear(&object->clock);
	mz_clock_clear(&object->sharers);
}

static void use(struct mz_object *object)
{
	if (nused == used_capacity) {
		used = mz_grow(used, &used_capacity, nused + 1, sizeof *used);
		if (!used) mz_unsupported("out of memory");
	}
	used[nused++] = object;
	make_new(object);
}

struct mz_object *mz_object_find(uintptr_t address)
{
	if (MZ_UNLIKELY(table_used * 2 >= table_size)) grow_table();
	struct mz_object **slot = slot_of(address);
	struct mz_object *object = *slot ? *slot : add_object(slot, address);
	if (object->generation != mz_rt.generation) use(object);
	return object;
}

void mz_model_reset(void)
{
	nused = 0;
}

void mz_model_forget(void)
{
	for (size_t i = 0; i < nused; i++) used[i]->generation = 0;
	nused = 0;
}

/* In a checkpoint, followed by the counts of its clocks. */
struct stored {
	struct mz_object *object;
	struct mz_object copy;
};

void mz_model_store(struct mz_state *state)
{
	mz_state_put(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		struct stored *stored = mz_state_room(state, sizeof *stored);
		stored->object = used[i];
		stored->copy = *used[i];
		stored->copy.generation = 0; /* states that are equal are to look so */
		mz_clock_store(&used[i]->clock, state);
		mz_clock_store(&used[i]->sharers, state);
	}
}

void mz_model_load(struct mz_state *state)
{
	size_t n;
	nused = 0;
	mz_state_get(state, &n, sizeof n);
	for (size_t i = 0; i < n; i++) {
		const struct stored *stored = mz_state_next(state, sizeof *stored);
		struct mz_object *object = stored->object;
		struct mz_clock room = object->clock, more = object->sharers;
		use(object);
		*object = stored->copy;
		object->generation = mz_rt.generation;
		object->clock = room;
		object->sharers = more;
		mz_clock_load(&object->clock, stored->copy.clock.length, state);
		mz_clock_load(&object->sharers, stored->copy.sharers.length, state);
	}
}

struct held {
	uint64_t address, state;
	uint32_t owner, count; /* of an owner the number, and one more */
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = ((const struct held *)a)->address, y = ((const struct held *)b)->address;
	return (x > y) - (x < y);
}

void mz_model_identity(struct mz_state *state)
{
	size_t from = state->size;
	uint64_t n = 0;
	for (size_t i = 0; i < nused; i++) {
		const struct mz_object *object = used[i];
		if (!object->owner && object->type == MZ_OBJECT_PLAIN && !object->orphaned) continue;
		if (object->type == MZ_OBJECT_THREAD && !object->state) continue;
		if (object->type == MZ_OBJECT_CHANNEL) continue; /* it follows from what is in it */
		const struct held held = {object->address, object->state | (uint64_t)object->orphaned << 62,
		                          object->owner ? object->owner->index + 1 : 0, object->count};
		mz_state_put(state, &held, sizeof held);
		n++;
	}
	qsort(state->bytes + from, n, sizeof(struct held), by_address);
	mz_state_put(state, &n, sizeof n);
}

static void forget(struct mz_object *object)
{
	make_new(object);
	object->seen_size = MZ_UNSEEN_UNKNOWN; /* it need not be what it was at first */
}

void mz_object_forget(uintptr_t address)
{
	forget(mz_object_find(address));
}

/* ---- queues ---- */

void mz_object_enqueue(struct mz_object *object, struct mz_fiber *fiber)
{
	struct mz_fiber **link = &object->queue;
	while (*link) link = &(*link)->next;
	fiber->next = NULL;
	*link = fiber;
	object->queued++;
	fiber->waits_for = object;
}

void mz_object_dequeue(struct mz_object *object, struct mz_fiber *fiber)
{
	struct mz_fiber **link = &object->queue;
	while (*link != fiber) link = &(*link)->next;
	*link = fiber->next;
	object->queued--;
	fiber->waits_for = NULL;
}

static void enable(struct mz_fiber *fiber, bool passes)
{
	mz_set_enabled(fiber, MZ_UNLIKELY(fiber->hears) ? mz_request_enabled(fiber, passes) : passes);
}

static void enable_queue(struct mz_object *mutex, bool enabled)
{
	for (struct mz_fiber *fiber = mutex->queue; fiber; fiber = fiber->next) enable(fiber, enabled);
}

static struct mz_access whole(const struct mz_object *object, int effect)
{
	return (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE, .effect = (int16_t)effect};
}

/* ---- objects with a state ---- */

static void change_state(struct mz_object *object, int effect)
{
	if (!effect) return;
	object->state += (uint64_t)(int64_t)effect;
	mz_object_changed(object);
}

void mz_object_changed(struct mz_object *object)
{
	for (struct mz_fiber *fiber = object->queue; fiber; fiber = fiber->next) {
		const struct mz_pending *pending = &mz_rt.pending[fiber->index];
		enum mz_op op = fiber->hears ? (enum mz_op)fiber->tries : (enum mz_op)pending->op;
		if (pending->status != MZ_THREAD_ABSENT)
			enable(fiber, mz_class_passes(mz_op_class(op), object->state, 0));
	}
}

void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = whole(object, effect);
	access->kind = (uint8_t)kind;
	mz_object_enqueue(object, self);
	mz_visible_if(self, op, 1, mz_class_passes(mz_op_class(op), object->state, 0), caller);
	mz_object_dequeue(object, self);
	access->before = object->state;
	mz_commit(self, op, 1, 1);
	change_state(object, effect);
}

void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = whole(object, effect);
	access->kind = (uint8_t)kind;
	mz_visible(self, op, 1, 1, caller);
	access->before = object->state;
	mz_commit(self, op, 1, 1);
	change_state(object, effect);
}

bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller)
{
	enum mz_op_class class = mz_op_class(op);
	struct mz_access *access = mz_accesses(self);
	*access = whole(object, effect);
	access->kind = mz_class_kind(class, true);
	mz_spin_visible(self, op, 1, 0, caller);
	bool passes = mz_class_passes(class, object->state, 0);
	access = self->accesses;
	access->before = object->state;
	access->kind = mz_class_kind(class, passes);
	access->effect = (int16_t)(passes ? effect : 0);
	mz_commit(self, op, 1, 1);
	if (passes) change_state(object, effect);
	return passes;
}

/* ---- mutexes ---- */

#define ROBUST 16 /* a bit of the C library in __kind */

static bool any_robust; /* in any execution: then it is worth looking for them */

static struct mz_object *find_mutex(pthread_mutex_t *mutex)
{
	struct mz_object *object = mz_object_find((uintptr_t)mutex);
	int kind = mutex->__data.__kind; /* set by initialisers, which cannot be intercepted */
	object->kind = (uint8_t)(kind & 3);
	if (kind & ROBUST) any_robust = true;
	return object;
}

void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object, const char *what)
{
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = object->address};
	mz_report(&report, "%s", what);
}

static void take(struct mz_fiber *self, struct mz_object *mutex, uint32_t count)
{
	mutex->owner = self;
	mutex->count = count;
	mutex->acquired_at = self->caller;
	enable_queue(mutex, false);
	mz_race_acquire(self, &mutex->clock);
}

static void give_back(struct mz_fiber *self, struct mz_object *mutex)
{
	mz_race_release(self, &mutex->clock);
	mutex->owner = NULL;
	mutex->count = 0;
	enable_queue(mutex, true);
}

static void acquire(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_accesses(self)[0] = whole(mutex, 1);
	mz_object_enqueue(mutex, self);
	mz_visible_if(self, MZ_OP_LOCK, 1, !mutex->owner, caller);
	mz_object_dequeue(mutex, self);
	self->accesses[0].before = 0;
	mz_commit(self, MZ_OP_LOCK, 1, 1);
	take(self, mutex, 1);
}

static void release(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_accesses(self)[0] = whole(mutex, -1);
	mz_visible(self, MZ_OP_UNLOCK, 1, 1, caller);
	self->accesses[0].before = 1;
	mz_commit(self, MZ_OP_UNLOCK, 1, 1);
	give_back(self, mutex);
}

/* Its owner has died, and who has just given it back did not put it in order. */
static void give_up(struct mz_object *mutex)
{
	if (MZ_UNLIKELY(mutex->orphaned)) mutex->orphaned = MZ_ORPHANED_FOR_GOOD;
}

/* What there is to be said of a mutex that the thread has got. */
static int got(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	if (MZ_LIKELY(!mutex->orphaned)) return 0;
	if (mutex->orphaned == MZ_ORPHANED_INCONSISTENT) return EOWNERDEAD;
	release(self, mutex, caller);
	return ENOTRECOVERABLE;
}

int mz_mutex_lock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = find_mutex(address);
	if (mutex->owner == self && mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
		mutex->count++;
		mz_spin_forget(self);
		return 0;
	}
	if (mutex->owner == self && mutex->kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
	acquire(self, mutex, caller);
	return got(self, mutex, caller);
}

/* Whether it got it. */
static bool try_acquire(struct mz_fiber *self, struct mz_object *mutex, enum mz_op op, uintptr_t caller)
{
	if (mutex->owner == self && mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
		mutex->count++;
		mz_spin_forget(self);
		return true;
	}
	mz_accesses(self)[0] = whole(mutex, 1);
	mz_spin_visible(self, op, 1, 0, caller);
	self->accesses[0].before = mutex->owner != NULL;
	self->accesses[0].kind = mutex->owner ? MZ_READ : MZ_WRITE;
	self->accesses[0].effect = !mutex->owner;
	mz_commit(self, op, 1, 1);
	if (mutex->owner) return false;
	take(self, mutex, 1);
	return true;
}

int mz_mutex_trylock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = find_mutex(address);
	return try_acquire(self, mutex, MZ_OP_TRYLOCK, caller) ? got(self, mutex, caller) : EBUSY;
}

/* While the mutex is held it waits, and to let it go on then is to let it time out. */
int mz_mutex_timedlock(struct mz_fiber *self, pthread_mutex_t *address, uint64_t until, uintptr_t caller)
{
	struct mz_object *mutex = find_mutex(address);
	if (mutex->owner == self && mutex->kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
	if (try_acquire(self, mutex, MZ_OP_TIMEDLOCK, caller)) return got(self, mutex, caller);
	if (until == MZ_TIME_INVALID) return EINVAL;
	mz_time_reach(self, until);
	return ETIMEDOUT;
}

int mz_mutex_unlock(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = find_mutex(address);
	if (mutex->owner != self) {
		bool checked = mutex->kind == PTHREAD_MUTEX_RECURSIVE || mutex->kind == PTHREAD_MUTEX_ERRORCHECK;
		if (!checked)
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
	release(self, mutex, caller);
	give_up(mutex);
	return 0;
}

int mz_mutex_consistent(const struct mz_fiber *self, pthread_mutex_t *address)
{
	struct mz_object *mutex = find_mutex(address);
	if (mutex->owner != self || mutex->orphaned != MZ_ORPHANED_INCONSISTENT) return EINVAL;
	mutex->orphaned = MZ_ORPHANED_NOT;
	return 0;
}

void mz_mutex_orphan(struct mz_fiber *self)
{
	if (MZ_LIKELY(!any_robust)) return;
	for (size_t i = 0; i < nused; i++) {
		struct mz_object *mutex = used[i];
		bool is_held = mutex->owner == self && mutex->type == MZ_OBJECT_PLAIN;
		if (!is_held || !(((const pthread_mutex_t *)mutex->address)->__data.__kind & ROBUST)) continue;
		release(self, mutex, mutex->acquired_at);
		mutex->orphaned = MZ_ORPHANED_INCONSISTENT;
	}
}

int mz_mutex_pass(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	int failed = mz_mutex_unlock(self, address, caller);
	return failed ? failed : mz_mutex_lock(self, address, caller);
}

int mz_mutex_destroy(struct mz_fiber *self, pthread_mutex_t *address, uintptr_t caller)
{
	struct mz_object *mutex = find_mutex(address);
	if (!mutex->owner && mz_race_knows(self, &mutex->clock)) return 0;
	mz_object_misuse(self, caller, mutex,
	                 mutex->owner ? "destruction of a mutex that is held"
	                              : "destruction of a mutex that another thread may be about to unlock");
	return mutex->owner ? EBUSY : 0;
}

/* ---- locks that are nothing else ---- */

void mz_lock_acquire(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	acquire(self, mz_object_find(address), caller);
}

bool mz_lock_try(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_object *lock = mz_object_find(address);
	lock->kind = PTHREAD_MUTEX_NORMAL;
	return try_acquire(self, lock, MZ_OP_TRYLOCK, caller);
}

void mz_lock_release(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	release(self, mz_object_find(address), caller);
}

struct mz_fiber *mz_lock_owner(uintptr_t address)
{
	return mz_object_find(address)->owner;
}

/* ---- guards of C++ variables, and what is done once: a mutex beside a byte that says that it is done ---- */

/* An address in it that nothing else has. */
static struct mz_object *guard_mutex(const uint8_t *guard)
{
	return mz_object_find((uintptr_t)guard + 1);
}

bool mz_guard_acquire(struct mz_fiber *self, uint8_t *guard, uintptr_t caller)
{
	struct mz_object *mutex = guard_mutex(guard);
	acquire(self, mutex, caller);
	if (!*guard) return true;
	release(self, mutex, caller);
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
	accesses[0] = whole(mutex, -1);
	accesses[1] =
	    (struct mz_access){.object = word, .mask = (uint8_t)(1U << ((uintptr_t)guard & 7)), .kind = MZ_WRITE};
	uint16_t n = done ? 2 : 1;
	mz_visible(self, MZ_OP_UNLOCK, n, 1, caller);
	accesses[0].before = 1;
	accesses[1].before = *(const uint64_t *)word;
	mz_commit(self, MZ_OP_UNLOCK, n, 1);
	if (done) *guard = done;
	if (done && mz_rt.races) mz_unseen_wrote(mz_object_find((uintptr_t)guard), 1, done);
	give_back(self, mutex);
}

/* ---- conditions ---- */

/* If it must not wait it does not go on either: a loop around the wait would never end. */
static void check_wait(struct mz_fiber *self, const struct mz_object *mutex, uintptr_t caller)
{
	bool is_held = mutex->owner == self;
	if (is_held && mutex->count == 1) return;
	mz_object_misuse(self, caller, mutex,
	                 is_held ? "wait with a recursive mutex that the thread holds more than once, and so keeps"
	                         : "wait with a mutex that the thread does not hold");
	mz_exit_failed(self);
}

/* Gives the mutex up and is among those that wait. */
static void start_waiting(struct mz_fiber *self, struct mz_object *condition, struct mz_object *mutex, uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = whole(condition, 1);
	accesses[1] = whole(mutex, -1);
	mz_visible(self, MZ_OP_WAIT, 2, 1, caller);
	accesses[0].before = condition->queued;
	accesses[1].before = 1;
	mz_commit(self, MZ_OP_WAIT, 2, 1);
	self->mutex = mutex;
	give_back(self, mutex);
	give_up(mutex);
	mz_object_enqueue(condition, self);
}

/* The thread has been chosen, and so has the mutex again; but see got(). */
static int take_again(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_object_dequeue(mutex, self);
	self->accesses[0].before = 0;
	mz_commit(self, MZ_OP_WAKEUP, 1, 1);
	take(self, mutex, 1);
	self->mutex = NULL;
	return got(self, mutex, caller);
}

static int acquire_again(struct mz_fiber *self, struct mz_object *mutex, uintptr_t caller)
{
	mz_accesses(self)[0] = whole(mutex, 1);
	mz_object_enqueue(mutex, self);
	mz_visible_if(self, MZ_OP_WAKEUP, 1, !mutex->owner, caller);
	return take_again(self, mutex, caller);
}

/* Waits where it can be cancelled: not before it has the mutex again. */
static int wait_and_hear(struct mz_fiber *self, struct mz_object *condition, struct mz_object *mutex, uintptr_t caller)
{
	mz_request_point(self, caller);
	start_waiting(self, condition, mutex, caller);
	bool left = mz_request_leave(self, condition, caller);
	int error = acquire_again(self, mutex, caller);
	if (left) mz_request_point(self, caller);
	return error;
}

int mz_condition_wait(struct mz_fiber *self, pthread_cond_t *address, pthread_mutex_t *mutex_address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_find((uintptr_t)address), *mutex = find_mutex(mutex_address);
	check_wait(self, mutex, caller);
	if (MZ_UNLIKELY(mz_request_hears(self))) return wait_and_hear(self, condition, mutex, caller);
	start_waiting(self, condition, mutex, caller);
	mz_accesses_now(self)[0] = whole(mutex, 1);
	mz_suspend(self, MZ_FIBER_WAITING);
	return take_again(self, mutex, caller);
}

/* Ends the wait: by itself, which it can at any time, or because somebody has woken it. Whether nobody has. */
bool mz_object_leave(struct mz_fiber *self, struct mz_object *condition, uintptr_t caller)
{
	struct mz_access *access = mz_accesses_now(self);
	*access = whole(condition, -1);
	mz_visible(self, MZ_OP_LEAVE, 1, 1, caller);
	access->before = condition->queued;
	access->effect = self->waits_for == condition ? -1 : 0;
	mz_commit(self, MZ_OP_LEAVE, 1, 1);
	if (self->waits_for != condition) return false;
	mz_object_dequeue(condition, self);
	return true;
}

int mz_condition_timedwait(struct mz_fiber *self, pthread_cond_t *address, pthread_mutex_t *mutex_address,
                           uint64_t until, uintptr_t caller)
{
	struct mz_object *condition = mz_object_find((uintptr_t)address), *mutex = find_mutex(mutex_address);
	if (until == MZ_TIME_INVALID) return EINVAL;
	check_wait(self, mutex, caller);
	mz_request_point(self, caller);
	self->timed_out = until <= self->time; /* at once: it does not wait */
	if (self->timed_out) {
		self->mutex = mutex;
		release(self, mutex, caller);
		give_up(mutex);
	} else {
		start_waiting(self, condition, mutex, caller);
		self->timed_out = mz_object_leave(self, condition, caller);
		if (self->timed_out) mz_time_reach(self, until);
	}
	int error = acquire_again(self, mutex, caller);
	if (!self->timed_out) return error;
	mz_request_point(self, caller);
	return error ? error : ETIMEDOUT;
}

/* One that may time out, or be cancelled, goes on to leave, and hears of it there: until then it might have. */
static void wake(struct mz_fiber *self, struct mz_object *condition, struct mz_fiber *waiter)
{
	mz_object_dequeue(condition, waiter);
	if (waiter->state == MZ_FIBER_PENDING) {
		struct mz_access *leaves = &waiter->accesses[waiter->hears ? 1 : 0]; /* see request.c */
		leaves->kind = MZ_READ;
		leaves->expected = condition->wakes;
		mz_set_enabled(waiter, true);
		mz_race_order(self, waiter);
		return;
	}
	mz_object_enqueue(waiter->mutex, waiter);
	mz_set_pending(waiter, MZ_OP_WAKEUP, 1, !waiter->mutex->owner);
	mz_order(self, waiter);
	mz_race_order(self, waiter);
}

/* At most so many are woken. */
static uint32_t before_signal(struct mz_fiber *self, struct mz_object *condition, uint32_t most)
{
	uint32_t woken = condition->queued < most ? condition->queued : most;
	self->accesses[0].before = condition->queued;
	self->accesses[0].kind = condition->queued ? MZ_WRITE : MZ_READ;
	if (condition->queued) self->accesses[0].expected = ++condition->wakes;
	self->accesses[0].effect = (int16_t)-woken;
	return condition->queued;
}

int mz_condition_signal(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_find((uintptr_t)address);
	mz_accesses(self)[0] = whole(condition, 0);
	mz_rt.signals_pending++;
	mz_visible(self, MZ_OP_SIGNAL, 1, condition->queued ? condition->queued : 1, caller);
	mz_rt.signals_pending--;
	uint32_t waiters = before_signal(self, condition, 1);
	mz_commit(self, MZ_OP_SIGNAL, 1, waiters ? waiters : 1);
	if (!waiters) return 0;
	MZ_REQUIRE(mz_rt.current_choice < waiters);
	struct mz_fiber *waiter = condition->queue;
	for (uint32_t i = 0; i < mz_rt.current_choice; i++) waiter = waiter->next;
	wake(self, condition, waiter);
	return 0;
}

int mz_condition_broadcast(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_find((uintptr_t)address);
	mz_accesses(self)[0] = whole(condition, 0);
	mz_visible(self, MZ_OP_BROADCAST, 1, 1, caller);
	before_signal(self, condition, UINT32_MAX);
	mz_commit(self, MZ_OP_BROADCAST, 1, 1);
	while (condition->queue) wake(self, condition, condition->queue);
	return 0;
}

int mz_condition_destroy(struct mz_fiber *self, pthread_cond_t *address, uintptr_t caller)
{
	struct mz_object *condition = mz_object_find((uintptr_t)address);
	if (!condition->queued) return 0;
	mz_object_misuse(self, caller, condition, "destruction of a condition that threads wait for");
	return EBUSY;
}

void mz_model_refresh(void)
{
	for (uint32_t t = 0; t < mz_rt.view.nthreads; t++) {
		struct mz_pending *pending = &mz_rt.pending[t];
		if (pending->op != MZ_OP_SIGNAL || pending->status == MZ_THREAD_ABSENT) continue;
		uint32_t waiters = mz_object_find(pending->accesses[0].object)->queued;
		pending->alternatives = waiters ? waiters : 1;
	}
}

uint64_t mz_model_state(uint64_t name)
{
	if (mz_is_channel(name)) return mz_object_find(name)->state;
	if (name >> 63) return 0; /* an object of mz_access() */
	const struct mz_object *object = mz_object_find(name);
	if (object->type != MZ_OBJECT_PLAIN) return object->state;
	return object->acquired_at ? object->owner != NULL : *(const uint64_t *)name;
}

/* Here and below, the shorter of two ways: through the bytes, or through the objects of the execution. */
void mz_model_forget_range(uintptr_t low, uintptr_t high)
{
	for (uintptr_t at = low; high - low < nused && at < high; at++) {
		struct mz_object *object = *slot_of(at);
		if (object && object->generation == mz_rt.generation) forget(object);
	}
	for (size_t i = 0; high - low >= nused && i < nused; i++)
		if (used[i]->address >= low && used[i]->address < high) forget(used[i]);
}

static bool is_busy(const struct mz_object *object)
{
	return object && object->generation == mz_rt.generation && (object->owner || object->queue);
}

uintptr_t mz_model_busy(uintptr_t low, uintptr_t high)
{
	if (!nused) return 0;
	if ((high - low) / 4 < nused) {
		for (uintptr_t at = low; at < high; at += 4) /* a spin lock is no larger */
			if (is_busy(*slot_of(at))) return at;
		return 0;
	}
	for (size_t i = 0; i < nused; i++)
		if (used[i]->address >= low && used[i]->address < high && is_busy(used[i])) return used[i]->address;
	return 0;
}

/* ---- explaining ---- */

static void explain_holdings(const struct mz_fiber *fiber)
{
	for (size_t i = 0; i < nused; i++) {
		struct mz_object *object = used[i];
		if (object->owner != fiber) continue;
		mz_report_detail(NULL, object->acquired_at, object->address, 0, "  and holds, since here,");
	}
}

static void explain(struct mz_fiber *fiber)
{
	const struct mz_object *object = fiber->waits_for;
	char holder[MZ_THREAD_NAME];
	static const char *const waits[] = {[MZ_OBJECT_PLAIN] = "waits for a signal on condition",
	                                    [MZ_OBJECT_RWLOCK] = "waits for the read-write lock",
	                                    [MZ_OBJECT_SEMAPHORE] = "waits for a post of semaphore",
	                                    [MZ_OBJECT_BARRIER] = "waits for others to arrive at barrier",
	                                    [MZ_OBJECT_FUTEX] = "waits to be woken at futex"};
	const struct mz_pending *pending = &mz_rt.pending[fiber->index];
	bool hears = fiber->state == MZ_FIBER_PENDING && fiber->hears;
	if (fiber->state == MZ_FIBER_JOINING || (hears && pending->op == MZ_OP_JOIN))
		mz_report_detail(fiber, fiber->caller, 0, 0, "waits for another thread to end");
	else if (fiber->state == MZ_FIBER_WAITING || (hears && pending->op == MZ_OP_END_WAIT))
		mz_report_detail(fiber, fiber->caller, object->address & ~3UL, 0, "%s", waits[object->type]);
	else if (mz_spin_waits(fiber))
		mz_spin_explain(fiber);
	else if (fiber->state == MZ_FIBER_PENDING && object && object->type == MZ_OBJECT_CHANNEL)
		mz_channel_explain(fiber, object->address);
	else if (fiber->state == MZ_FIBER_PENDING && object && object->owner)
		mz_report_detail(fiber, fiber->caller, object->address, 0, "waits for the %s that %s holds:",
		                 object->type == MZ_OBJECT_RWLOCK ? "read-write lock" : "mutex",
		                 mz_thread_name(object->owner, holder));
	else if (fiber->state == MZ_FIBER_PENDING && object && object->type != MZ_OBJECT_PLAIN)
		mz_report_detail(fiber, fiber->caller, object->address, 0, "%s", waits[object->type]);
	else
		return;
	explain_holdings(fiber);
}

void mz_model_explain(void)
{
	for (uint32_t t = 0; t < mz_rt.view.nthreads; t++) explain(&mz_rt.fibers[t]);
}
