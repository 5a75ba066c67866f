/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk_samples.h"
#include "base/bug.h"

#define PARTS 4U      /* a range is such a part of what a worker's share of the rest of the stage is */
#define CROWD 4U      /* workers there are, at least */
#define LARGEST 4096U /* most numbers of a range */
#define NOBODY UINT32_MAX

/* A branch of the root, or what was left of one, below it. */
struct range {
	struct mz_wakeup branch; /* comes first */
	struct mz_trunk_draw draw;
};

uint64_t mz_trunk_next_stage(uint64_t number, uint64_t most)
{
	uint64_t end = number ? (uint64_t)2 << (63 - __builtin_clzll(number)) : 1;
	return most && most < end ? most : end;
}

static struct range *range_new(struct mz_trunk_worker *worker, struct mz_trunk_draw draw)
{
	const struct mz_event none = {.alternatives = 1};
	const struct mz_event *event = mz_interned_event(&worker->wakeups.events, &none);
	struct range *range = event ? mz_pool_take(&worker->wakeups.pool, sizeof *range) : NULL;
	if (!range) return NULL;
	*range = (struct range){.branch = {.event = event}, .draw = draw};
	mz_wakeups_touch(&worker->wakeups, range, sizeof *range);
	mz_wakeups_touch_branch(&worker->wakeups, &range->branch);
	return range;
}

/* Puts a branch, or none, behind another one. */
static void set_next(struct mz_trunk_worker *worker, struct mz_wakeup *before, struct mz_wakeup *branch)
{
	__atomic_store_n(&before->next, branch, __ATOMIC_RELEASE);
	mz_wakeups_touch(&worker->wakeups, before, sizeof *before);
}

/* Frees a range with what is below it. */
static void range_free(struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	while (branch) {
		struct mz_wakeup *below = branch->first;
		mz_pool_give(&worker->wakeups.pool, (struct range *)branch, sizeof(struct range));
		branch = below;
	}
}

/* Returns the branch that stands for the numbers that were not drawn yet; NULL when there is no memory. */
static struct mz_wakeup *find_rest(struct mz_trunk_worker *worker)
{
	struct mz_wakeup *root = &worker->trunk->root;
	if (root->first) return root->first;
	struct range *rest = range_new(worker, (struct mz_trunk_draw){0});
	if (!rest) return NULL;
	rest->branch.state = MZ_TRUNK_TAKEN;
	rest->branch.worker = NOBODY;
	__atomic_store_n(&root->first, &rest->branch, __ATOMIC_RELEASE);
	return root->first;
}

/* Returns the last range that was drawn, or `rest` if there is none, after having removed those before it that are
 * done. Says in `*all_done` whether all are. */
static struct range *find_last(struct mz_trunk_worker *worker, struct mz_wakeup *rest, bool *all_done)
{
	struct mz_wakeup *before = rest, *branch = rest->next;
	*all_done = true;
	for (; branch; branch = before->next) {
		bool done = branch->state == MZ_TRUNK_DONE;
		*all_done &= done;
		if (!done || !branch->next) {
			before = branch;
			continue;
		}
		set_next(worker, before, branch->next);
		range_free(worker, branch);
	}
	return (struct range *)before;
}

/* Returns the range of numbers from `first` on, which what is known of earlier executions does not depend on. The less is
 * left of a stage, the smaller ranges are, so that all workers come to the end of the stage at about the same time. */
static struct mz_trunk_draw range_from(struct mz_trunk *trunk, uint64_t first, uint64_t most)
{
	if (trunk->crowd <= trunk->taken) trunk->crowd = trunk->taken + 1;
	uint64_t left = mz_trunk_next_stage(first, most) - first;
	uint64_t size = left / (PARTS * (trunk->crowd < CROWD ? CROWD : trunk->crowd));
	size = size < 1 ? 1 : size > LARGEST ? LARGEST : size;
	return (struct mz_trunk_draw){.next = first, .end = first + size};
}

