/* SPDX-License-Identifier: MIT
 *
 * Objects, and what all kinds of them have in common. Each kind has a file of its own.
 */
#include "runtime/model.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/request.h"
#include "runtime/rwlock.h"
#include "runtime/spin.h"
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

MZ_COLD static void grow_table(void)
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
	object->owner = NULL;
	object->acquired_at = 0;
	object->queue = NULL;
	object->queued = object->count = object->wakes = object->users = 0;
	object->type = MZ_OBJECT_PLAIN;
	object->orphaned = MZ_ORPHANED_NOT;
	object->destroyed = false;
	object->kind = 0;
	object->state = 0;
	object->seen = object->first;
	object->seen_size = object->first_size;
	mz_clock_clear(&object->clock);
	mz_clock_clear(&object->sharers);
}

static void use(struct mz_object *object)
{
	object->generation = mz_rt.generation;
	if (nused == used_capacity) {
		used = mz_grow(used, &used_capacity, nused + 1, sizeof *used);
		if (!used) mz_unsupported("out of memory");
	}
	used[nused++] = object;
}

struct mz_object *mz_object_find(uintptr_t address)
{
	if (MZ_UNLIKELY(table_used * 2 >= table_size)) grow_table();
	struct mz_object **slot = slot_of(address);
	struct mz_object *object = *slot ? *slot : add_object(slot, address);
	if (object->generation != mz_rt.generation) {
		use(object);
		make_new(object);
	}
	return object;
}

struct mz_object *const *mz_objects_used(size_t *count)
{
	*count = nused;
	return used;
}

void mz_model_reset(void)
{
	nused = 0;
	mz_rt.any_destroyed = false;
	mz_rwlock_reset();
}

void mz_model_forget(void)
{
	for (size_t i = 0; i < nused; i++) used[i]->generation = 0;
	mz_model_reset();
}

/* In a checkpoint, followed by the counts of its clocks. */
struct stored {
	struct mz_object *object;
	uint8_t members[sizeof(struct mz_object) - offsetof(struct mz_object, owner)];
	uint32_t clock, sharers; /* lengths */
};

void mz_model_store(struct mz_state *state)
{
	mz_state_put(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		struct mz_object *object = used[i];
		struct stored *stored = mz_state_room(state, sizeof *stored);
		stored->object = object;
		__builtin_memcpy(stored->members, &object->owner, sizeof stored->members);
		stored->clock = object->clock.length;
		stored->sharers = object->sharers.length;
		mz_clock_store(&object->clock, state);
		mz_clock_store(&object->sharers, state);
	}
	mz_rwlock_store(state);
}

void mz_model_load(struct mz_state *state)
{
	size_t n;
	mz_model_reset();
	mz_state_get(state, &n, sizeof n);
	for (size_t i = 0; i < n; i++) {
		const struct stored *stored = mz_state_next(state, sizeof *stored);
		struct mz_object *object = stored->object;
		use(object);
		__builtin_memcpy(&object->owner, stored->members, sizeof stored->members);
		mz_rt.any_destroyed |= object->destroyed;
		mz_clock_load(&object->clock, stored->clock, state);
		mz_clock_load(&object->sharers, stored->sharers, state);
	}
	mz_rwlock_load(state);
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
		bool is_used = object->owner || object->type != MZ_OBJECT_PLAIN;
		if (!is_used && !object->orphaned && !object->destroyed) continue;
		if (object->type == MZ_OBJECT_THREAD && !object->state) continue;
		if (object->type == MZ_OBJECT_CHANNEL) continue;                  /* it follows from what is in it */
		bool rounds = object->type == MZ_OBJECT_BARRIER && object->count; /* earlier ones do not matter */
		uint64_t now = rounds ? object->state % object->count : object->state;
		const struct held held = {object->address,
		                          now | (uint64_t)object->orphaned << 62 | (uint64_t)object->destroyed << 61,
		                          object->owner ? object->owner->index + 1 : 0, object->count};
		mz_state_put(state, &held, sizeof held);
		n++;
	}
	qsort(state->bytes + from, n, sizeof(struct held), by_address);
	mz_state_put(state, &n, sizeof n);
	mz_rwlock_identity(state);
}

