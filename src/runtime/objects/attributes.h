/* SPDX-License-Identifier: MIT
 *
 * Attributes of threads (pthread_attr_t): what they ask for, what the C library says to that, and those that threads
 * have which are created without any (pthread_setattr_default_np).
 *
 * A thread runs on the stack that the program gives it. It leaves its own stack for that, as for a coroutine, so all that
 * holds on other stacks (mz_rt.seen.leaves_stacks) holds there. Such a stack is memory of the program like any other.
 */
#ifndef MZ_RUNTIME_OBJECTS_ATTRIBUTES_H
#define MZ_RUNTIME_OBJECTS_ATTRIBUTES_H

#include "runtime/core/core.h"
#include "runtime/objects/settings.h"
#include <pthread.h>

struct mz_attributes {
	size_t stack_size;    /* 0: the default */
	size_t guard_size;    /* in whole pages once it was checked */
	uintptr_t stack_high; /* high end of the stack that the program gives; 0: it gives none */
	uint64_t mask;        /* where it `masks`: the signals that the thread blocks, as bits */
	cpu_set_t processors; /* where it `places` */
	int policy, priority; /* where it `schedules` */
	bool detached;
	bool masks;     /* the thread blocks the signals of `mask` instead of those that its creator blocks */
	bool places;    /* the thread may run on these processors instead of its creator's */
	bool schedules; /* it has this policy and priority instead of its creator's */
};

/* Returns what attributes ask for; of NULL, the attributes of threads that are created without any. */
struct mz_attributes mz_attributes_read(const pthread_attr_t *attributes);
/* Makes attributes that ask for that. Returns 0 or an error number. */
int mz_attributes_write(pthread_attr_t *attributes, const struct mz_attributes *asked);
/* The same for a thread that is about to be created: defaults are filled in, sizes are rounded. What is asked for is in `*room`,
 * or stays elsewhere until attributes change. Returns 0, or the error number that pthread_create fails with. */
int mz_attributes_prepare(const pthread_attr_t *attributes, struct mz_attributes *room,
                          const struct mz_attributes **asked);

/* Ends SELF, with a finding, if the memory of the stack that the program gives is one that another thread has or may still
 * have. */
MZ_COLD void mz_attributes_claim(struct mz_fiber *self, const struct mz_attributes *asked, uintptr_t caller);
/* The same for memory that SELF releases. */
MZ_COLD void mz_attributes_release(struct mz_fiber *self, uintptr_t low, size_t size, uintptr_t caller);

/* As pthread_getattr_np. */
int mz_attributes_tell(const struct mz_fiber *fiber, pthread_attr_t *attributes);
/* As pthread_setattr_default_np. */
int mz_attributes_set_default(const pthread_attr_t *attributes);

/* Notes the defaults that constructors have left. */
void mz_attributes_save(void);
/* See state.h and parts.h. */
void mz_attributes_reset(void);
bool mz_attributes_is_used(void);
void mz_attributes_store(struct mz_state *state);
void mz_attributes_load(struct mz_state *state);

#endif
