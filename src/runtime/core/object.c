/* SPDX-License-Identifier: MIT */
#include "runtime/core/object.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/core/clock.h"
#include "trace/channel.h"
#include <stdlib.h>

/* ---- finding objects ---- */

static struct mz_table objects; /* all objects ever seen, by address */
static struct mz_object **used; /* those that this execution has used */
static size_t nused, used_capacity;

/* Returns the object at an address, or NULL if there was never one. */
static struct mz_object *known_object(uint64_t address)
{
	return (struct mz_object *)(uintptr_t)mz_table_find(&objects, mz_mix(address));
}

MZ_COLD static struct mz_object *add_object(uint64_t address)
{
	struct mz_object *object = mz_alloc(sizeof *object);
	if (!object || !mz_table_add(&objects, mz_mix(address), (uintptr_t)object)) mz_unsupported("out of memory");
	*object = (struct mz_object){.address = address};
	return object;
}

static void make_new(struct mz_object *object)
{
	object->owner = NULL;
	object->acquired_at = 0;
	object->queue = NULL;
	object->queued = object->count = object->wakes = object->users = 0;
	object->type = MZ_OBJECT_PLAIN;
	object->orphaned = MZ_NOT_ORPHANED;
	object->destroyed = false;
	object->kind = 0;
	object->state = 0;
	object->seen = object->first;
	object->seen_size = object->first_size;
	mz_clock_clear(&object->clock);
	mz_clock_clear(&object->sharers);
}

static void add_to_used(struct mz_object *object)
{
	object->generation = mz_rt.generation;
	mz_array_require(&used, &used_capacity, nused + 1);
	used[nused++] = object;
}

struct mz_object *mz_object_find(uintptr_t address)
{
	struct mz_object *object = known_object(address);
	if (MZ_UNLIKELY(!object)) object = add_object(address);
	if (object->generation != mz_rt.generation) {
		add_to_used(object);
		make_new(object);
	}
	return object;
}

struct mz_object *mz_object_of_end(const struct mz_fiber *fiber)
{
	struct mz_object *object = mz_object_find(mz_object_inside(fiber, MZ_INSIDE_THREAD_END));
	object->type = MZ_OBJECT_THREAD;
	return object;
}

struct mz_object *const *mz_objects_used(size_t *count)
{
	*count = nused;
	return used;
}

void mz_objects_reset(void)
{
	nused = 0;
	mz_rt.execution.any_destroyed = false;
}

void mz_objects_forget(void)
{
	for (size_t i = 0; i < nused; i++) used[i]->generation = 0;
	mz_objects_reset();
}

/* An object in a checkpoint, followed by the counts of its clocks. */
struct stored_object {
	struct mz_object *object;
	uint8_t members[sizeof(struct mz_object) - offsetof(struct mz_object, owner)];
	uint32_t clock, sharers; /* lengths */
};

void mz_objects_store(struct mz_state *state)
{
	mz_state_put(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		struct mz_object *object = used[i];
		struct stored_object *stored = mz_state_room(state, sizeof *stored);
		stored->object = object;
		__builtin_memcpy(stored->members, &object->owner, sizeof stored->members);
		stored->clock = object->clock.length;
		stored->sharers = object->sharers.length;
		mz_clock_store(&object->clock, state);
		mz_clock_store(&object->sharers, state);
	}
}

void mz_objects_load(struct mz_state *state)
{
	size_t n;
	mz_objects_reset();
	mz_state_get(state, &n, sizeof n);
	for (size_t i = 0; i < n; i++) {
		const struct stored_object *stored = mz_state_next(state, sizeof *stored);
		struct mz_object *object = stored->object;
		add_to_used(object);
		__builtin_memcpy(&object->owner, stored->members, sizeof stored->members);
		mz_rt.execution.any_destroyed |= object->destroyed;
		mz_clock_load(&object->clock, stored->clock, state);
		mz_clock_load(&object->sharers, stored->sharers, state);
	}
}

struct held_object {
	uint64_t address, state;
	uint32_t owner, count; /* number of the owner plus 1; 0: none */
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = ((const struct held_object *)a)->address, y = ((const struct held_object *)b)->address;
	return (x > y) - (x < y);
}

