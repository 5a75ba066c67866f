/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk_sets.h"
#include "base/alloc.h"
#include "base/array.h"

/* Returns whether a list of branches has one of the thread, with that alternative or, for MZ_ANY_CHOICE, with any. Others
 * may be appending to the list. */
static bool has(struct mz_wakeup **tree, uint32_t thread, uint32_t choice)
{
	const struct mz_wakeup *branch = __atomic_load_n(tree, __ATOMIC_ACQUIRE);
	for (; branch; branch = __atomic_load_n(&branch->next, __ATOMIC_ACQUIRE)) {
		const struct mz_event *event = __atomic_load_n(&branch->event, __ATOMIC_ACQUIRE);
		if (event->thread == thread && (choice == MZ_ANY_CHOICE || event->choice == choice)) return true;
	}
	return false;
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

bool mz_trunk_replace_name(struct mz_trunk_worker *worker, size_t depth, const struct mz_event *event)
{
	const struct mz_event *kept = mz_interned_event(&worker->wakeups.events, event);
	if (!kept) return false;
	mz_trunk_lock(worker);
	if (!worker->outdated) {
		struct mz_wakeup *branch = worker->path.at[depth];
		__atomic_store_n(&branch->event, kept, __ATOMIC_RELEASE);
		worker->trunk->wanted = 0; /* the branches after it can be taken now */
		mz_wakeups_touch_branch(&worker->wakeups, branch);
	}
	mz_trunk_unlock(worker);
	return true;
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
