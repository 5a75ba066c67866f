/* SPDX-License-Identifier: MIT
 *
 * What threads do to synchronization objects (object.h): what the files have in common that model one kind each.
 */
#ifndef MZ_RUNTIME_OBJECTS_MODEL_H
#define MZ_RUNTIME_OBJECTS_MODEL_H

#include "runtime/core/core.h"

/* The object is initialised: as new from now on. Returns false, after reporting the misuse, if somebody holds it, waits
 * for it or is about to use it: then it stays as it is. */
bool mz_object_initialise(uintptr_t address, uintptr_t caller);

/* Operations on an object that has a state. Each is one event: the object is touched as `kind`, and `effect` is added
 * to its state. `try` returns whether the class of the operation let it pass. Waiting until it does: point.h. */
void mz_object_do(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind, int effect,
                  uintptr_t caller);
bool mz_object_try(struct mz_fiber *self, struct mz_object *object, enum mz_op op, int effect, uintptr_t caller);
/* An operation has added `effect` to the state of the object. */
void mz_object_change_state(struct mz_object *object, enum mz_access_kind kind, int effect);
/* Who waits in its queue may be able to go on, or not any more: it was touched so. */
void mz_object_changed(struct mz_object *object, enum mz_access_kind kind);

/* Ends a wait that may time out: by itself, which it can at any time, or because somebody has woken it. Whether nobody
 * has. */
bool mz_object_leave(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);

/* Those in its queue can go on, or cannot. */
void mz_object_enable(struct mz_object *object, bool enabled);
MZ_COLD void mz_object_misuse(struct mz_fiber *self, uintptr_t caller, const struct mz_object *object,
                              const char *what);

/* To destroy an object is to write to it. The first of these returns when the thread has been chosen. Only then is the
 * object's state what the destruction finds: the caller passes it to the second as `state`, with what is wrong if the
 * object is in use. An object in use is not destroyed, and the second returns EBUSY. */
void mz_object_before_destruction(struct mz_fiber *self, struct mz_object *object, uintptr_t caller);
int mz_object_destroy(struct mz_fiber *self, struct mz_object *object, uint64_t state, const char *wrong);
/* An operation on the object was committed: a finding if the object was destroyed. */
void mz_object_used(struct mz_fiber *self, uintptr_t address, uintptr_t caller);

/* Brings the number of alternatives of pending signals up to date. */
void mz_model_refresh(void);
#endif
