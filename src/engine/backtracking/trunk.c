/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"

void mz_trunk_worker_release(struct mz_trunk_worker *worker)
{
	mz_wakeups_release(&worker->wakeups);
	mz_free(worker->path.at);
	*worker = (struct mz_trunk_worker){0};
}

/* Returns the branch that a path ends with. */
static struct mz_wakeup *end_of(struct mz_trunk *trunk, const struct mz_trunk_path *path)
{
	return path->length ? path->at[path->length - 1] : &trunk->root;
}

static bool push(struct mz_trunk_path *path, struct mz_wakeup *branch)
{
	if (!mz_array_reserve(&path->at, &path->capacity, path->length + 1)) return false;
	path->at[path->length++] = branch;
	return true;
}

static void set_state(struct mz_trunk_worker *worker, struct mz_wakeup *branch, enum mz_trunk_state state)
{
	branch->state = (uint8_t)state;
	mz_wakeups_touch(&worker->wakeups, branch, sizeof *branch);
}

/* Returns whether everything below a branch is done. */
static bool is_done_below(const struct mz_wakeup *branch)
{
	const struct mz_wakeup *below = branch->first;
	while (below && below->state == MZ_TRUNK_DONE) below = below->next;
	return !below;
}

/* Marks a branch as done if everything below it is. */
static void judge(struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	if (is_done_below(branch)) set_state(worker, branch, MZ_TRUNK_DONE);
}

static void set_taken(struct mz_trunk_worker *worker)
{
	struct mz_wakeup *leaf = end_of(worker->trunk, &worker->path);
	leaf->worker = worker->number;
	set_state(worker, leaf, MZ_TRUNK_TAKEN);
	worker->trunk->taken++;
	worker->works = true;
	worker->executions = 0;
}

/* --- taking ------------------------------------------------------------------------------------------------------ */

/* Returns whether the branches after this one can only be taken later: its event has to sleep for them, and is not known
 * yet. */
static bool is_awaited(const struct mz_wakeup *branch)
{
	return branch->state == MZ_TRUNK_TAKEN && mz_trunk_is_unknown(branch);
}

/* Moves a path on to the next branch in order that is not below its end, and below the branch `start` deep. Returns
 * false if there is none: the path is `start` long then. */
static bool go_on(struct mz_trunk_worker *worker, struct mz_trunk_path *path, size_t start)
{
	struct mz_trunk *trunk = worker->trunk;
	while (path->length > start && (!end_of(trunk, path)->next || is_awaited(end_of(trunk, path)))) {
		path->length--;
		judge(worker, end_of(trunk, path));
	}
	if (path->length == start) return false;
	path->at[path->length - 1] = end_of(trunk, path)->next;
	return true;
}

/* Extends a path to the first open leaf at its end or below. Returns false if there is none, or no memory. */
static bool find_below(struct mz_trunk_worker *worker, struct mz_trunk_path *path)
{
	struct mz_trunk *trunk = worker->trunk;
	size_t start = path->length;
	for (;;) {
		const struct mz_wakeup *branch = end_of(trunk, path);
		bool open = branch->state == MZ_TRUNK_OPEN;
		if (open && !branch->first) return true;
		if (open) {
			if (!push(path, branch->first)) return false;
		} else if (!go_on(worker, path, start)) {
			return false;
		}
	}
}

bool mz_trunk_take(struct mz_trunk_worker *worker, size_t *common)
{
	struct mz_trunk_path *path = &worker->path;
	*common = path->length;
	while (!find_below(worker, path)) {
		path->length = *common;
		if (*common == 0) return false;
		path->length = --*common;
	}
	set_taken(worker);
	return true;
}

/* Puts a tree below a leaf, in place of the plan. */
static void replace(struct mz_trunk_worker *worker, struct mz_wakeup *leaf, struct mz_wakeup *tree)
{
	struct mz_wakeup *plan = leaf->first;
	__atomic_store_n(&leaf->first, tree, __ATOMIC_RELEASE);
	mz_wakeups_touch(&worker->wakeups, leaf, sizeof *leaf);
	mz_wakeups_free_tree(&worker->wakeups, plan);
}

/* --- finishing --------------------------------------------------------------------------------------------------- */

/* Cuts down what is done and has nothing before it that is not. */
static void cut_down_first(struct mz_trunk_worker *worker)
{
	struct mz_wakeup *branch = &worker->trunk->root;
	while (branch) {
		if (branch->state != MZ_TRUNK_DONE) {
			branch = branch->first;
			continue;
		}
		struct mz_wakeup *below = branch->first;
		branch->first = NULL;
		mz_wakeups_touch(&worker->wakeups, branch, sizeof *branch);
		mz_wakeups_free_tree(&worker->wakeups, below);
		branch = branch->next;
	}
}

