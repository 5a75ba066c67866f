/* SPDX-License-Identifier: MIT
 *
 * What prefixes have touched is found by object: each has a list of its users, a user being a thread that touched these
 * bytes in this way, and the first of its steps that did. Since that is all that matters (if it is not the thread's
 * last step, a conflict with it is one with the middle of the prefix), a vector costs what its steps touch.
 */
#include "engine/stateful/vector.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "base/hash.h"

#define NOBODY UINT32_MAX
#define MANY (UINT32_MAX - 1)
#define NONE UINT32_MAX
#define LOOK_FOR_SAME 4 /* how many users of an object are compared with a new one */

struct mz_vector_object {
	uint32_t users; /* index of the first user of the object, or NONE */
	uint32_t only;  /* the thread that touched the object, NOBODY or MANY */
	uint8_t kinds;  /* the kinds of access so far, a bit for each */
};

struct mz_vector_user {
	uint32_t next;
	uint32_t thread;
	uint32_t first; /* the first step of the thread that touches the object so */
	uint32_t choice;
	uint8_t mask, kind;
	bool plain;
};

struct mz_vector_met {
	uint64_t object;
	uint32_t thread;
	uint32_t choice, own_choice;
	bool plain; /* one of the two accesses is plain: it came after the visible operation of its step */
};

/* ---- solos ---- */

void mz_solo_release(struct mz_solo *solo)
{
	mz_free(solo->steps);
	mz_free(solo->touches);
	*solo = (struct mz_solo){0};
}

void mz_solo_clear(struct mz_solo *solo)
{
	solo->nsteps = solo->ntouches = solo->length = 0;
	solo->end = MZ_SOLO_OPEN;
	solo->nidles = 0;
}

static bool touch(struct mz_solo *solo, const struct mz_access *accesses, size_t count, uint32_t choice, bool plain)
{
	if (!mz_array_reserve(&solo->touches, &solo->touches_capacity, solo->ntouches + count)) return false;
	for (size_t n = 0; n < count; n++) {
		solo->touches[solo->ntouches++] = (struct mz_touch){.object = accesses[n].object,
		                                                    .choice = choice,
		                                                    .mask = accesses[n].mask,
		                                                    .kind = accesses[n].kind,
		                                                    .plain = plain};
	}
	return true;
}

static bool add_step(struct mz_solo *solo, bool races, bool changes)
{
	if (!mz_array_reserve(&solo->steps, &solo->steps_capacity, solo->nsteps + 1)) return false;
	solo->steps[solo->nsteps++] = (struct mz_solo_step){solo->ntouches, races, changes};
	return true;
}

bool mz_solo_add_alternative(struct mz_solo *solo, const struct mz_stride *stride)
{
	const struct mz_event *event = &stride->event;
	if (!touch(solo, event->accesses, event->naccesses, event->choice, false)) return false;
	if (!touch(solo, stride->plain, stride->nplain, event->choice, true)) return false;
	solo->steps[solo->nsteps - 1].end = solo->ntouches;
	return true;
}

bool mz_solo_add(struct mz_solo *solo, const struct mz_stride *stride)
{
	return add_step(solo, stride->races, stride->changes) && mz_solo_add_alternative(solo, stride);
}

bool mz_solo_add_idle(struct mz_solo *solo, enum mz_solo_end end, const struct mz_access *reads, size_t count,
                      unsigned times)
{
	for (unsigned n = 0; n < times; n++) {
		if (!touch(solo, reads, count, 0, false) || !add_step(solo, false, false)) return false;
	}
	solo->end = (uint8_t)end;
	solo->nidles = (uint8_t)times;
	return true;
}

/* ---- who touched what ---- */

static struct mz_vector_object *object_of(struct mz_vector *v, struct mz_touch *t)
{
	uint64_t number = mz_table_find_or_add(&v->places, mz_mix(t->object), v->nobjects + 1);
	if (!number) return NULL;
	t->place = (uint32_t)number - 1;
	if (t->place == v->nobjects) {
		if (!mz_array_reserve(&v->objects, &v->objects_capacity, v->nobjects + 1)) return NULL;
		v->objects[v->nobjects++] = (struct mz_vector_object){NONE, NOBODY, 0};
	}
	return &v->objects[t->place];
}

