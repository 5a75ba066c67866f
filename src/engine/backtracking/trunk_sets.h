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
 *
 * Within bounds, a branch says whether something was refused below it (`refused`): if so, that is also below all branches
 * above it. Threads that are held in reserve at a node stand among its branches (MZ_TRUNK_RESERVED): nobody takes them,
 * and they cover nothing. They become branches, at the end, when something is refused below the node. What sleeps for a
 * branch is what the strategy vouches for (`cheap`), and what was done when the branch was begun and had nothing refused
 * below it. That is decided once: whoever comes to a node, and when, finds the same threads asleep there.
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

/* Says what the step is that the worker's path takes at that depth, and whether it may sleep whatever is refused below it
 * (`cheap`). Returns false when there is no memory. */
bool mz_trunk_replace_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *event, bool cheap);

/* Does the same as mz_trunk_add_name() if something was refused below the node, or once it is. */
bool mz_trunk_reserve_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *name);
/* Says that a bound refused something at a node of the worker's path. Returns false when there is no memory. */
bool mz_trunk_refuse(struct mz_trunk_worker *worker, size_t depth);
/* Returns whether something was refused there or below. */
bool mz_trunk_is_refused(const struct mz_trunk_worker *worker, size_t depth);
/* Returns whether a branch sleeps for the one that is `distance` branches after it; `bounded`: there are bounds. Others may
 * be at work there. */
bool mz_trunk_sleeps(const struct mz_wakeup *branch, size_t distance, bool bounded);

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
