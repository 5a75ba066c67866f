/* SPDX-License-Identifier: MIT
 *
 * A named semaphore is a place that lasts, one for each name and time it was unlinked; that it exists, is unlinked and
 * how often it is open is in its model, which is the execution's.
 */
#include "runtime/objects/semaphore.h"
#include "base/alloc.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* Returns the object of a semaphore. One that was initialised before the execution has its value in memory, where the C
 * library put it. */
static struct mz_object *find_semaphore(const sem_t *semaphore)
{
	struct mz_object *object = mz_object_in_memory(semaphore);
	if (object->type != MZ_OBJECT_SEMAPHORE) {
		object->type = MZ_OBJECT_SEMAPHORE;
		object->state = *(const unsigned *)semaphore;
	}
	return object;
}

static void set_value(struct mz_object *object, unsigned value)
{
	object->type = MZ_OBJECT_SEMAPHORE;
	object->state = value;
}

int mz_semaphore_init(struct mz_fiber *self, sem_t *semaphore, unsigned value, uintptr_t caller)
{
	if (value > SEM_VALUE_MAX) return EINVAL;
	mz_race_access(self, (uintptr_t)semaphore, sizeof *semaphore, MZ_RACE_WRITE, caller);
	if (mz_object_initialise((uintptr_t)semaphore, caller)) set_value(mz_object_find((uintptr_t)semaphore), value);
	return 0;
}

int mz_semaphore_destroy(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller)
{
	struct mz_object *object = find_semaphore(semaphore);
	mz_object_before_destruction(self, object, caller);
	bool awaited = object->queued && !object->state;
	return mz_object_destroy(self, object, object->state,
	                         awaited ? "destruction of a semaphore that threads wait for" : NULL);
}

int mz_semaphore_take(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller)
{
	struct mz_object *object = find_semaphore(semaphore);
	if (MZ_UNLIKELY(mz_request_may_arrive(self))) {
		mz_request_point(self, caller);
		while (!mz_object_try(self, object, MZ_OP_TRYTAKE, -1, caller))
			if (mz_request_await(self, object, MZ_OP_TRYTAKE, 0, caller) == MZ_INTERRUPTED) return EINTR;
	} else {
		mz_object_wait(self, object, MZ_OP_TAKE, MZ_WRITE, -1, caller);
	}
	mz_race_acquire(self, &object->clock);
	return 0;
}

int mz_semaphore_trytake(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller)
{
	struct mz_object *object = find_semaphore(semaphore);
	if (!mz_object_try(self, object, MZ_OP_TRYTAKE, -1, caller)) return EAGAIN;
	mz_race_acquire(self, &object->clock);
	return 0;
}

int mz_semaphore_timedtake(struct mz_fiber *self, sem_t *semaphore, uint64_t until, uintptr_t caller)
{
	if (until == MZ_TIME_INVALID) return EINVAL; /* as the C library says, even if the semaphore can be taken */
	mz_request_point(self, caller);
	if (mz_semaphore_trytake(self, semaphore, caller) == 0) return 0;
	if (mz_request_point(self, caller) == MZ_INTERRUPTED) return EINTR;
	return mz_timers_reach(self, until, caller) == MZ_INTERRUPTED ? EINTR : ETIMEDOUT;
}

/* Posts to a semaphore whose value is near its maximum: posts may fail, so they do not commute. No execution gets there
 * unless the program starts near the maximum. */
static int post_to_many(struct mz_fiber *self, struct mz_object *object, uintptr_t caller)
{
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(MZ_OP_POST, 1);
	mz_visible(self, operation, caller);
	bool fits = object->state < SEM_VALUE_MAX;
	access->before = object->state;
	access->effect = fits;
	mz_commit(self, operation);
	if (!fits) return EOVERFLOW;
	object->state++;
	mz_race_publish(self, &object->clock);
	return 0;
}

int mz_semaphore_post(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller)
{
	struct mz_object *object = find_semaphore(semaphore);
	if (MZ_UNLIKELY(object->state > SEM_VALUE_MAX / 2)) return post_to_many(self, object, caller);
	mz_object_do(self, object, MZ_OP_POST, MZ_WEAK_WRITE, 1, caller);
	mz_race_publish(self, &object->clock);
	return 0;
}