void mz_objects_identity(struct mz_state *state)
{
	size_t from = state->size;
	uint64_t n = 0;
	for (size_t i = 0; i < nused; i++) {
		const struct mz_object *object = used[i];
		bool is_used = object->owner || object->type != MZ_OBJECT_PLAIN;
		if (!is_used && !object->orphaned && !object->destroyed) continue;
		if (object->type == MZ_OBJECT_THREAD && !object->state) continue;
		if (mz_object_kinds[object->type].derived) continue;
		bool rounds = mz_object_kinds[object->type].rounds && object->count;
		uint64_t now = rounds ? object->state % object->count : object->state;
		const struct held_object held = {
		    object->address, now | (uint64_t)object->orphaned << 62 | (uint64_t)object->destroyed << 61,
		    object->owner ? object->owner->index + 1 : 0, object->count};
		mz_state_put(state, &held, sizeof held);
		n++;
	}
	qsort(state->bytes + from, n, sizeof(struct held_object), by_address);
	mz_state_put(state, &n, sizeof n);
}

uint64_t mz_objects_name(uint64_t word)
{
	for (size_t i = 0; i < nused; i++) {
		uint64_t inside = word - (uintptr_t)used[i];
		if (inside < sizeof **used) return used[i]->address + (inside << 48);
	}
	return word;
}

void mz_object_forget(struct mz_object *object)
{
	const struct mz_object_kind *kind = &mz_object_kinds[object->type];
	if (kind->forget) kind->forget(object);
	make_new(object);
	object->seen_size = MZ_SEEN_UNKNOWN;
}

/* ---- queues ---- */

void mz_object_enqueue(struct mz_object *object, struct mz_fiber *fiber)
{
	struct mz_fiber **link = &object->queue;
	while (*link) link = &(*link)->next;
	fiber->next = NULL;
	*link = fiber;
	object->queued++;
	fiber->waits.object = object;
}

void mz_object_dequeue(struct mz_object *object, struct mz_fiber *fiber)
{
	struct mz_fiber **link = &object->queue;
	while (*link != fiber) link = &(*link)->next;
	*link = fiber->next;
	object->queued--;
	fiber->waits.object = NULL;
}

/* ---- looking and forgetting ---- */

uint64_t mz_objects_state(uint64_t name)
{
	if (mz_is_channel(name)) return mz_object_find(name)->state;
	if (!mz_object_is_memory(name)) return 0;
	const struct mz_object *object = mz_object_find(name);
	if (object->type != MZ_OBJECT_PLAIN) return object->state;
	return object->acquired_at ? object->owner != NULL : *(const uint64_t *)name;
}

/* Here and below, the shorter of two ways is taken: through the bytes of the range, or through the objects of the
 * execution. */
void mz_objects_forget_range(uintptr_t low, uintptr_t high)
{
	for (uintptr_t at = low; high - low < nused && at < high; at++) {
		struct mz_object *object = known_object(at);
		if (object && object->generation == mz_rt.generation) mz_object_forget(object);
	}
	for (size_t i = 0; high - low >= nused && i < nused; i++)
		if (used[i]->address >= low && used[i]->address < high) mz_object_forget(used[i]);
}

bool mz_object_is_busy(const struct mz_object *object)
{
	if (!object || object->generation != mz_rt.generation) return false;
	return object->owner || object->queue || (object->type == MZ_OBJECT_RWLOCK && object->state);
}

uintptr_t mz_objects_busy(uintptr_t low, uintptr_t high)
{
	if (!nused) return 0;
	if ((high - low) / 4 < nused) {
		for (uintptr_t at = low; at < high;
		     at += 4) /* objects are at least 4 bytes apart: the size of a spin lock */
			if (mz_object_is_busy(known_object(at))) return at;
		return 0;
	}
	for (size_t i = 0; i < nused; i++)
		if (used[i]->address >= low && used[i]->address < high && mz_object_is_busy(used[i]))
			return used[i]->address;
	return 0;
}
