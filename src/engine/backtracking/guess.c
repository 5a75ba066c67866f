/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/guess.h"
#include "base/alloc.h"
#include "base/bug.h"

/* Finds out whether a step can come before a sequence, and whether that is sure or depends on what comes after the sequence.
 * Returns false when there is no memory. */
static bool can_come_before(const struct mz_event *made, const struct mz_sequence *way, enum mz_initial *can)
{
	size_t at;
	bool *gone = mz_alloc(way->count * sizeof *gone);
	if (!gone) return false;
	for (size_t n = 0; n < way->count; n++) gone[n] = false;
	const struct mz_rest rest = {.left = way->count, .gone = gone};
	*can = mz_sequence_initial(way, &rest, made, &at);
	mz_free(gone);
	return true;
}

/* ---- in a tree that one worker explores ---- */

/* Takes the first leaf of a tree, and the branches that lead to nothing else, out of the tree. Leaves the events on the
 * way to the leaf in `way`, and in `*overslept` what the leaf says. Returns false when there is no memory. */
static bool take_leaf(struct mz_wakeups *wakeups, struct mz_wakeup **tree, struct mz_sequence *way, bool *overslept)
{
	size_t length = 0;
	struct mz_wakeup **gone = tree;
	for (struct mz_wakeup *branch = *tree; branch; branch = branch->first) length++;
	if (!mz_sequence_clear(way, length)) return false;
	for (struct mz_wakeup **at = tree; *at; at = &(*at)->first) {
		mz_sequence_push(way, (*at)->event, MZ_SEQUENCE_UNKNOWN);
		if ((*at)->next) gone = at;
		*overslept = (*at)->overslept;
	}
	struct mz_wakeup *branch = *gone;
	*gone = branch->next;
	branch->next = NULL;
	mz_wakeups_free_tree(wakeups, branch);
	return true;
}

bool mz_guess_settle(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *made,
                     const struct mz_wakeup_origin *origin, struct mz_sequence *way)
{
	struct mz_wakeup *others = *tree;
	*tree = NULL;
	while (others) {
		enum mz_initial can;
		struct mz_wakeup_result result;
		struct mz_wakeup_origin here = *origin;
		const struct mz_sleep sleep = {0};
		const struct mz_sleep_set nobody = {0};
		if (!take_leaf(wakeups, &others, way, &here.overslept) || !can_come_before(made, way, &can))
			return false;
		if (can == MZ_INITIAL_IN) continue;
		here.overslept |= can == MZ_INITIAL_WEAK;
		if (!mz_wakeups_insert(wakeups, tree, &sleep, &nobody, way, &here, &result)) return false;
	}
	return true;
}

/* ---- in a trunk ---- */

static void drop(const struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	__atomic_store_n(&branch->dropped, true, __ATOMIC_RELAXED);
	__atomic_store_n(&branch->state, MZ_TRUNK_DONE, __ATOMIC_RELEASE);
	mz_wakeups_touch(&worker->wakeups, branch, sizeof *branch);
}

/* Drops a leaf if the step is in the way to it, and can come first there. If the step only might, the leaf stays, because it
 * also stands for sequences that go on with something the step conflicts with; but the step sleeps there. Returns false when
 * there is no memory. */
static bool judge_leaf(const struct mz_trunk_worker *worker, const struct mz_trunk_path *path,
                       const struct mz_event *made, struct mz_sequence *way)
{
	enum mz_initial can;
	struct mz_wakeup *leaf = path->at[path->length - 1];
	if (!mz_sequence_clear(way, path->length)) return false;
	for (size_t n = 0; n < path->length; n++) mz_sequence_push(way, path->at[n]->event, MZ_SEQUENCE_UNKNOWN);
	if (!can_come_before(made, way, &can)) return false;
	if (can == MZ_INITIAL_IN) drop(worker, leaf);
	if (can != MZ_INITIAL_WEAK) return true;
	leaf->overslept = true;
	mz_wakeups_touch(&worker->wakeups, leaf, sizeof *leaf);
	return true;
}

/* Drops a branch if all that is below it is dropped. */
static void judge_whole(const struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	const struct mz_wakeup *below = branch->first;
	while (below && below->dropped) below = below->next;
	if (branch->first && !below) drop(worker, branch);
}

/* Drops all ways that begin with `first` or a branch after it, and that the step can come before. Returns false when there is
 * no memory. */
static bool drop_covered(struct mz_trunk_worker *worker, struct mz_wakeup *first, const struct mz_event *made,
                         struct mz_sequence *way)
{
	struct mz_trunk_path *path = &worker->scratch;
	path->length = 0;
	for (struct mz_wakeup *branch = first; branch;) {
		if (!mz_trunk_path_push(path, branch)) return false;
		if (branch->first) {
			branch = branch->first;
			continue;
		}
		if (!judge_leaf(worker, path, made, way)) return false;
		while (path->length && !path->at[path->length - 1]->next) {
			path->length--;
			if (path->length) judge_whole(worker, path->at[path->length - 1]);
		}
		branch = path->length ? path->at[--path->length]->next : NULL;
	}
	return true;
}

bool mz_guess_tell(struct mz_trunk_worker *worker, const struct mz_event *made, bool overslept, struct mz_sequence *way)
{
	struct mz_wakeup *branch = worker->path.at[worker->path.length - 1];
	mz_trunk_lock(worker);
	const struct mz_event *kept = worker->outdated ? NULL : mz_interned_event(&worker->wakeups.events, made);
	bool right = worker->outdated || (kept && drop_covered(worker, branch->next, made, way));
	if (kept && right) {
		MZ_REQUIRE(branch->state == MZ_TRUNK_TAKEN);
		branch->overslept = overslept;
		/* before anybody can follow it: whoever goes on if this process is killed does not touch it */
		mz_wakeups_touch(&worker->wakeups, kept, sizeof *kept + kept->naccesses * sizeof *kept->accesses);
		/* last of all: if this process is killed before, whoever takes the branch next does it again */
		__atomic_store_n(&branch->event, kept, __ATOMIC_RELEASE);
		mz_wakeups_touch_branch(&worker->wakeups, branch);
		worker->trunk->wanted = 0;
	}
	mz_trunk_unlock(worker);
	return right;
}