int mz_semaphore_value(struct mz_fiber *self, sem_t *semaphore, int *value, uintptr_t caller)
{
	struct mz_object *object = find_semaphore(semaphore);
	mz_object_do(self, object, MZ_OP_LOAD, MZ_READ, 0, caller);
	MZ_RESULT(self, value, (int)object->state, caller);
	return 0;
}

/* ---- names ---- */

struct named {
	char *name;
	sem_t *place;
};

static struct named *names; /* kept from one execution to the next */
static size_t nnames, names_capacity;

enum { EXISTS = 1, UNLINKED = 2 }; /* mz_object.kind; its count: how often it is open */

static struct named *add_name(const char *name)
{
	mz_array_require(&names, &names_capacity, nnames + 1);
	size_t size = strlen(name) + 1;
	struct named *new = &names[nnames];
	if (!(new->name = mz_alloc(size)) || !(new->place = mz_alloc(sizeof *new->place)))
		mz_unsupported("out of memory");
	memcpy(new->name, name, size);
	memset(new->place, 0, sizeof *new->place);
	nnames++;
	return new;
}

/* Returns the object of the semaphore that has the name now, or of the place for a new one; `*place` is where it
 * lies. */
static struct mz_object *find_named(const char *name, sem_t **place)
{
	for (size_t n = 0; n < nnames; n++) {
		struct mz_object *object = mz_object_find((uintptr_t)names[n].place);
		if (strcmp(names[n].name, name) != 0 || object->kind == (EXISTS | UNLINKED)) continue;
		*place = names[n].place;
		return object;
	}
	*place = add_name(name)->place;
	return mz_object_find((uintptr_t)*place);
}

/* Strips the slashes that a name may begin with. Returns 0 or an error number. */
static int strip(const char **name)
{
	*name += strspn(*name, "/");
	if (!**name || strchr(*name, '/')) return EINVAL;
	if (strlen(*name) > NAME_MAX) return EINVAL; /* POSIX says ENAMETOOLONG, the C library this */
	return strlen(*name) > NAME_MAX - strlen("sem.") ? ENAMETOOLONG : 0;
}

/* Performs an operation on the table of names, so that all orders of opening and unlinking are explored. One object for
 * all names is enough: such calls are rare. */
static void touch_names(struct mz_fiber *self, uintptr_t caller)
{
	mz_object_do(self, mz_object_find((uintptr_t)&names), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
}

int mz_semaphore_open(struct mz_fiber *self, const char *name, int flags, unsigned value, sem_t **semaphore,
                      uintptr_t caller)
{
	int error = strip(&name);
	if (error) return error;
	touch_names(self, caller);
	struct mz_object *object = find_named(name, semaphore);
	bool exists = object->kind & EXISTS, is_to_be_new = (flags & O_CREAT) && (flags & O_EXCL);
	if (!exists && !(flags & O_CREAT)) return ENOENT;
	if ((!exists || is_to_be_new) && value > SEM_VALUE_MAX) return EINVAL;
	if (exists && is_to_be_new) return EEXIST;
	if (!exists) set_value(object, value);
	object->kind = EXISTS;
	object->count++;
	mz_race_acquire(self, &object->clock);
	return 0;
}

int mz_semaphore_close(struct mz_fiber *self, sem_t *semaphore, uintptr_t caller)
{
	struct mz_object *object = mz_object_find((uintptr_t)semaphore);
	if (!(object->kind & EXISTS) || !object->count) {
		mz_object_misuse(self, caller, object, "close of a semaphore that is not open");
		return EINVAL;
	}
	object->count--;
	return 0;
}

int mz_semaphore_unlink(struct mz_fiber *self, const char *name, uintptr_t caller)
{
	sem_t *place;
	int error = strip(&name);
	if (error) return error == EINVAL ? ENOENT : error;
	touch_names(self, caller);
	struct mz_object *object = find_named(name, &place);
	if (!(object->kind & EXISTS)) return ENOENT;
	object->kind |= UNLINKED;
	return 0;
}
