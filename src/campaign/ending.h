/* SPDX-License-Identifier: MIT
 *
 * Puts into words why workers have ended before everything was explored.
 */
#ifndef MZ_CAMPAIGN_ENDING_H
#define MZ_CAMPAIGN_ENDING_H

#include "explorer/supervisor.h"

#define MZ_ENDING_SIZE 800

/* Returns the number of the execution that was under way, from 1. */
uint64_t mz_ending_execution(const struct mz_session *session);

/* Returns whether a time-out or a signal to us has ended workers. */
bool mz_ending_is_from_outside(const struct mz_worker_result *worker);

/* Fills in why a worker ended that left no outcome, after `steps` steps of that execution. */
void mz_ending_describe_death(const struct mz_session *session, const struct mz_worker_result *worker, uint32_t steps,
                              char text[MZ_ENDING_SIZE]);

/* Fills in why workers ended with an outcome that is no success and no internal error. Leaves the text empty if there is
 * nothing to say. */
void mz_ending_describe_outcome(const struct mz_session *session, const struct mz_worker_result *worker,
                                char text[MZ_ENDING_SIZE]);

/* Fills in which internal error ended a worker, and where. */
void mz_ending_describe_error(const struct mz_session *session, uint32_t steps, char text[MZ_ENDING_SIZE]);

#endif
