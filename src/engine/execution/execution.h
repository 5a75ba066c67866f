/* SPDX-License-Identifier: MIT
 *
 * Records the current execution: mz_execution_observe() and mz_execution_order() extend it, mz_execution_rewind() cuts
 * it back. What is recorded is in record.h, with the questions that can be asked of it.
 */
#ifndef MZ_ENGINE_EXECUTION_EXECUTION_H
#define MZ_ENGINE_EXECUTION_EXECUTION_H

#include "engine/execution/record.h"

void mz_execution_init(struct mz_execution *x, bool ordered);
void mz_execution_release(struct mz_execution *x);

/* Record an event, record an order() edge, and go back to a depth. All these functions do nothing once `failed` is set,
 * and set it when memory runs out. */
void mz_execution_observe(struct mz_execution *x, const struct mz_event *event);
void mz_execution_order(struct mz_execution *x, uint32_t before, uint32_t after);
/* See mz_search_note_waker(). */
void mz_execution_note_waker(struct mz_execution *x, uint32_t event, uint32_t since, const struct mz_event *second);
void mz_execution_rewind(struct mz_execution *x, uint32_t depth);

/* Returns the first events of the races in which the operation `pending` of a thread would be the second, if it was
 * executed now. The list is valid until the next call. */
const uint32_t *mz_execution_pending_races(struct mz_execution *x, uint32_t thread, const struct mz_pending *pending,
                                           size_t *count);

/* For a thread that is WAITING at the end of the execution, returns the events without which it might have gone on. To
 * leave out one of them, keep the first `*end` events, but not that one and what happens after it. Either the step of
 * another thread made the thread wait; or it had to wait when it came there, and then each event that it did not know
 * of may be the reason. The list is valid until the next call. */
const uint32_t *mz_execution_possible_blockers(struct mz_execution *x, uint32_t thread,
                                               const struct mz_pending *pending, size_t *count, uint32_t *end);

/* Appends to `writes` the events that enable an operation because it awaits one of its accesses. `read` is the event of
 * its thread that the access's age refers to; it is not used if the age is MZ_AGE_EVER. Returns false when there is no
 * memory. */
bool mz_execution_wakers(struct mz_execution *x, uint16_t op, const struct mz_access *access, uint32_t read,
                         struct mz_events *writes);

/* Returns whether the event woke the thread that leaves what it waited for with the access `leaves`. */
bool mz_events_woke(const struct mz_event *event, const struct mz_access *leaves);

/* Ends the process if an invariant does not hold. Slow: recomputes the order of the whole execution. */
void mz_execution_check(const struct mz_execution *x);

#endif
