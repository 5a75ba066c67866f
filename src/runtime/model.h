/* SPDX-License-Identifier: MIT
 *
 * The models of synchronization objects, found by address. Their state lives here, not in the program's memory, and is
 * that of the execution under way: an object seen first in it is as its initialiser left it.
 */
#ifndef MZ_RUNTIME_MODEL_H
#define MZ_RUNTIME_MODEL_H

#include "runtime/runtime.h"
#include <pthread.h>

struct mz_object {
	uint64_t address;
	uint32_t generation;
	uint32_t count;         /* a recursive mutex: how often it is held */
	uint8_t kind;           /* PTHREAD_MUTEX_NORMAL, ... */
	struct mz_fiber *owner; /* of a mutex */
	struct mz_fiber *queue; /* at a mutex: who wants it; at a condition: who waits, first come first */
	uint32_t queued;
	uint32_t wakes;        /* of a condition: signals and broadcasts with somebody to wake, so far */
	uintptr_t acquired_at; /* where the owner got it */
	struct mz_clock clock;
};

struct mz_object *mz_object_find(uintptr_t address);
/* The object is as new from now on. */
void mz_object_forget(uintptr_t address);

int mz_mutex_lock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
/* Gives up at the time `until`, which it may whenever it has to wait. */
int mz_mutex_timedlock(struct mz_fiber *self, pthread_mutex_t *mutex, uint64_t until, uintptr_t caller);
int mz_mutex_trylock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_unlock(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);
int mz_mutex_destroy(struct mz_fiber *self, pthread_mutex_t *mutex, uintptr_t caller);

int mz_condition_wait(struct mz_fiber *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t caller);
int mz_condition_timedwait(struct mz_fiber *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until,
                           uintptr_t caller);
int mz_condition_signal(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);
int mz_condition_broadcast(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);
int mz_condition_destroy(struct mz_fiber *self, pthread_cond_t *condition, uintptr_t caller);

/* The guard of a C++ variable that is initialised on first use: true if the caller is to initialise it now. */
bool mz_guard_acquire(struct mz_fiber *self, uint64_t *guard, uintptr_t caller);
/* It is done, or was given up. */
void mz_guard_release(struct mz_fiber *self, uint64_t *guard, bool done, uintptr_t caller);

/* No object has been used yet. */
void mz_model_reset(void);
/* What was used is as new. */
void mz_model_forget(void);
/* Who holds what, whatever happened before: to identity.h. */
void mz_model_identity(struct mz_state *state);
/* See state.h. */
void mz_model_store(struct mz_state *state);
void mz_model_load(struct mz_state *state);

/* What an object of an access (see trace/event.h) that may be read holds: a mutex that has been held, or memory. */
uint64_t mz_model_state(uint64_t object);

/* An object within [low, high) that is held or waited for, or 0. */
uintptr_t mz_model_busy(uintptr_t low, uintptr_t high);

/* Brings the number of alternatives of pending signals up to date. */
void mz_model_refresh(void);
/* Says who waits for what and who holds it, as details of the last finding. */
void mz_model_explain(void);

#endif
