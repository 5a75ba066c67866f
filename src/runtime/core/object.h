/* SPDX-License-Identifier: MIT
 *
 * Synchronization objects and memory that was accessed atomically, found by address. Their state lives here, not in the
 * program's memory, and is that of the execution under way: an object seen first in it is as its initialiser left it.
 * What threads do to objects is in model.h.
 */
#ifndef MZ_RUNTIME_CORE_OBJECT_H
#define MZ_RUNTIME_CORE_OBJECT_H

#include "runtime/core/runtime.h"

/* What became of a robust mutex whose owner ended while holding it. */
enum mz_orphaned { MZ_NOT_ORPHANED, MZ_ORPHANED_INCONSISTENT, MZ_ORPHANED_UNRECOVERABLE };

/* What the program uses an object as. Mutexes, conditions and plain memory are not told apart. */
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
	uint64_t first; /* of memory: its value at the beginning of every execution, see unseen.h */

	/* of the execution, in memory that is kept from one execution to the next */
	struct mz_clock clock;
	/* of a read-write lock: what its readers knew when they released it; of a barrier: the threads that used it */
	struct mz_clock sharers;

	/* of the execution: checkpoints copy these members as they are */
	struct mz_fiber *owner; /* the thread that holds a mutex, or NULL */
	/* threads that wait for the object, in order of arrival; at a mutex also those enabled to acquire it */
	struct mz_fiber *queue;
	uint32_t queued;
	/* of a condition: number of signals and broadcasts so far that found a waiting thread; of requests: number
	 * made */
	uint32_t wakes;
	/* code address at which the owner acquired it; if destroyed, at which it was destroyed */
	uintptr_t acquired_at;
	uint64_t state; /* of objects other than memory and mutexes: see trace/event.h */
	uint64_t seen;  /* of memory: its value after the last visible access */
	/* of a recursive mutex: how often its owner holds it; of a barrier: how many threads it waits for */
	uint32_t count;
	uint32_t users;     /* of a barrier: number of threads that have used it */
	uint32_t destroyer; /* number of the thread that destroyed the object */
	uint8_t type;       /* enum mz_object_type */
	bool destroyed;     /* the object was destroyed; acquired_at says where */
	uint8_t orphaned;   /* of a robust mutex: enum mz_orphaned */
	uint8_t kind;       /* PTHREAD_MUTEX_NORMAL, ... */
	uint8_t seen_size;
};

/* A value of seen_size: the memory may hold anything, see unseen.h. (0: no visible operation has read the memory
 * yet.) */
#define MZ_SEEN_UNKNOWN 0xff

/* What is special about a kind of objects. Functions may be NULL. */
struct mz_object_kind {
	const char *waits; /* what a thread that waits for such an object does, as text for people */
	/* Adds to the last finding what `fiber`, which waits for the object, waits for. */
	void (*explain)(struct mz_fiber *fiber, const struct mz_object *object);
	/* Adds to the last finding which objects of this kind the thread holds. */
	void (*explain_holdings)(const struct mz_fiber *fiber);
	/* Forgets what is kept of the object outside of it: the object is as new from now on. */
	void (*forget)(const struct mz_object *object);
	/* the state of such an object follows from other things that tell states apart, and is left out of
	 * identities */
	bool derived;
	bool rounds; /* the state counts arrivals, of which only the remainder by `count` tells states apart */
};
/* Indexed by enum mz_object_type: see kinds.c. */
extern const struct mz_object_kind mz_object_kinds[MZ_OBJECT_TYPES];

/* Returns the object at an address, as new if this execution has not used it yet. Objects never move. */
struct mz_object *mz_object_find(uintptr_t address);
/* Returns the object that stands for the end of a thread; its state is 1 once the thread has ended. Used only where
 * ends are visible (leaving.h). */
struct mz_object *mz_object_of_end(const struct mz_fiber *fiber);
/* Returns all objects that this execution has used so far. */
struct mz_object *const *mz_objects_used(size_t *count);
/* Makes the object as new. */
void mz_object_forget(struct mz_object *object);
/* Reports whether a thread holds the object or waits for it. */
bool mz_object_is_busy(const struct mz_object *object);
/* Returns the value of the object of an access (see trace/event.h): 0 or 1 for a mutex that is free or held, its state
 * for another synchronization object, else what the memory holds. */
uint64_t mz_objects_state(uint64_t object);

/* Makes all objects with addresses in [low, high) as new. */
void mz_objects_forget_range(uintptr_t low, uintptr_t high);
/* Returns the address of an object in [low, high) that a thread holds or waits for, or 0 if there is none. */
uintptr_t mz_objects_busy(uintptr_t low, uintptr_t high);

/* Append a thread to the object's queue; and remove it from there. */
void mz_object_enqueue(struct mz_object *object, struct mz_fiber *fiber);
void mz_object_dequeue(struct mz_object *object, struct mz_fiber *fiber);
/* Returns an access to all bytes of the object: a write that adds `effect` to its state. */
static inline struct mz_access mz_object_whole(const struct mz_object *object, int effect)
{
	return (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_WRITE, .effect = (int16_t)effect};
}

/* Prepares for the next execution: no object has been used in it yet. */
void mz_objects_reset(void);
/* Makes all objects that this execution has used as new. */
void mz_objects_forget(void);
/* Returns the same number in every process for a word of memory that may point to an object of ours, whose address
 * differs from process to process; other words are returned as they are. */
uint64_t mz_objects_name(uint64_t word);
/* Puts into `state` what tells states apart about objects, such as which thread holds which: for identity.h. */
void mz_objects_identity(struct mz_state *state);
/* See state.h. */
void mz_objects_store(struct mz_state *state);
void mz_objects_load(struct mz_state *state);

#endif
