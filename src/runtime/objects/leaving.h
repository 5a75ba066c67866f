/* SPDX-License-Identifier: MIT
 *
 * What happens when threads end: cleanup handlers, destructors of thread-local variables, values of keys and their
 * destructors. All of these belong to the execution.
 */
#ifndef MZ_RUNTIME_OBJECTS_LEAVING_H
#define MZ_RUNTIME_OBJECTS_LEAVING_H

#include "runtime/core/core.h"
#include <pthread.h>

/* Ends SELF after running the destructors of its thread-local variables and keys and releasing its robust mutexes. */
_Noreturn void mz_leaving_end(struct mz_fiber *self);
/* Runs only the destructors of thread-local variables: for the thread that ends the process. */
void mz_leaving_destroy_all(struct mz_fiber *self);
/* Reports whether there are any. */
bool mz_leaving_has_destructors(const struct mz_fiber *self);

/* Reports whether the end of a thread is a visible operation: it is only where threads can ask whether another one has
 * ended. */
bool mz_leaving_is_seen(void);

/* Pushes and pops a cleanup handler of the thread in C: a buffer to jump to when the thread is unwound. `sp` is the
 * stack pointer of the caller. */
void mz_leaving_push(struct mz_fiber *self, __pthread_unwind_buf_t *handler, uintptr_t sp);
void mz_leaving_pop(struct mz_fiber *self, const __pthread_unwind_buf_t *handler);

/* Has function(object) called when the thread ends; what was registered last is called first. */
void mz_leaving_destroy(struct mz_fiber *self, void (*function)(void *), void *object);

/* Thread-specific keys. These return 0 or an error number; mz_key_get() returns the value, NULL if the thread has set
 * none. */
int mz_key_create(struct mz_fiber *self, unsigned *key, void (*destructor)(void *), uintptr_t caller);
int mz_key_delete(struct mz_fiber *self, unsigned key, uintptr_t caller);
int mz_key_set(struct mz_fiber *self, unsigned key, const void *value);
void *mz_key_get(struct mz_fiber *self, unsigned key);
/* Reports whether something is called with the thread's value of the key when the thread ends, unless it is NULL. */
bool mz_key_has_destructor(unsigned key);
/* Returns an address that stands for the thread's value of the key, for its shadow: no memory is there. */
void *mz_key_place(const struct mz_fiber *self, unsigned key);

/* Passes the values of the thread's keys, and the arguments of its destructors, to `look_through`, for leak.h. */
void mz_leaving_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to));

/* Note that the program has created or deleted a key before the first execution. */
void mz_key_early_create(unsigned key, void (*destructor)(void *));
void mz_key_early_delete(unsigned key);

/* Notes the keys and destructors that exist now; every execution begins with these, by mz_leaving_reset(). */
void mz_leaving_save(void);
void mz_leaving_reset(void);
/* See state.h. What is stored is also what tells states apart. */
void mz_leaving_store(struct mz_state *state);
void mz_leaving_load(struct mz_state *state);

#endif