/* Makes a range of numbers that were not drawn yet, if there is one that can be executed now. Returns false when there
 * is no memory. */
static bool add_range(struct mz_trunk_worker *worker, uint64_t most)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_wakeup *rest = find_rest(worker);
	bool all_done;
	if (!rest) return false;
	struct range *last = find_last(worker, rest, &all_done);
	uint64_t first = last->draw.end;
	bool any = !most || first < most;
	rest->state = any || !all_done ? MZ_TRUNK_TAKEN : MZ_TRUNK_DONE;
	mz_wakeups_touch(&worker->wakeups, rest, sizeof *rest);
	/* it was done if fewer numbers were asked for before; others may look at it without the lock */
	if (any) __atomic_store_n(&trunk->root.state, (uint8_t)MZ_TRUNK_OPEN, __ATOMIC_RELEASE);
	if (!any) mz_trunk_judge_root(trunk);
	bool stage = (first & (first - 1)) == 0;
	if (!any || (stage && !all_done)) return true;
	if (stage) trunk->wanted = 0; /* those who waited for that can go on */
	struct mz_trunk_draw draw = range_from(trunk, first, most);
	draw.known = stage ? trunk->extent : last->draw.known;
	struct range *range = range_new(worker, draw);
	if (!range) return false;
	set_next(worker, &last->branch, &range->branch);
	return true;
}

/* Takes a range that another worker left, or a new one. Returns whether there is one. */
static bool take_range(struct mz_trunk_worker *worker, uint64_t most, struct mz_trunk_draw *draw, bool *failed)
{
	size_t common;
	if (!worker->trunk->root.first) *failed = !add_range(worker, most);
	bool found = !*failed && mz_trunk_take(worker, &common);
	if (!found && !*failed) {
		*failed = !add_range(worker, most);
		found = !*failed && mz_trunk_take(worker, &common);
	}
	if (found) *draw = ((const struct range *)worker->path.at[worker->path.length - 1])->draw;
	return found;
}

bool mz_trunk_draw(struct mz_trunk_worker *worker, uint64_t most, struct mz_trunk_extent seen,
                   struct mz_trunk_draw *draw, bool *failed)
{
	struct mz_trunk *trunk = worker->trunk;
	bool found = false, first = true;
	mz_trunk_lock(worker);
	while (!worker->outdated) {
		if (first) mz_trunk_extend(&trunk->extent, seen);
		if (first && worker->works) mz_trunk_finish(worker);
		first = false;
		found = take_range(worker, most, draw, failed);
		if (found || *failed || !worker->wait || mz_trunk_is_done(trunk)) break;
		trunk->wanted = 1;
		mz_trunk_unlock(worker);
		if (!worker->wait(worker->self)) return false;
		mz_trunk_lock(worker);
	}
	mz_trunk_unlock(worker);
	return found;
}

bool mz_trunk_leave_draw(struct mz_trunk_worker *worker, struct mz_trunk_extent seen, const struct mz_trunk_draw *draw)
{
	struct mz_trunk_graft graft;
	if (!worker->works) return true;
	const bool used_up = draw->next == draw->end;
	mz_trunk_lock(worker);
	if (!worker->outdated) mz_trunk_extend(&worker->trunk->extent, seen);
	if (!worker->outdated && used_up) {
		mz_trunk_finish(worker);
		worker->trunk->wanted = 0; /* those who wait for the end of the stage can go on */
	}
	mz_trunk_unlock(worker);
	if (used_up) return true;
	struct range *left = range_new(worker, *draw);
	if (!left) return false;
	mz_trunk_begin_graft(worker, &graft);
	graft.root.first = &left->branch;
	const struct mz_trunk_counts counts = mz_trunk_count(worker);
	mz_trunk_graft(worker, &graft, false, &counts);
	return true;
}