uint64_t mz_model_name(uint64_t word)
{
	for (size_t i = 0; i < nused; i++) {
		uint64_t inside = word - (uintptr_t)used[i];
		if (inside < sizeof **used) return used[i]->address + (inside << 48);
	}
	return word;
}

static void forget(struct mz_object *object)
{
	if (object->type == MZ_OBJECT_RWLOCK) mz_rwlock_forget(object);
	make_new(object);
	object->seen_size = MZ_UNSEEN_UNKNOWN; /* it need not be what it was at first */
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

void mz_object_enable(struct mz_object *object, bool enabled)
{
	for (struct mz_fiber *fiber = object->queue; fiber; fiber = fiber->next) enable(fiber, enabled);
}

/* ---- objects with a state ---- */

static void change_state(struct mz_object *object, enum mz_access_kind kind, int effect)
{
	if (!effect) return;
	object->state += (uint64_t)(int64_t)effect;
	mz_object_changed(object, kind);
}

void mz_object_changed(struct mz_object *object, enum mz_access_kind kind)
{
	for (struct mz_fiber *fiber = object->queue; fiber; fiber = fiber->next) {
		const struct mz_pending *pending = &mz_rt.pending[fiber->index];
		enum mz_op op = fiber->hears ? (enum mz_op)fiber->tries : (enum mz_op)pending->op;
		if (pending->status == MZ_THREAD_ABSENT) continue;
		if (op == MZ_OP_PASS ? object->state <= fiber->accesses[0].expected
		                     : fiber->hears && !mz_kinds_conflict(fiber->accesses[1].kind, (uint8_t)kind))
			continue;
		enable(fiber, mz_class_passes(mz_op_class(op), object->state, 0));
	}
}

void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller)
{
	uint64_t signals = MZ_UNLIKELY(mz_rt.interrupts) ? mz_signals_deliverable(self) : 0;
	if (MZ_UNLIKELY(signals)) {
		enum mz_op tries = op == MZ_OP_LOCK_SHARED ? MZ_OP_TRYLOCK_SHARED : MZ_OP_TRYLOCK;
		while (!mz_object_try(self, object, tries, effect, caller))
			mz_request_await(self, object, tries, signals, caller);
		return;
	}
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = (uint8_t)kind;
	mz_object_enqueue(object, self);
	mz_visible_if(self, op, 1, mz_class_passes(mz_op_class(op), object->state, 0), caller);
	mz_object_dequeue(object, self);
	access->before = object->state;
	mz_commit(self, op, 1, 1);
	change_state(object, kind, effect);
}

void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = (uint8_t)kind;
	mz_visible(self, op, 1, 1, caller);
	access->before = object->state;
	mz_commit(self, op, 1, 1);
	change_state(object, kind, effect);
}

bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller)
{
	enum mz_op_class class = mz_op_class(op);
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = mz_class_kind(class, true);
	mz_spin_visible(self, op, 1, 0, caller);
	bool passes = mz_class_passes(class, object->state, 0);
	access = self->accesses;
	access->before = object->state;
	access->kind = mz_class_kind(class, passes);
	access->effect = (int16_t)(passes ? effect : 0);
	mz_commit(self, op, 1, 1);
	if (passes) change_state(object, (enum mz_access_kind)access->kind, effect);
	return passes;
}

bool mz_object_leave(struct mz_fiber *self, struct mz_object *object, uintptr_t caller)
{
	struct mz_access *access = mz_accesses_now(self);
	*access = mz_object_whole(object, -1);
	mz_visible(self, MZ_OP_LEAVE, 1, 1, caller);
	access->before = object->queued;
	access->effect = self->waits_for == object ? -1 : 0;
	mz_commit(self, MZ_OP_LEAVE, 1, 1);
	if (self->waits_for != object) return false;
	mz_object_dequeue(object, self);
	return true;
}

