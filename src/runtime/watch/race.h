/* SPDX-License-Identifier: MIT
 *
 * Data races, by the happens-before relation of the C and C++ memory model: two accesses to the same byte, at least one
 * a write, at least one not atomic, not ordered by synchronization. Found in every execution, whatever the order the
 * accesses happened to have in it.
 */
#ifndef MZ_RUNTIME_WATCH_RACE_H
#define MZ_RUNTIME_WATCH_RACE_H

#include "runtime/core/core.h"

/* SECTION: the access is made in an atomic section, so it does not race with others that are.
 * PARTS: it is not atomic, and of more than one word, so a machine may make it in parts. */
enum mz_race_flags { MZ_RACE_WRITE = 1, MZ_RACE_ATOMIC = 2, MZ_RACE_FREE = 4, MZ_RACE_SECTION = 8, MZ_RACE_PARTS = 16 };
/* Two accesses that have one of these in common do not race. */
#define MZ_RACE_SAFE (MZ_RACE_ATOMIC | MZ_RACE_SECTION)

/* Reports whether another thread made an access to [low, high) that nothing orders before what SELF does now; `*thread`
 * and `*place` say which thread, and where. */
MZ_COLD bool mz_race_is_unordered(const struct mz_fiber *self, uintptr_t low, uintptr_t high, uint32_t *thread,
                                  uintptr_t *place);
/* Reports whether another thread has released the memory at the address, and nothing that SELF knows of orders the release before
 * what it does now. */
MZ_COLD bool mz_race_is_release_unordered(const struct mz_fiber *self, uintptr_t address);
/* Forgets all accesses to the page of the address: nothing is mapped there. */
MZ_COLD void mz_race_forget_page(uintptr_t address);

/* Forgets all accesses, for the next execution. */
void mz_race_reset(void);
/* In a run that does not look for data races, has them noted from now on (session: `raced`) if it was learned that
 * something may be explained by one, or depends on what threads know of each other; and in every replay. Executions are the same as before. Called before an execution begins. */
void mz_race_note_if_learned(void);
/* See state.h. */
void mz_race_store(struct mz_state *state);
size_t mz_race_bytes(void); /* about how many bytes mz_race_store() adds to a state */
void mz_race_load(struct mz_state *state);

/* Checks an access of `size` bytes (`flags`: enum mz_race_flags) for races with earlier ones, reports them, and notes
 * the access. */
void mz_race_access(struct mz_fiber *self, uintptr_t address, size_t size, unsigned flags, uintptr_t caller);
/* Reports whether known writes explain that an atomic operation on these bytes, just made, found another value than the
 * one before left: there was a plain write since, or one to more or fewer bytes. */
bool mz_race_explains(uintptr_t address, size_t size);
/* Checks the freeing of a block, which counts as a write to all of its bytes. */
void mz_race_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);

/* Synchronization: SELF learns what `clock` stands for; `clock` becomes what SELF knows. */
void mz_race_acquire(struct mz_fiber *self, const struct mz_clock *clock);
void mz_race_release(struct mz_fiber *self, struct mz_clock *clock);
/* As mz_race_release(), but `clock` keeps what other threads have released there before. */
void mz_race_publish(struct mz_fiber *self, struct mz_clock *clock);
/* Reports whether everything that `clock` stands for happened before what SELF does now; true if races are not looked
 * for. */
bool mz_race_knows(const struct mz_fiber *self, const struct mz_clock *clock);
/* Makes everything that `before` did known to `after`. */
void mz_race_order(struct mz_fiber *before, struct mz_fiber *after);
/* Makes everything that all threads did known to SELF, and what SELF did known to all: membarrier(). */
void mz_race_order_all(struct mz_fiber *self);

/* Atomic operations, with the order the program asked for (an __ATOMIC_ constant). */
void mz_race_atomic_load(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_atomic_store(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_atomic_update(struct mz_fiber *self, struct mz_object *object, int order);
void mz_race_fence(struct mz_fiber *self, int order);
/* Reports whether a thread that reads the result of SELF's read-modify-write of this order may thereby acquire anything
 * of SELF's past: the order releases, or SELF has made a release fence. False if races are not looked for. */
bool mz_race_releases(const struct mz_fiber *self, int order);

#endif
