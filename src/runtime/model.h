/* SPDX-License-Identifier: MIT
 *
 * The models of synchronization objects, found by address. Their state lives here, not in the program's memory, and is
 * that of the execution under way: an object seen first in it is as its initialiser left it.
 */
#ifndef MZ_RUNTIME_MODEL_H
#define MZ_RUNTIME_MODEL_H

#include "runtime/runtime.h"

/* What has become of a robust mutex whose owner ended with it. */
enum mz_orphaned { MZ_ORPHANED_NOT, MZ_ORPHANED_INCONSISTENT, MZ_ORPHANED_FOR_GOOD };

/* What it is used as; mutexes and memory are not told apart. */
enum mz_object_type {
	MZ_OBJECT_PLAIN,
	MZ_OBJECT_RWLOCK,
	MZ_OBJECT_SEMAPHORE,
	MZ_OBJECT_BARRIER,
	MZ_OBJECT_FUTEX,
	MZ_OBJECT_THREAD,
	MZ_OBJECT_CHANNEL
};

struct mz_object {
	/* lasting */
	uint64_t address;
	uint32_t generation;
	uint8_t first_size;
	uint64_t first; /* of what is plain: its value at the beginning of every execution, see unseen.h */

	/* of the execution, in room that lasts */
	struct mz_clock clock;
	struct mz_clock sharers; /* of a lock: what those knew who gave it back; of a barrier: who used it */

	/* of the execution: checkpoints copy these members as they are */
	struct mz_fiber *owner; /* of a mutex */
	struct mz_fiber *queue; /* at a mutex: who wants it; at a condition: who waits, first come first */
	uint32_t queued;
	uint32_t wakes;        /* of a condition: signals and broadcasts with somebody to wake, so far */
	uintptr_t acquired_at; /* where the owner got it */
	uint64_t state;        /* of what is not plain: see trace/event.h */
	uint64_t seen;         /* of what is plain: its value after the last visible access */
	uint32_t count;        /* a recursive mutex: how often it is held */
	uint32_t users;        /* of a barrier: how many used it */
	uint32_t destroyer;    /* the number of a thread */
	uint8_t type;          /* enum mz_object_type */
	bool destroyed;        /* where it was acquired is then where that was done */
	uint8_t orphaned;      /* of a robust mutex: enum mz_orphaned */
	uint8_t kind;          /* PTHREAD_MUTEX_NORMAL, ... */
	uint8_t seen_size;
};

struct mz_object *mz_object_find(uintptr_t address);
/* The object is initialised: as new from now on. Returns false, after reporting the misuse, if somebody holds it, waits
 * for it or is about to use it: then it stays as it is. */
bool mz_object_initialise(uintptr_t address, uintptr_t caller);

/* ---- what the files that model one kind of object each have in common ---- */

/* Operations on an object that has a state. Each is one event: the object is touched as `kind`, and `effect` is added
 * to its state. `wait` returns once the class of the operation lets it pass; `try` returns whether it did. */
void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller);
void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller);
bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller);
/* Who waits in its queue may be able to go on, or not any more: it was touched so. */
void mz_object_changed(struct mz_object *object, enum mz_access_kind kind);

/* Ends a wait that may time out: by itself, which it can at any time, or because somebody has woken it. Whether nobody
 * has. */
bool mz_object_leave(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);

void mz_object_enqueue(struct mz_object *object, struct mz_fiber *fiber);
void mz_object_dequeue(struct mz_object *object, struct mz_fiber *fiber);
/* All of its bytes, as a write that adds `effect` to its state. */
static inline struct mz_access mz_object_whole(const struct mz_object *object, int effect)
{
	return (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE, .effect = (int16_t)effect};
}
/* Those in its queue can go on, or cannot. */
void mz_object_enable(struct mz_object *object, bool enabled);
/* The objects of the execution so far. */
struct mz_object *const *mz_objects_used(size_t *count);

MZ_COLD void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object,
                              const char *what);

/* To destroy an object is to write to it. The first of these returns when the thread has been chosen. Only then is the
 * object's state what the destruction finds: the caller passes it to the second as `state`, with what is wrong if the
 * object is in use. An object in use is not destroyed, and the second returns EBUSY. */
void mz_object_before_destruction(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);
int mz_object_destroy(struct mz_fiber *self, struct mz_object *object, uint64_t state, const char *wrong);
/* An operation on the object was committed: a finding if the object was destroyed. */
void mz_object_used(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

/* No object has been used yet. */
void mz_model_reset(void);
/* What was used is as new. */
void mz_model_forget(void);
/* Where objects are differs from process to process: what a word means that may point to one. */
uint64_t mz_model_name(uint64_t word);
/* Who holds what, whatever happened before: to identity.h. */
void mz_model_identity(struct mz_state *state);
/* See state.h. */
void mz_model_store(struct mz_state *state);
void mz_model_load(struct mz_state *state);

/* What an object of an access (see trace/event.h) that may be read holds: a mutex that has been held, or memory. */
uint64_t mz_model_state(uint64_t object);

/* Objects within [low, high) are as new from now on. */
void mz_model_forget_range(uintptr_t low, uintptr_t high);
/* An object within [low, high) that is held or waited for, or 0. */
uintptr_t mz_model_busy(uintptr_t low, uintptr_t high);

/* Brings the number of alternatives of pending signals up to date. */
void mz_model_refresh(void);
/* Says who waits for what and who holds it, as details of the last finding. */
void mz_model_explain(void);

#endif
