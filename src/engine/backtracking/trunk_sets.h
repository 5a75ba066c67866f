/* SPDX-License-Identifier: MIT
 *
 * Backtrack sets in a trunk (trunk.h). The branches of a node are the steps that were, are, or will be explored from
 * there; a search adds threads to nodes, never sequences, so a branch that nobody has taken yet has nothing below it.
 *
 * What a step does is known only once it was made. Until then the event of its branch is a *name*: it has a thread, and
 * an alternative or MZ_ANY_CHOICE, which stands for all alternatives, and no accesses. Who takes a branch that stands for
 * all of them adds the others to the node. With sleep sets a name has no alternatives (mz_trunk_is_unknown()), and is
 * replaced by the event when that was made: branches after it, for which it sleeps, are not taken before. Without sleep
 * sets names are all that is needed.
 *
 * A branch counts as covered from the moment in which it is there, whoever explores it and when: see
 * docs/internals/engine.md.
 */
#ifndef MZ_ENGINE_BACKTRACKING_TRUNK_SETS_H
#define MZ_ENGINE_BACKTRACKING_TRUNK_SETS_H

#include "engine/backtracking/trunk.h"
#include "trace/view.h"

#define MZ_ANY_CHOICE UINT32_MAX

/* Returns a name for a step, which is `known` if nobody waits for its event. */
static inline struct mz_event mz_trunk_name(uint32_t thread, uint32_t choice, bool known)
{
	return (struct mz_event){.thread = thread, .choice = choice, .alternatives = known};
}

/* Returns how many of the first nodes of an execution are in the trunk; there is none if `worker` is NULL. */
static inline size_t mz_trunk_shared(const struct mz_trunk_worker *worker)
{
	return __builtin_expect(worker != NULL, 0) ? worker->path.length : 0;
}

/* Returns the event of the branch that the path of the worker takes at that depth. */
static inline const struct mz_event *mz_trunk_event(const struct mz_trunk_worker *worker, size_t depth)
{
	return worker->path.at[depth]->event;
}

/* Returns whether the thread is explored from a node of the worker's path, by anyone, or will be. */
bool mz_trunk_has_thread(struct mz_trunk_worker *worker, size_t depth, uint32_t thread);

/* Appends a branch with that name to a node of the worker's path, unless there is one: one of the thread, for all of its
 * alternatives, or one of the thread and the alternative. Returns false when there is no memory. */
bool mz_trunk_add_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *name);

/* Says what the step is that the worker's path takes at that depth. Returns false when there is no memory. */
bool mz_trunk_replace_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *event);

/* What a worker has explored. All zero is ready for use. */
struct mz_trunk_history {
	struct mz_trunk_counts before;  /* before the execution under way, */
	struct mz_trunk_counts *counts; /* and, by depth, before the one in which the node was made */
	size_t capacity;
};

void mz_trunk_history_release(struct mz_trunk_history *history);
/* Says that a node is made at that depth. Returns false when there is no memory. */
bool mz_trunk_history_note(struct mz_trunk_history *history, size_t depth);

#endif