void mz_trunk_finish(struct mz_trunk_worker *worker)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_trunk_path *path = &worker->path;
	struct mz_wakeup *leaf = end_of(trunk, path);
	MZ_REQUIRE(leaf->state == MZ_TRUNK_TAKEN);
	const struct mz_trunk_counts counts = mz_trunk_count(worker);
	if (worker->settle) worker->settle(worker->self, leaf, &counts);
	set_state(worker, leaf, MZ_TRUNK_DONE);
	if (worker->settled) worker->settled(worker->self);
	replace(worker, leaf, NULL);
	worker->works = false;
	trunk->taken--;
	/* the path gets as long as it can be without leading into what is done, which may be cut down */
	while (path->length && end_of(trunk, path)->state == MZ_TRUNK_DONE) {
		if (worker->forgets) replace(worker, end_of(trunk, path), NULL);
		path->length--;
		judge(worker, end_of(trunk, path));
	}
	cut_down_first(worker);
}

void mz_trunk_judge_root(struct mz_trunk *trunk)
{
	if (is_done_below(&trunk->root)) trunk->root.state = MZ_TRUNK_DONE;
}

bool mz_trunk_is_done(const struct mz_trunk *trunk)
{
	return trunk->root.state == MZ_TRUNK_DONE;
}

bool mz_trunk_next(struct mz_trunk_worker *worker, size_t *common)
{
	mz_trunk_lock(worker);
	if (worker->works && !worker->outdated) mz_trunk_finish(worker);
	bool found = !worker->outdated && mz_trunk_take(worker, common);
	while (!found && !worker->outdated && worker->wait && !mz_trunk_is_done(worker->trunk)) {
		worker->trunk->wanted = 1;
		mz_trunk_unlock(worker);
		if (!worker->wait(worker->self)) return false;
		mz_trunk_lock(worker);
		found = !worker->outdated && mz_trunk_take(worker, common);
	}
	mz_trunk_unlock(worker);
	return found;
}

void mz_trunk_leave(struct mz_trunk_worker *worker)
{
	mz_trunk_lock(worker);
	if (worker->works && !worker->outdated) mz_trunk_finish(worker);
	mz_trunk_unlock(worker);
}

bool mz_trunk_lose(struct mz_trunk_worker *worker, uint32_t number)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_wakeup **left = NULL, *branch = &trunk->root;
	size_t nleft = 0, capacity = 0;
	for (; branch; branch = nleft ? left[--nleft] : NULL) {
		if (branch->state == MZ_TRUNK_TAKEN && branch->worker == number) {
			set_state(worker, branch, MZ_TRUNK_OPEN);
			trunk->taken--;
		}
		if (!mz_array_reserve(&left, &capacity, nleft + 2)) break;
		if (branch->next) left[nleft++] = branch->next;
		if (branch->first) left[nleft++] = branch->first;
	}
	mz_free(left);
	return !branch;
}

/* --- grafting ---------------------------------------------------------------------------------------------------- */

void mz_trunk_begin_graft(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft)
{
	*graft = (struct mz_trunk_graft){.leaf = end_of(worker->trunk, &worker->path)};
}

static struct mz_wakeup **tree_of(struct mz_trunk_graft *graft)
{
	return graft->end ? &graft->end->first : &graft->root.first;
}

bool mz_trunk_add_done(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event)
{
	struct mz_wakeup *branch = mz_wakeups_append(&worker->wakeups, tree_of(graft), event);
	if (branch) set_state(worker, branch, MZ_TRUNK_DONE);
	return branch != NULL;
}

bool mz_trunk_add_open(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_wakeup *others)
{
	return mz_wakeups_append_copy(&worker->wakeups, tree_of(graft), others);
}

bool mz_trunk_add_step(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event,
                       const struct mz_wakeup *others, bool planned)
{
	struct mz_wakeup *branch = mz_wakeups_append(&worker->wakeups, tree_of(graft), event);
	if (!branch || !mz_trunk_add_open(worker, graft, others)) return false;
	graft->end = branch;
	return planned || push(&worker->path, branch);
}

struct mz_wakeup *mz_trunk_add_branch(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft,
                                      const struct mz_event *event)
{
	return mz_wakeups_append(&worker->wakeups, tree_of(graft), event);
}

bool mz_trunk_go_below(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, struct mz_wakeup *branch)
{
	graft->end = branch;
	return push(&worker->path, branch);
}

void mz_trunk_graft(struct mz_trunk_worker *worker, const struct mz_trunk_graft *graft, bool goes_on,
                    const struct mz_trunk_counts *counts)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_wakeup *leaf = graft->leaf;
	mz_trunk_lock(worker);
	if (worker->outdated) {
		mz_trunk_unlock(worker);
		return;
	}
	MZ_REQUIRE(leaf->state == MZ_TRUNK_TAKEN);
	if (worker->settle) worker->settle(worker->self, leaf, counts);
	worker->works = false;
	if (goes_on)
		set_taken(worker);
	else
		worker->path.length = 0; /* others may be through with all of it before this worker looks again */
	leaf->enclosed = true;
	replace(worker, leaf, graft->root.first);
	if (worker->settled) worker->settled(worker->self);
	set_state(worker, leaf, MZ_TRUNK_OPEN);
	trunk->taken--;
	trunk->wanted = 0;
	mz_trunk_unlock(worker);
}
