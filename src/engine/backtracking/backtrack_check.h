/* SPDX-License-Identifier: MIT
 *
 * Checks, while a search goes on, that backtrack sets and sleep sets satisfy their definitions. For test builds; the
 * process ends if one does not.
 *
 * - *Sleep sets.* A step that sleeps at a node was explored from an earlier sibling of the node or of a node above, and
 *   no event since was by its thread or depended on it; and all such steps sleep.
 * - *Source sets.* When a node is left: for each race (i, j) of an execution through it whose i was executed there, the
 *   sequence in which j comes first, "all since i that does not happen after it, then j", has a weak initial among what
 *   was explored from the node or slept there.
 * - *Persistent sets*, without sleep sets. When a node is left: an operation of any execution through it that its
 *   thread came to without anything since the node by threads that were explored from there is independent of what
 *   those did first.
 *
 * An operation that is moved to another place may have another outcome there: it counts as the least that it may do.
 *
 * Nothing is promised, and nothing checked, where an execution was cut short by a limit or died. To bound the effort,
 * checking stops after EXECUTIONS executions, or at the first execution that is longer than DEPTH.
 */
#ifndef MZ_ENGINE_BACKTRACKING_BACKTRACK_CHECK_H
#define MZ_ENGINE_BACKTRACKING_BACKTRACK_CHECK_H

#include "engine/backtracking/backtrack.h"

struct mz_backtrack_check;

/* Makes a check. Returns NULL when there is no memory. */
struct mz_backtrack_check *mz_backtrack_check_new(void);
void mz_backtrack_check_free(struct mz_backtrack_check *check);
/* Checks nothing from now on: a thread waits and the host did not tell for what, so it may not be able to do what the
 * definitions ask of it. */
void mz_backtrack_check_stop(struct mz_backtrack *b);

/* To be called when a node was made, at the present depth of the execution. */
void mz_backtrack_check_node(struct mz_backtrack *b);
/* To be called when an execution is over. `cut`: it does not show all that it could. */
void mz_backtrack_check_execution(struct mz_backtrack *b, bool cut);
/* To be called when the step being explored at that depth is done, and when the whole node is. */
void mz_backtrack_check_step(struct mz_backtrack *b, uint32_t depth);
void mz_backtrack_check_leave(struct mz_backtrack *b, uint32_t depth);

#endif
