/* SPDX-License-Identifier: MIT
 *
 * Locks, semaphores (queues are the same) and flags. The engine keeps their states, because what an operation finds
 * decides whether it could be made, or what it did. In the search each is an object with a state:
 *
 *   acquire         LOCK       write       needs the state 0, adds 1
 *   take            TAKE       write       needs a unit, takes one away
 *   await           PASS       read        needs the state 1
 *   release, post   any        write, weak write
 *   put, set, clear any        write
 *   try, try-take   TRYLOCK, TRYTAKE       the same if it can be, else a read
 *   release-any     BROADCAST  a write if the lock is held, else a read
 *
 * A step may use several objects, but it can need only one: a thread cannot wait in the middle of a step. The object
 * that it needs is the first access of its event. What a step tries is all that it does: the rest would depend on the
 * outcome.
 */
#include "base/array.h"
#include "base/hash.h"
#include "engine/host/host.h"

/* ---- objects ---- */

/* Returns what stands for an object in the search. It is a hash, so that it differs from the numbers of the host's
 * objects. */
static uint64_t name_of(enum mz_host_kind kind, uint64_t number)
{
	static const uint64_t salts[KIND_COUNT] = {0x6d617a75726b61ULL, 0x73656d6170686f72ULL, 0x666c616773206f66ULL};
	return mz_mix(number + salts[kind]);
}

struct mz_host_object *mz_host_object(mz_engine *engine, enum mz_host_kind kind, uint64_t number)
{
	struct mz_table *numbers = &engine->numbers[kind];
	uint64_t known = mz_table_find(numbers, mz_mix(number));
	if (known) return &engine->objects[known - 1];
	if (!mz_array_reserve(&engine->objects, &engine->objects_capacity, engine->nobjects + 1) ||
	    !mz_table_add(numbers, mz_mix(number), engine->nobjects + 1)) {
		mz_host_no_memory(engine);
		return NULL;
	}
	struct mz_host_object *object = &engine->objects[engine->nobjects++];
	*object = (struct mz_host_object){.object = name_of(kind, number)};
	return object;
}

void mz_host_reset_objects(mz_engine *engine)
{
	for (size_t n = 0; n < engine->nobjects; n++) engine->objects[n].state = engine->objects[n].first;
}

MZ_API int mz_engine_declare(mz_engine *engine, mz_engine_sync_kind kind, uint64_t id, uint32_t state)
{
	if (!engine || engine->failed) return -1;
	bool counts = kind == MZ_ENGINE_TAKE;
	if (!counts && kind != MZ_ENGINE_AWAIT)
		return mz_host_fail(engine, "mz_engine_declare: only semaphores (MZ_ENGINE_TAKE) and flags "
		                            "(MZ_ENGINE_AWAIT) have a state to begin with");
	struct mz_host_object *object = mz_host_object(engine, counts ? KIND_SEMAPHORE : KIND_FLAG, id);
	if (!object) return -1;
	uint32_t first = counts ? state : state != 0;
	if (object->told && object->first == first) return 0;
	if (object->told || mz_table_find(&engine->known_objects, mz_mix(object->object)))
		return mz_host_fail(engine, "mz_engine_declare: %s %llu was used or declared otherwise before",
		                    counts ? "semaphore" : "flag", (unsigned long long)id);
	object->told = true;
	object->state = object->first = first;
	return 0;
}

/* ---- the step ---- */

/* Returns the kind of an access that touches an object in two ways. */
static uint8_t merge_kinds(uint8_t a, uint8_t b)
{
	if (a == b || b == MZ_WEAK_READ) return a;
	return a == MZ_WEAK_READ ? b : MZ_WRITE;
}

static struct mz_access *find_access(mz_engine *engine, uint64_t object)
{
	for (size_t n = 0; n < engine->naccesses; n++)
		if (engine->accesses[n].object == object) return &engine->accesses[n];
	return NULL;
}

/* Adds to the step that it touches an object and changes its state by `effect`. `*fresh` says whether it is the first
 * time in the step. Returns NULL when there is no memory. */