static bool is_used_so(const struct mz_vector *v, const struct mz_vector_object *object, uint32_t thread,
                       const struct mz_touch *t)
{
	uint32_t u = object->users;
	for (unsigned n = 0; n < LOOK_FOR_SAME && u != NONE; n++, u = v->users[u].next) {
		const struct mz_vector_user *user = &v->users[u];
		if (user->thread == thread && user->kind == t->kind && user->mask == t->mask &&
		    user->plain == t->plain && user->choice == t->choice)
			return true;
	}
	return false;
}

static bool use(struct mz_vector *v, uint32_t thread, uint32_t step, const struct mz_touch *t)
{
	struct mz_vector_object *object = &v->objects[t->place];
	object->kinds |= (uint8_t)(1u << t->kind);
	if (object->only != thread) object->only = object->only == NOBODY ? thread : MANY;
	if (is_used_so(v, object, thread, t)) return true;
	if (!mz_array_reserve(&v->users, &v->users_capacity, v->nusers + 1)) return false;
	v->users[v->nusers] =
	    (struct mz_vector_user){object->users, thread, step, t->choice, t->mask, t->kind, t->plain};
	object->users = (uint32_t)v->nusers++;
	return true;
}

/* ---- conflicts ---- */

enum verdict { APART, IN_THE_MIDDLE, NO_MEMORY };

static bool meet(struct mz_vector *v, const struct mz_touch *t, const struct mz_vector_user *user)
{
	if (!mz_array_reserve(&v->met, &v->met_capacity, v->nmet + 1)) return false;
	v->met[v->nmet++] =
	    (struct mz_vector_met){t->object, user->thread, user->choice, t->choice, t->plain || user->plain};
	return true;
}

static enum verdict compare_touch(struct mz_vector *v, uint32_t thread, const struct mz_touch *t,
                                  const struct mz_vector_object *object)
{
	for (uint32_t u = object->users; u != NONE; u = v->users[u].next) {
		const struct mz_vector_user *user = &v->users[u];
		if (user->thread == thread || !(user->mask & t->mask) || !mz_kinds_conflict(user->kind, t->kind))
			continue;
		if (user->first + 1 < v->solos[user->thread]->length) return IN_THE_MIDDLE;
		if (!meet(v, t, user)) return NO_MEMORY;
	}
	return APART;
}

static bool kinds_may_conflict(uint8_t kinds, uint8_t kind)
{
	for (uint8_t other = 0; other < 4; other++) {
		if (kinds >> other & 1 && mz_kinds_conflict(kind, other)) return true;
	}
	return false;
}

/* Returns whether a step can be added to its prefix. Leaves in `met` the last steps of others that it conflicts
 * with. */
static enum verdict compare(struct mz_vector *v, uint32_t thread, struct mz_touch *touches, size_t count)
{
	enum verdict verdict = APART;
	v->nmet = 0;
	for (size_t n = 0; n < count && verdict == APART; n++) {
		const struct mz_vector_object *object = object_of(v, &touches[n]);
		if (!object) return NO_MEMORY;
		if (object->only == thread || !kinds_may_conflict(object->kinds, touches[n].kind)) continue;
		verdict = compare_touch(v, thread, &touches[n], object);
	}
	return verdict;
}

/* Notes that two last steps race, if they do. Plain accesses race unless the visible operations before them conflict,
 * which orders what comes after. Returns false when there is no memory. */
static bool note_race(struct mz_vector *v, uint32_t thread, const struct mz_vector_met *met)
{
	const struct mz_solo *solo = v->solos[thread], *other = v->solos[met->thread];
	bool races = solo->steps[solo->length - 1].races || other->steps[other->length - 1].races;
	if (mz_solo_ends_idle(solo) || mz_solo_ends_idle(other) || (met->plain ? other->ordered : !races)) return true;
	if (!mz_array_reserve(&v->races, &v->races_capacity, v->nraces + 1)) return false;
	v->races[v->nraces++] = (struct mz_meeting){met->object, {met->thread, met->choice}, {thread, met->own_choice}};
	return true;
}

