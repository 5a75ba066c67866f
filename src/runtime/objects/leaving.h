/* SPDX-License-Identifier: MIT
 *
 * What threads leave behind: cleanup handlers, destructors of thread-local variables, values of keys and their
 * destructors. All of it is the execution's.
 */
#ifndef MZ_RUNTIME_OBJECTS_LEAVING_H
#define MZ_RUNTIME_OBJECTS_LEAVING_H

#include "runtime/core/core.h"
#include <pthread.h>

/* Destructors of thread-local variables and keys; robust mutexes; the end of the thread. */
_Noreturn void mz_leaving_end(struct mz_fiber *self);
/* Just the thread-local variables, for whoever ends the process. */
void mz_leaving_destroy_all(struct mz_fiber *self);

/* Ends are no visible operations, but where somebody asks whether a thread has ended. */
bool mz_leaving_is_seen(void);

/* The thread's cleanup handlers in C: places to jump to, the latest first. `sp` is the stack pointer of the caller. */
void mz_leaving_push(struct mz_fiber *self, __pthread_unwind_buf_t *handler, uintptr_t sp);
void mz_leaving_pop(struct mz_fiber *self, const __pthread_unwind_buf_t *handler);

/* When the thread ends, function(object) is called: the last first. */
void mz_leaving_destroy(struct mz_fiber *self, void (*function)(void *), void *object);

/* Keys: all return 0 or an error number. */
int mz_key_create(struct mz_fiber *self, unsigned *key, void (*destructor)(void *), uintptr_t caller);
int mz_key_delete(struct mz_fiber *self, unsigned key, uintptr_t caller);
int mz_key_set(struct mz_fiber *self, unsigned key, const void *value);
void *mz_key_get(struct mz_fiber *self, unsigned key);

/* Shows what the thread's keys and destructors know, for leak.h. */
void mz_leaving_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to));

/* Before the first execution: a key was created or deleted. */
void mz_key_early_create(unsigned key, void (*destructor)(void *));
void mz_key_early_delete(unsigned key);

/* What exists now is what every execution begins with. */
void mz_leaving_save(void);
void mz_leaving_reset(void);
/* See state.h. What is stored is also what tells states apart. */
void mz_leaving_store(struct mz_state *state);
void mz_leaving_load(struct mz_state *state);

#endif