static struct mz_access *touch(mz_engine *engine, struct mz_host_object *object, uint8_t kind, int effect, bool *fresh)
{
	struct mz_access *access = find_access(engine, object->object);
	*fresh = !access;
	if (!access)
		access = mz_host_add_access(
		    engine,
		    (struct mz_access){.object = object->object, .before = object->state, .mask = 0xff, .kind = kind});
	if (!access) return NULL;
	access->kind = merge_kinds(access->kind, kind);
	access->effect = (int16_t)(access->effect + effect);
	object->state += (uint32_t)effect;
	return access;
}

static int change(mz_engine *engine, struct mz_host_object *object, uint8_t kind, int effect)
{
	bool fresh;
	return touch(engine, object, kind, effect, &fresh) ? 0 : -1;
}

/* Makes an access the one that the step needs. */
static int need(mz_engine *engine, struct mz_access *access, enum mz_op op)
{
	struct mz_host_step *step = &engine->step;
	if (step->waits && access != engine->accesses)
		return mz_host_fail(
		    engine, "step %u gets two things for which thread %u may have had to wait: these are two steps",
		    engine->nsteps + 1, step->thread);
	struct mz_access first = engine->accesses[0];
	engine->accesses[0] = *access;
	*access = first;
	step->waits = true;
	step->op = op;
	return 0;
}

/* Makes an attempt all that the step does: `passes` says whether it succeeds. */
static int attempt(mz_engine *engine, struct mz_host_object *object, enum mz_op op, bool passes, int effect)
{
	if (engine->naccesses || engine->step.links || engine->step.closed)
		return mz_host_fail(engine, "a step that tries something can do nothing else");
	engine->step.closed = true;
	engine->step.op = op;
	return change(engine, object, passes ? MZ_WRITE : MZ_READ, passes ? effect : 0);
}

/* ---- locks ---- */

int mz_host_try_in_vain(mz_engine *engine, uint64_t lock)
{
	struct mz_host_object *object = mz_host_object(engine, KIND_LOCK, lock);
	if (!object) return -1;
	mz_host_step_note(engine, 16, lock);
	return attempt(engine, object, MZ_OP_TRYLOCK, false, 0);
}

static int acquire(mz_engine *engine, uint32_t thread, uint64_t lock, struct mz_host_object *object)
{
	bool fresh;
	if (object->state)
		return mz_host_fail(engine, "lock %llu is held by thread %u: thread %u cannot get it",
		                    (unsigned long long)lock, object->holder, thread);
	object->holder = thread;
	if (engine->tries_locks) return attempt(engine, object, MZ_OP_TRYLOCK, true, 1);
	struct mz_access *access = touch(engine, object, MZ_WRITE, 1, &fresh);
	if (!access) return -1;
	return fresh ? need(engine, access, MZ_OP_LOCK) : 0;
}

static int try_lock(mz_engine *engine, uint32_t thread, struct mz_host_object *object)
{
	bool passes = !object->state;
	if (passes) object->holder = thread;
	return attempt(engine, object, MZ_OP_TRYLOCK, passes, 1);
}

static int give_back(mz_engine *engine, uint32_t thread, uint64_t lock, struct mz_host_object *object)
{
	if (!object->state || object->holder != thread)
		return mz_host_fail(engine, "lock %llu is not held by thread %u", (unsigned long long)lock, thread);
	engine->step.releases = true;
	return change(engine, object, MZ_WRITE, -1);
}

/* ---- semaphores and flags ---- */

static int take(mz_engine *engine, uint64_t semaphore, struct mz_host_object *object)
{
	bool fresh;
	if (!object->state)
		return mz_host_fail(engine, "semaphore %llu has no unit that could be taken",
		                    (unsigned long long)semaphore);
	engine->step.clears = true;
	struct mz_access *access = touch(engine, object, MZ_WRITE, -1, &fresh);
	if (!access) return -1;
	if (access->effect < -1)
		return mz_host_fail(engine, "step %u takes two units of semaphore %llu: these are two steps",
		                    engine->nsteps + 1, (unsigned long long)semaphore);
	return access->effect < 0 ? need(engine, access, MZ_OP_TAKE) : 0;
}

static int await_flag(mz_engine *engine, uint64_t flag, struct mz_host_object *object)
{
	bool fresh;
	if (!object->state)
		return mz_host_fail(engine, "flag %llu is not set: it cannot have been awaited",
		                    (unsigned long long)flag);
	struct mz_access *access = touch(engine, object, MZ_READ, 0, &fresh);
	if (!access) return -1;
	return fresh ? need(engine, access, MZ_OP_PASS) : 0;
}

