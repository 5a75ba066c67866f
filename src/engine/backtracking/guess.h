/* SPDX-License-Identifier: MIT
 *
 * Steps that were only guessed (`guessed` of struct mz_event) when they were put into a wakeup tree. The guess conflicts with
 * everything, so other sequences are kept apart from it. When the step has been made, it is known what it touches: those
 * branches beside it that have the step in them, where it can come first, are explored behind it, and not again (they are
 * dropped). A branch that it might come before, because it conflicts with nothing there, stays: the branch also stands for
 * longer sequences, which may go on with something that the step conflicts with. But the step sleeps there, and is not woken
 * (`overslept`): then a sleeper covers only sequences that it is in. So it is below a leaf whose sequence had a guess in it that
 * was found to be a step which is known.
 *
 * In a trunk, from which nothing is taken out, such branches are marked (`dropped`): nobody explores them, they cover
 * nothing, and they never sleep. The branches after a guess are not taken before the worker that has taken the guess has
 * told what it did. So nobody has ever begun to explore what is dropped, and what sleeps for a branch is known when it is
 * taken. A guess is always a leaf, because it ends the sequence that it comes from.
 */
#ifndef MZ_ENGINE_BACKTRACKING_GUESS_H
#define MZ_ENGINE_BACKTRACKING_GUESS_H

#include "engine/backtracking/trunk.h"

/* Takes the branches out of a tree that a step which has been made can come before. `way` is scratch. Returns false when
 * there is no memory. */
bool mz_guess_settle(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *made,
                     const struct mz_wakeup_origin *origin, struct mz_sequence *way);

/* Tells the other workers what the step at the end of this worker's path did, and drops the branches after it that it can come
 * before. Returns false when there is no memory. */
bool mz_guess_tell(struct mz_trunk_worker *worker, const struct mz_event *made, bool overslept,
                   struct mz_sequence *way);

#endif
