/* SPDX-License-Identifier: MIT
 *
 * Synchronization objects and memory that was accessed atomically, found by address. Their state lives here, not in the
 * program's memory, and is that of the execution under way: an object seen first in it is as its initialiser left it.
 * What threads do to objects is in model.h.
 */
#ifndef MZ_RUNTIME_CORE_OBJECT_H
#define MZ_RUNTIME_CORE_OBJECT_H

#include "runtime/core/runtime.h"

/* What has become of a robust mutex whose owner ended with it. */
enum mz_orphaned { MZ_NOT_ORPHANED, MZ_ORPHANED_INCONSISTENT, MZ_ORPHANED_UNRECOVERABLE };

/* What it is used as; mutexes and memory are not told apart. */
enum mz_object_type {
	MZ_OBJECT_PLAIN,
	MZ_OBJECT_RWLOCK,
	MZ_OBJECT_SEMAPHORE,
	MZ_OBJECT_BARRIER,
	MZ_OBJECT_FUTEX,
	MZ_OBJECT_THREAD,
	MZ_OBJECT_CHANNEL,
	MZ_OBJECT_TYPES
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

/* Instead of seen_size: what the memory holds need not be what it was at first, see unseen.h. 0: nobody has looked. */
#define MZ_SEEN_UNKNOWN 0xff

/* What is to be known of a kind of objects that the others do not have. Any of them may be missing. */
struct mz_object_kind {
	const char *waits; /* what a thread does that waits for one, as text */
	/* Says, as a detail of the last finding, what the thread waits for that waits for one. */
	void (*explain)(struct mz_fiber *fiber, const struct mz_object *object);
	/* Says likewise which objects of the kind the thread holds. */
	void (*explain_holdings)(const struct mz_fiber *fiber);
	/* The object is as new from now on. */
	void (*forget)(const struct mz_object *object);
	bool derived; /* its state follows from something else that tells states apart */
	bool rounds;  /* its state counts arrivals: earlier rounds of `count` do not matter */
};
/* By enum mz_object_type: see kinds.c. */
extern const struct mz_object_kind mz_object_kinds[MZ_OBJECT_TYPES];

struct mz_object *mz_object_find(uintptr_t address);
/* What stands for the end of a thread: its state is 1 then. Only where ends are asked for (leaving.h). */
struct mz_object *mz_object_of_end(const struct mz_fiber *fiber);
/* The objects of the execution so far. */
struct mz_object *const *mz_objects_used(size_t *count);
/* It is as new from now on. */
void mz_object_forget(struct mz_object *object);
/* Whether somebody holds it, or waits for it. */
bool mz_object_is_busy(const struct mz_object *object);
/* What an object of an access (see trace/event.h) holds that may be read: a mutex
 * that has been held, or memory. */
uint64_t mz_objects_state(uint64_t object);

/* Objects within [low, high) are as new from now on. */
void mz_objects_forget_range(uintptr_t low, uintptr_t high);
/* An object within [low, high) that is held or waited for, or 0. */
uintptr_t mz_objects_busy(uintptr_t low, uintptr_t high);

void mz_object_enqueue(struct mz_object *object, struct mz_fiber *fiber);
void mz_object_dequeue(struct mz_object *object, struct mz_fiber *fiber);
/* All of its bytes, as a write that adds `effect` to its state. */
static inline struct mz_access mz_object_whole(const struct mz_object *object, int effect)
{
	return (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE, .effect = (int16_t)effect};
}

/* No object has been used yet. */
void mz_objects_reset(void);
/* What was used is as new. */
void mz_objects_forget(void);
/* Where objects are differs from process to process: what a word means that may point to one. */
uint64_t mz_objects_name(uint64_t word);
/* Who holds what, whatever happened before: to identity.h. */
void mz_objects_identity(struct mz_state *state);
/* See state.h. */
void mz_objects_store(struct mz_state *state);
void mz_objects_load(struct mz_state *state);

#endif