/* ---- destruction ---- */

/* What is in the first bytes of a destroyed object: if it is not any more, somebody has initialised it by assignment.
 */
#define DESTROYED 0xdedededeU

void mz_object_before_destruction(struct mz_fiber *self, struct mz_object *object, uintptr_t caller)
{
	mz_accesses(self)[0] = mz_object_whole(object, 0);
	mz_visible(self, MZ_OP_DESTROY, 1, 1, caller);
}

int mz_object_destroy(struct mz_fiber *self, struct mz_object *object, uint64_t state, const char *wrong)
{
	self->accesses[0].before = state;
	mz_commit(self, MZ_OP_DESTROY, 1, 1);
	if (wrong) {
		mz_object_misuse(self, self->caller, object, wrong);
		return EBUSY;
	}
	object->destroyed = mz_rt.any_destroyed = true;
	object->destroyer = self->index;
	object->acquired_at = self->caller;
	*(uint32_t *)object->address = DESTROYED;
	return 0;
}

void mz_object_used(struct mz_fiber *self, uintptr_t address, uintptr_t caller)
{
	struct mz_object *object = mz_object_find(address);
	if (MZ_LIKELY(!object->destroyed)) return;
	/* what follows from a use that is a write, after which it comes, is no mistake of its own */
	if (self->accesses[0].kind == MZ_WRITE) object->destroyed = false;
	if (*(const uint32_t *)address != DESTROYED) return;
	struct mz_report report = {.kind = MZ_FINDING_MISUSE,
	                           .place = {self, caller, "use"},
	                           .other = {&mz_rt.fibers[object->destroyer], object->acquired_at, "destruction"},
	                           .address = address};
	mz_report(&report, "use of a synchronization object that was destroyed");
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
	if (!object || object->generation != mz_rt.generation) return false;
	return object->owner || object->queue || (object->type == MZ_OBJECT_RWLOCK && object->state);
}

bool mz_object_initialise(uintptr_t address, uintptr_t caller)
{
	struct mz_object *object = mz_object_find(address);
	if (MZ_UNLIKELY(is_busy(object))) {
		mz_object_misuse(mz_current, caller, object,
		                 "initialisation of a synchronization object that another thread uses");
		return false;
	}
	forget(object);
	return true;
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

void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object, const char *what)
{
	struct mz_report report = {
	    .kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}, .address = object->address};
	mz_report(&report, "%s", what);
}

static void explain_holdings(const struct mz_fiber *fiber)
{
	for (size_t i = 0; i < nused; i++) {
		struct mz_object *object = used[i];
		if (object->owner != fiber) continue;
		mz_report_detail(NULL, object->acquired_at, object->address, 0, "  and holds, since here,");
	}
	mz_rwlock_explain_holdings(fiber);
}

static void explain(struct mz_fiber *fiber)
{
	const struct mz_object *object = fiber->waits_for;
	char holder[MZ_THREAD_NAME];
	static const char *const waits[] = {[MZ_OBJECT_PLAIN] = "waits for a signal on condition",
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
	else if (fiber->state == MZ_FIBER_PENDING && object && object->type == MZ_OBJECT_RWLOCK)
		mz_rwlock_explain(fiber, object);
	else if (fiber->state == MZ_FIBER_PENDING && object && object->owner)
		mz_report_detail(fiber, fiber->caller, object->address, 0,
		                 "waits for the mutex that %s holds:", mz_thread_name(object->owner, holder));
	else if (fiber->state == MZ_FIBER_PENDING && object && object->type != MZ_OBJECT_PLAIN)
		mz_report_detail(fiber, fiber->caller, object->address & ~3UL, 0, "%s", waits[object->type]);
	else
		return;
	explain_holdings(fiber);
}

void mz_model_explain(void)
{
	for (uint32_t t = 0; t < mz_rt.view.nthreads; t++) explain(&mz_rt.fibers[t]);
}
