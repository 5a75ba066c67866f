/* SPDX-License-Identifier: MIT
 *
 * The plain accesses of the step under way: each word once for reading and once for writing, with all bytes of it that
 * were touched. Only kept while states are told apart; data races are then a matter of whoever compares steps.
 *
 * A thread that is created, or that waits for another's end, gets to its next operation within the other's step. What
 * it touches there belongs to that step, but also to its own next one: nothing keeps it from happening as late as that.
 */
#ifndef MZ_RUNTIME_WATCH_TOUCHED_H
#define MZ_RUNTIME_WATCH_TOUCHED_H

#include "runtime/core/core.h"

/* Begins a step of `fiber`, which has no accesses yet; NULL: the program begins. */
void mz_touched_begin(struct mz_fiber *fiber);
void mz_touched_add(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind);
/* Returns the plain accesses of the step under way, valid until the next call of any of these functions. */
const struct mz_access *mz_touched(size_t *count);

/* Store and load the accesses that belong to a thread's next step: see state.h. */
void mz_touched_store(const struct mz_fiber *fiber, struct mz_state *state);
void mz_touched_load(struct mz_fiber *fiber, struct mz_state *state);

#endif
