/* SPDX-License-Identifier: MIT
 *
 * What threads do to synchronization objects (object.h): the functions that the files for each kind of object share.
 */
#ifndef MZ_RUNTIME_OBJECTS_MODEL_H
#define MZ_RUNTIME_OBJECTS_MODEL_H

#include "runtime/core/core.h"

/* Reads the object's memory, as the function that the program calls would: if it cannot be read, that is a fault of the
 * program here. */
static inline void mz_object_look_at(const volatile void *address)
{
	(void)*(const volatile char *)address;
}

/* Returns the object at that address, having looked at it. */
static inline struct mz_object *mz_object_in_memory(const volatile void *address)
{
	mz_object_look_at(address);
	return mz_object_find((uintptr_t)address);
}

/* Makes the object as new: the program initialises it. Returns false, after reporting the misuse, if a thread holds the
 * object, waits for it or is about to use it; the object then stays as it is. */
bool mz_object_initialise(uintptr_t address, uintptr_t caller);

/* Operations on an object that has a state, each one event: SELF accesses the object as `kind`, and `effect` is added
 * to the state. mz_object_try() reports whether the state allowed the operation, by the class of `op`; if not, the
 * state is unchanged. To wait until the state allows it: mz_object_wait() in point.h. */
void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller);
bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller);
/* Adds `effect` to the state of the object, after the operation was committed, and updates the threads in its queue. */
void mz_object_change_state(struct mz_object *object, enum mz_access_kind kind, int effect);
/* Updates which threads in the object's queue are enabled, after an access of this kind to the object. */
void mz_object_changed(struct mz_object *object, enum mz_access_kind kind);

/* Ends a wait that may time out, by an operation of its own: SELF may be chosen for it at any time. Returns true if the
 * wait timed out, false if another thread has woken SELF. */
bool mz_object_leave(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);

/* Enables or disables the pending operations of all threads in the object's queue. */
void mz_object_enable(struct mz_object *object, bool enabled);
MZ_COLD void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object,
                              const char *what);

/* To destroy an object is to write to it. The first of these returns when the thread has been chosen. Only then is the
 * object's state what the destruction finds: the caller passes it to the second as `state`, with what is wrong if the
 * object is in use. An object in use is not destroyed, and the second returns EBUSY. */
void mz_object_before_destruction(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);
int mz_object_destroy(struct mz_fiber *self, struct mz_object *object, uint64_t state, const char *wrong);
/* Reports a finding if the object was destroyed before. Called after an operation on it was committed. */
void mz_object_used(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

/* Brings the number of alternatives of pending signals up to date. */
void mz_model_refresh(void);
#endif
