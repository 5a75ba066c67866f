/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk_sets.h"
#include "base/alloc.h"
#include "base/array.h"

/* Returns whether a list of branches has one of the thread, with that alternative or, for MZ_ANY_CHOICE, with any; with
 * `reserved`, whether the thread is held in reserve there. Others may be appending to the list. */
static bool has_either(struct mz_wakeup **tree, uint32_t thread, uint32_t choice, bool reserved)
{
	const struct mz_wakeup *branch = __atomic_load_n(tree, __ATOMIC_ACQUIRE);
	for (; branch; branch = __atomic_load_n(&branch->next, __ATOMIC_ACQUIRE)) {
		const struct mz_event *event = __atomic_load_n(&branch->event, __ATOMIC_ACQUIRE);
		if (reserved != (__atomic_load_n(&branch->state, __ATOMIC_RELAXED) == MZ_TRUNK_RESERVED)) continue;
		if (event->thread == thread && (choice == MZ_ANY_CHOICE || event->choice == choice)) return true;
	}
	return false;
}

static bool has(struct mz_wakeup **tree, uint32_t thread, uint32_t choice)
{
	return has_either(tree, thread, choice, false);
}

bool mz_trunk_has_thread(struct mz_trunk_worker *worker, size_t depth, uint32_t thread)
{
	while (!mz_trunk_begin_reading(worker)) continue;
	bool known = has(mz_trunk_tree(worker, depth), thread, MZ_ANY_CHOICE);
	mz_trunk_end_reading(worker);
	return known;
}

bool mz_trunk_add_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *name)
{
	struct mz_wakeup **tree = mz_trunk_tree(worker, depth);
	mz_trunk_lock(worker);
	worker->trunk->wanted = 0;
	bool right = worker->outdated || has(tree, name->thread, name->choice) ||
	             mz_wakeups_append(&worker->wakeups, tree, name);
	mz_trunk_unlock(worker);
	return right;
}

bool mz_trunk_replace_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *event, bool cheap)
{
	const struct mz_event *kept = mz_interned_event(&worker->wakeups.events, event);
	if (!kept) return false;
	mz_trunk_lock(worker);
	if (!worker->outdated) {
		struct mz_wakeup *branch = worker->path.at[depth];
		branch->cheap = cheap;
		__atomic_store_n(&branch->event, kept, __ATOMIC_RELEASE);
		worker->trunk->wanted = 0; /* the branches after it can be taken now */
		mz_wakeups_touch_branch(&worker->wakeups, branch);
	}
	mz_trunk_unlock(worker);
	return true;
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static bool is_refused(const struct mz_wakeup *branch)
{
	return __atomic_load_n(&branch->refused, __ATOMIC_RELAXED);
}

bool mz_trunk_is_refused(const struct mz_trunk_worker *worker, size_t depth)
{
	return is_refused(mz_trunk_branch(worker->trunk, &worker->path, depth));
}

/* Returns whether the thread is in reserve at a node, or more than that. */
static bool is_reserved(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *name)
{
	struct mz_wakeup **tree = mz_trunk_tree(worker, depth);
	while (!mz_trunk_begin_reading(worker)) continue;
	bool refused = mz_trunk_is_refused(worker, depth);
	bool known =
	    has(tree, name->thread, name->choice) || (!refused && has_either(tree, name->thread, name->choice, true));
	mz_trunk_end_reading(worker);
	return known;
}

bool mz_trunk_reserve_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *name)
{
	if (is_reserved(worker, depth, name)) return true;
	mz_trunk_lock(worker);
	bool right = true;
	if (!worker->outdated && !is_reserved(worker, depth, name)) {
		bool refused = mz_trunk_is_refused(worker, depth);
		right = mz_wakeups_append_as(&worker->wakeups, mz_trunk_tree(worker, depth), name,
		                             refused ? MZ_TRUNK_OPEN : MZ_TRUNK_RESERVED) != NULL;
	}
	mz_trunk_unlock(worker);
	return right;
}

/* Makes branches of the threads that are held in reserve below a branch. */
static bool call_up(struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	bool right = true;
	for (struct mz_wakeup *below = branch->first; below && right; below = below->next) {
		if (below->state != MZ_TRUNK_RESERVED) continue;
		if (has(&branch->first, below->event->thread, below->event->choice)) continue;
		right = mz_wakeups_append(&worker->wakeups, &branch->first, below->event) != NULL;
	}
	return right;
}

/* The branches above come first: where one is marked, all above it are, even if this worker is lost in between. */
static bool mark_refused(struct mz_trunk_worker *worker, size_t depth)
{
	bool right = true;
	for (size_t d = 0; d <= depth && right; d++) {
		struct mz_wakeup *branch = mz_trunk_branch(worker->trunk, &worker->path, d);
		if (branch->refused) continue;
		right = call_up(worker, branch);
		if (!right) break;
		__atomic_store_n(&branch->refused, true, __ATOMIC_RELEASE);
		if (d) mz_wakeups_touch_branch(&worker->wakeups, branch);
	}
	return right;
}

bool mz_trunk_refuse(struct mz_trunk_worker *worker, size_t depth)
{
	if (mz_trunk_is_refused(worker, depth)) return true;
	mz_trunk_lock(worker);
	bool right = worker->outdated || mark_refused(worker, depth);
	mz_trunk_unlock(worker);
	return right;
}

bool mz_trunk_sleeps(const struct mz_wakeup *branch, size_t distance, bool bounded)
{
	uint8_t state = __atomic_load_n(&branch->state, __ATOMIC_ACQUIRE);
	if (state == MZ_TRUNK_RESERVED || mz_trunk_is_unknown(branch)) return false;
	return !bounded || branch->cheap || (state == MZ_TRUNK_DONE && !is_refused(branch) && distance > branch->begun);
}

void mz_trunk_history_release(struct mz_trunk_history *history)
{
	mz_free(history->counts);
}

bool mz_trunk_history_note(struct mz_trunk_history *history, size_t depth)
{
	if (!mz_array_reserve(&history->counts, &history->capacity, depth + 1)) return false;
	history->counts[depth] = history->before;
	return true;
}