static int set_flag(mz_engine *engine, struct mz_host_object *object, uint32_t state)
{
	if (!state) engine->step.clears = true;
	return change(engine, object, MZ_WRITE, (int)state - (int)object->state);
}

/* ---- reports ---- */

/* Returns of which kind the objects are that are used in this way; KIND_COUNT if they are no objects. */
static enum mz_host_kind kind_of(mz_engine_sync_kind kind)
{
	switch (kind) {
	case MZ_ENGINE_ACQUIRE:
	case MZ_ENGINE_RELEASE:
	case MZ_ENGINE_TRY:
	case MZ_ENGINE_RELEASE_ANY: return KIND_LOCK;
	case MZ_ENGINE_POST:
	case MZ_ENGINE_PUT:
	case MZ_ENGINE_TAKE:
	case MZ_ENGINE_TRY_TAKE: return KIND_SEMAPHORE;
	case MZ_ENGINE_SET:
	case MZ_ENGINE_CLEAR:
	case MZ_ENGINE_AWAIT: return KIND_FLAG;
	default: return KIND_COUNT;
	}
}

static int use(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id)
{
	struct mz_host_object *object = mz_host_object(engine, kind_of(kind), id);
	if (!object) return -1;
	mz_host_step_note(engine, 16 + (uint64_t)kind, id);
	switch (kind) {
	case MZ_ENGINE_ACQUIRE: return acquire(engine, thread, id, object);
	case MZ_ENGINE_RELEASE: return give_back(engine, thread, id, object);
	case MZ_ENGINE_TRY: return try_lock(engine, thread, object);
	case MZ_ENGINE_RELEASE_ANY: return attempt(engine, object, MZ_OP_BROADCAST, object->state, -1);
	case MZ_ENGINE_POST: return change(engine, object, MZ_WEAK_WRITE, 1);
	case MZ_ENGINE_PUT: return change(engine, object, MZ_WRITE, 1);
	case MZ_ENGINE_TAKE: return take(engine, id, object);
	case MZ_ENGINE_TRY_TAKE: return attempt(engine, object, MZ_OP_TRYTAKE, object->state, -1);
	case MZ_ENGINE_SET: return set_flag(engine, object, 1);
	case MZ_ENGINE_CLEAR: return set_flag(engine, object, 0);
	default: return await_flag(engine, id, object);
	}
}

MZ_API int mz_engine_sync(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id)
{
	if (!mz_host_check_running(engine, thread, "mz_engine_sync")) return -1;
	if (engine->step.closed) return mz_host_fail(engine, "a step that tries something can do nothing else");
	if (kind == MZ_ENGINE_SPAWN) return mz_host_spawn(engine, thread, id);
	if (kind == MZ_ENGINE_JOIN) return mz_host_join(engine, thread, id);
	if (kind_of(kind) == KIND_COUNT) return mz_host_fail(engine, "mz_engine_sync: there is no kind %d", (int)kind);
	return use(engine, thread, kind, id);
}

/* ---- waiting ---- */

bool mz_host_describe_wait(mz_engine *engine, mz_engine_sync_kind kind, uint64_t id, enum mz_op *op,
                           struct mz_host_thread *waiter)
{
	bool reads = kind == MZ_ENGINE_AWAIT;
	if (kind != MZ_ENGINE_ACQUIRE && kind != MZ_ENGINE_TAKE && !reads)
		return !mz_host_fail(engine, "mz_engine_wait: a thread cannot wait for the kind %d", (int)kind);
	const struct mz_host_object *object = mz_host_object(engine, kind_of(kind), id);
	if (!object) return false;
	*op = kind == MZ_ENGINE_ACQUIRE ? MZ_OP_LOCK : reads ? MZ_OP_PASS : MZ_OP_TAKE;
	waiter->wanted_object = (uint32_t)(object - engine->objects);
	waiter->wanted = (struct mz_access){
	    .object = object->object, .before = object->state, .mask = 0xff, .kind = reads ? MZ_READ : MZ_WRITE};
	return true;
}

bool mz_host_passes(const mz_engine *engine, enum mz_op op, uint32_t object)
{
	return mz_class_passes(mz_op_class(op), engine->objects[object].state, 0);
}