/* If the step that was just added meets last steps of others, closes its prefix and theirs, and notes the data races
 * among them. */
static bool close_met(struct mz_vector *v, uint32_t thread)
{
	for (size_t n = 0; n < v->nmet; n++) v->solos[v->met[n].thread]->ordered = false;
	for (size_t n = 0; n < v->nmet; n++) {
		struct mz_solo *other = v->solos[v->met[n].thread];
		other->closed = v->solos[thread]->closed = true;
		if (!v->literal) other->infinite &= mz_solo_ends_idle(other) && !v->as_published;
		other->ordered |= !v->met[n].plain;
	}
	for (size_t n = 0; n < v->nmet; n++) {
		if (!note_race(v, thread, &v->met[n])) return false;
	}
	return true;
}

/* ---- growing ---- */

static bool add(struct mz_vector *v, uint32_t thread, const struct mz_touch *touches, size_t count)
{
	struct mz_solo *solo = v->solos[thread];
	for (size_t n = 0; n < count; n++) {
		if (!use(v, thread, solo->length, &touches[n])) return false;
	}
	solo->length++;
	return close_met(v, thread);
}

/* Adds the next step of a solo to its prefix, or closes the prefix before it. Returns false when there is no memory. */
static bool extend(struct mz_vector *v, uint32_t thread)
{
	struct mz_solo *solo = v->solos[thread];
	size_t begin = solo->length ? solo->steps[solo->length - 1].end : 0;
	size_t count = solo->steps[solo->length].end - begin;
	enum verdict verdict = compare(v, thread, solo->touches + begin, count);
	if (verdict == NO_MEMORY) return false;
	if (verdict == IN_THE_MIDDLE) {
		MZ_REQUIRE(solo->length > 0);
		solo->closed = true;
		return true;
	}
	if (!add(v, thread, solo->touches + begin, count)) return false;
	if (solo->length < solo->nsteps || solo->end == MZ_SOLO_OPEN) return true;
	bool is_met = solo->closed && (v->as_published || !mz_solo_ends_idle(solo));
	solo->infinite = solo->end != MZ_SOLO_LAST && !is_met;
	solo->closed = true;
	return true;
}

static bool begin(struct mz_vector *v)
{
	if (!mz_array_reserve(&v->turn, &v->turn_capacity, v->count + 1)) return false;
	v->nobjects = v->nusers = v->nraces = 0;
	mz_table_clear(&v->places);
	for (uint32_t t = 0; t < v->count; t++) {
		v->turn[t] = t;
		v->solos[t]->length = 0;
		v->solos[t]->closed = v->solos[t]->infinite = false;
	}
	return true;
}

/* Adds a step to the prefix of a thread. A solo that ended before its first step has no part in the vector. */
static bool take_turn(struct mz_vector *v, uint32_t thread, const struct mz_soloist *soloist)
{
	struct mz_solo *solo = v->solos[thread];
	if (solo->length == solo->nsteps && solo->end == MZ_SOLO_OPEN && !soloist->add_steps(soloist->self, thread))
		return false;
	if (solo->length < solo->nsteps) return extend(v, thread);
	solo->closed = true;
	return true;
}

bool mz_vector_compute(struct mz_vector *v, bool minimal, const struct mz_soloist *soloist)
{
	if (!begin(v)) return false;
	for (uint32_t left = v->count; left > 0;) {
		uint32_t still = 0;
		for (uint32_t n = 0; n < left; n++) {
			uint32_t thread = v->turn[n];
			struct mz_solo *solo = v->solos[thread];
			if (!solo->closed && !take_turn(v, thread, soloist)) return false;
			solo->closed |= minimal;
			if (!solo->closed) v->turn[still++] = thread;
		}
		left = still;
	}
	return true;
}

void mz_vector_release(struct mz_vector *v)
{
	mz_table_release(&v->places);
	mz_free(v->objects);
	mz_free(v->users);
	mz_free(v->met);
	mz_free(v->turn);
	mz_free(v->races);
	*v = (struct mz_vector){0};
}
