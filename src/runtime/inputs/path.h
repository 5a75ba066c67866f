/* SPDX-License-Identifier: MIT
 *
 * Branches on inputs. Each is a step with two alternatives: 1 where the condition holds, 0 where it does not. The
 * inputs of an execution take one of them; the driver may ask for the other one if some inputs take it and all branches
 * before it as they were taken. Then the execution is run again, with these inputs and the same schedule, up to there.
 *
 * The conditions that hold so far are the path. Its order is that of the steps; whether a condition is possible does
 * not depend on it.
 */
#ifndef MZ_RUNTIME_INPUTS_PATH_H
#define MZ_RUNTIME_INPUTS_PATH_H

#include "runtime/core/core.h"

/* Makes a step of a branch: the condition has this value, 0 or 1. Does nothing if the branches that the thread and
 * its creators have taken before leave it no other value. */
void mz_path_branch(struct mz_fiber *self, uint32_t condition, bool value, uintptr_t caller);
/* Says that the branches of a thread go before all that other threads do, or no more. */
void mz_path_go_first(const struct mz_fiber *self, bool first);
/* Notes that a thread was made by another: what its creator knows of the inputs, the thread knows. */
void mz_path_born(uint32_t thread, uint32_t creator);
/* Returns a hash of the branches that the thread and its creators have taken. */
uint64_t mz_path_past(uint32_t thread);

/* Reports whether some inputs lead to this state and take that alternative of the branch that the thread is at. */
bool mz_path_is_possible(uint32_t thread, uint32_t choice);
/* Reports whether some inputs take all of these alternatives, whichever branches this execution has taken. */
bool mz_path_are_possible(const struct mz_decision *decisions, size_t count);
/* Returns the place of a branch that has this condition, by the number that the engine knows it by; 0 if this process has not
 * been there. */
uint64_t mz_path_place_of(uint32_t condition);
/* Finds inputs that lead to this state and take that alternative; the next execution gets them. Returns false if there
 * are none, or none were found in time. */
bool mz_path_change_inputs(uint32_t thread, uint32_t choice);
/* Takes that back: the next execution gets the inputs that it had before. */
void mz_path_restore_inputs(void);

/* Fills in a hash of the n-th condition of the path, with the value that it has: the same in all workers. Returns false
 * past the last. */
bool mz_path_condition(uint32_t n, uint64_t *literal);

/* A part of what an execution has (states/parts.h), with the shadows. */
void mz_inputs_reset(void);
/* Counts what was lost sight of last in the execution that has ended. */
void mz_inputs_end(void);
void mz_inputs_store(struct mz_state *state);
void mz_inputs_load(struct mz_state *state);
bool mz_inputs_is_used(void);

#endif
