/* SPDX-License-Identifier: MIT
 *
 * Data races, by the happens-before relation of the C and C++ memory model: two accesses to the same byte, at least one
 * a write, at least one not atomic, not ordered by synchronization. Found in every execution, whatever the order the
 * accesses happened to have in it.
 */
#ifndef MZ_RUNTIME_WATCH_RACE_H
#define MZ_RUNTIME_WATCH_RACE_H

#include "runtime/core/core.h"

enum mz_race_flags { MZ_RACE_WRITE = 1, MZ_RACE_ATOMIC = 2, MZ_RACE_FREE = 4 };

/* Reports whether another thread made an access to [low, high) that nothing orders before what the thread does now;
 * then which thread, and where. */
MZ_COLD bool mz_race_is_unordered(const struct mz_fiber *self, uintptr_t low, uintptr_t high, uint32_t *thread,
                                  uintptr_t *place);
/* Nothing is mapped in the page of the address: accesses there were none. */
MZ_COLD void mz_race_forget_page(uintptr_t address);

void mz_race_reset(void);
/* See state.h. */
void mz_race_store(struct mz_state *state);
size_t mz_race_bytes(void); /* of a state, about */
void mz_race_load(struct mz_state *state);

/* An access of `size` bytes. */
void mz_race_access(struct mz_fiber *self, uintptr_t address, size_t size, unsigned flags, uintptr_t caller);
/* Whether an atomic operation on these bytes of a word, which has been made, may have found another value than the one
 * before: there was a plain write since then, or one to more or fewer bytes. */
bool mz_race_explains(uintptr_t address, size_t size);
/* A block is freed: a write to all of it. */
void mz_race_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);

/* Synchronization. */
void mz_race_acquire(struct mz_fiber *self, const struct mz_clock *clock);
void mz_race_release(struct mz_fiber *self, struct mz_clock *clock);
/* Releases without hiding what others released there before. */
void mz_race_publish(struct mz_fiber *self, struct mz_clock *clock);
/* Whether all that a clock stands for happened before; true if races are not looked for. */
bool mz_race_knows(const struct mz_fiber *self, const struct mz_clock *clock);
/* Everything `before` did is known to `after`. */
void mz_race_order(struct mz_fiber *before, struct mz_fiber *after);

/* Atomic operations, with the order the program asked for (an __ATOMIC_ constant). */
void mz_race_atomic_load(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_atomic_store(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_atomic_update(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_fence(struct mz_fiber *self, int order);
/* Whether others may acquire, by what a read-modify-write of this order leaves, something that its thread has done: the
 * order releases, or the thread has made a release fence. False if races are not looked for. */
bool mz_race_releases(const struct mz_fiber *self, int order);

#endif
