/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include <string.h>

/* How many leaves a worker takes at once. The more there are, the fewer executions have to do with the trunk. */
#define CLAIMS_MOST 4096

/* --- paths --------------------------------------------------------------------------------------------------------- */

static void paths_release(struct mz_trunk_paths *paths)
{
	mz_free(paths->at);
	mz_free(paths->ends);
}

static size_t start_of(const struct mz_trunk_paths *paths, size_t n)
{
	return n ? paths->ends[n - 1] : 0;
}

/* Appends a copy of a path. Returns false when there is no memory. */
static bool paths_push(struct mz_trunk_paths *paths, const struct mz_trunk_path *path)
{
	size_t start = start_of(paths, paths->count), end = start + path->length;
	if (!mz_array_reserve(&paths->at, &paths->capacity, end)) return false;
	if (!mz_array_reserve(&paths->ends, &paths->ends_capacity, paths->count + 1)) return false;
	if (path->length) memcpy(paths->at + start, path->at, path->length * sizeof *path->at);
	paths->ends[paths->count++] = end;
	return true;
}

void mz_trunk_worker_release(struct mz_trunk_worker *worker)
{
	mz_wakeups_release(&worker->wakeups);
	mz_trunk_posts_release(&worker->posts);
	mz_free(worker->path.at);
	mz_free(worker->scratch.at);
	paths_release(&worker->claims.taken);
	paths_release(&worker->claims.explored);
	mz_free(worker->claims.counts);
	mz_free(worker->roam.best.at);
	mz_keyset_release(&worker->roam.covered);
	*worker = (struct mz_trunk_worker){0};
}

/* Returns the branch that a path ends with. */
static struct mz_wakeup *end_of(struct mz_trunk *trunk, const struct mz_trunk_path *path)
{
	return mz_trunk_branch(trunk, path, path->length);
}

bool mz_trunk_path_push(struct mz_trunk_path *path, struct mz_wakeup *branch)
{
	if (!mz_array_reserve(&path->at, &path->capacity, path->length + 1)) return false;
	path->at[path->length++] = branch;
	return true;
}

/* What else belongs to the state is written before it: the worker may be killed in between. */
static void set_state(struct mz_trunk_worker *worker, struct mz_wakeup *branch, enum mz_trunk_state state)
{
	__atomic_store_n(&branch->state, (uint8_t)state, __ATOMIC_RELEASE);
	mz_wakeups_touch(&worker->wakeups, branch, sizeof *branch);
}

/* Returns whether everything below a branch is done. */
static bool is_done_below(const struct mz_wakeup *branch)
{
	const struct mz_wakeup *below = branch->first;
	while (below && (below->state == MZ_TRUNK_DONE || below->state == MZ_TRUNK_RESERVED)) below = below->next;
	return !below;
}

/* Returns how many branches after this one somebody has begun to explore. They are begun in order: each is known, or
 * taken, before the next one is taken. */
static uint32_t count_begun(const struct mz_wakeup *branch)
{
	uint32_t begun = 0, n = 0;
	for (const struct mz_wakeup *after = branch->next; after; after = after->next) {
		n++;
		if (after->state == MZ_TRUNK_RESERVED) continue;
		if (after->state == MZ_TRUNK_OPEN && mz_trunk_is_unknown(after)) break;
		begun = n;
	}
	return begun;
}

static void set_done(struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	if (worker->forgets) branch->begun = count_begun(branch);
	set_state(worker, branch, MZ_TRUNK_DONE);
}

/* Marks a branch as done if everything below it is. */
static void judge(struct mz_trunk_worker *worker, struct mz_wakeup *branch)
{
	if (is_done_below(branch)) set_done(worker, branch);
}

/* Takes the leaf at the end of a path. */
static void claim(struct mz_trunk_worker *worker, const struct mz_trunk_path *path)
{
	struct mz_wakeup *leaf = end_of(worker->trunk, path);
	leaf->worker = worker->number;
	set_state(worker, leaf, MZ_TRUNK_TAKEN);
	worker->trunk->taken++;
}

static void set_taken(struct mz_trunk_worker *worker)
{
	claim(worker, &worker->path);
	worker->works = true;
	worker->executions = 0;
}

/* --- taking ------------------------------------------------------------------------------------------------------ */

/* Returns whether the branches after this one can only be taken later: its event has to sleep for them, and is not known
 * yet. */
static bool is_awaited(const struct mz_wakeup *branch)
{
	return branch->state == MZ_TRUNK_TAKEN && (mz_trunk_is_unknown(branch) || branch->event->guessed);
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
			if (!mz_trunk_path_push(path, branch->first)) return false;
		} else if (!go_on(worker, path, start)) {
			return false;
		}
	}
}

/* Extends a path to the first open leaf below its end, but not below `searched`, where there is none: to look there again from
 * each branch on the way up would take time with the square of the depth. Returns false if there is none, or no memory. */
static bool find_beside(struct mz_trunk_worker *worker, struct mz_trunk_path *path, const struct mz_wakeup *searched)
{
	const size_t depth = path->length;
	struct mz_wakeup *node = end_of(worker->trunk, path);
	if (node->state != MZ_TRUNK_OPEN) return false;
	for (struct mz_wakeup *branch = node->first; branch; branch = is_awaited(branch) ? NULL : branch->next) {
		if (branch == searched) continue;
		if (!mz_trunk_path_push(path, branch)) return false;
		if (find_below(worker, path)) return true;
		path->length = depth;
	}
	judge(worker, node);
	return false;
}

/* Takes the leaf at the end of that path, which is exchanged for the worker's own. */
static void take_found(struct mz_trunk_worker *worker, struct mz_trunk_path *found, size_t *common)
{
	const struct mz_trunk_path before = worker->path;
	for (*common = 0; *common < before.length && *common < found->length; ++*common)
		if (before.at[*common] != found->at[*common]) break;
	worker->path = *found;
	*found = before;
	set_taken(worker);
}

bool mz_trunk_take(struct mz_trunk_worker *worker, size_t *common)
{
	struct mz_trunk_path *path = &worker->path;
	if (__builtin_expect(worker->roam.find != NULL, 0) && worker->roam.find(worker, &worker->scratch)) {
		take_found(worker, &worker->scratch, common);
		return true;
	}
	*common = path->length;
	bool found = find_below(worker, path);
	while (!found && *common > 0) {
		const struct mz_wakeup *searched = path->at[--*common];
		path->length = *common;
		found = find_beside(worker, path, searched);
	}
	path->length = found ? path->length : *common;
	if (found) set_taken(worker);
	return found;
}

/* Moves a path from a leaf on to the next open leaf after it. Returns false if there is none, or no memory. */
static bool find_after(struct mz_trunk_worker *worker, struct mz_trunk_path *path)
{
	while (go_on(worker, path, 0))
		if (find_below(worker, path)) return true;
	return false;
}

/* Takes leaves after the one that the worker has just taken, as many as it may have. */
static void take_more(struct mz_trunk_worker *worker)
{
	struct mz_trunk_claims *claims = &worker->claims;
	struct mz_trunk_path *path = &worker->scratch;
	uint32_t size = claims->size;
	claims->taken.count = claims->next = 0;
	path->length = 0;
	for (size_t n = 0; n < worker->path.length; n++)
		if (!mz_trunk_path_push(path, worker->path.at[n])) return;
	while (claims->taken.count + 1 < size && find_after(worker, path)) {
		if (!paths_push(&claims->taken, path)) return;
		claim(worker, path);
	}
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
			branch = branch->state == MZ_TRUNK_RESERVED ? branch->next : branch->first;
			continue;
		}
		struct mz_wakeup *below = branch->first;
		branch->first = NULL;
		mz_wakeups_touch(&worker->wakeups, branch, sizeof *branch);
		mz_wakeups_free_tree(&worker->wakeups, below);
		branch = branch->next;
	}
}

/* Says that the leaf at the end of a path is done, when the worker had explored so much. The path gets as long as it can
 * be without leading into what is done, which may be cut down. */
static void finish(struct mz_trunk_worker *worker, struct mz_trunk_path *path, const struct mz_trunk_counts *counts)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_wakeup *leaf = end_of(trunk, path);
	MZ_REQUIRE(leaf->state == MZ_TRUNK_TAKEN);
	if (worker->settle) worker->settle(worker->self, leaf, counts);
	set_done(worker, leaf);
	if (worker->settled) worker->settled(worker->self);
	replace(worker, leaf, NULL);
	trunk->taken--;
	while (path->length && end_of(trunk, path)->state == MZ_TRUNK_DONE) {
		bool forgets = worker->forgets || end_of(trunk, path)->enclosed;
		if (forgets) replace(worker, end_of(trunk, path), NULL);
		path->length--;
		judge(worker, end_of(trunk, path));
	}
}

void mz_trunk_finish(struct mz_trunk_worker *worker)
{
	const struct mz_trunk_counts counts = mz_trunk_count(worker);
	finish(worker, &worker->path, &counts);
	worker->works = false;
	cut_down_first(worker);
}

static void set_root_state(struct mz_trunk *trunk, enum mz_trunk_state state)
{
	__atomic_store_n(&trunk->root.state, (uint8_t)state, __ATOMIC_RELEASE);
}

void mz_trunk_clear(struct mz_trunk *trunk)
{
	struct mz_wakeup *root = &trunk->root;
	set_root_state(trunk, MZ_TRUNK_OPEN);
	__atomic_store_n(&root->first, NULL, __ATOMIC_RELEASE);
	root->enclosed = root->overslept = root->dropped = root->refused = root->cheap = false;
	root->worker = root->begun = 0;
	trunk->taken = 0;
	trunk->wanted = 0;
	trunk->crowd = 0;
	trunk->extent = (struct mz_trunk_extent){0};
}

void mz_trunk_judge_root(struct mz_trunk *trunk)
{
	if (is_done_below(&trunk->root)) set_root_state(trunk, MZ_TRUNK_DONE);
}

bool mz_trunk_is_done(const struct mz_trunk *trunk)
{
	return __atomic_load_n(&trunk->root.state, __ATOMIC_ACQUIRE) == MZ_TRUNK_DONE;
}

void mz_trunk_conclude(struct mz_trunk_worker *worker)
{
	mz_trunk_lock(worker);
	if (!worker->outdated) {
		worker->trunk->root.refused |= worker->refused;
		set_root_state(worker->trunk, MZ_TRUNK_DONE);
	}
	mz_trunk_unlock(worker);
}

/* --- what a worker keeps to itself -------------------------------------------------------------------------------- */

void mz_trunk_forget(struct mz_trunk_worker *worker)
{
	worker->works = worker->outdated = false;
	worker->path.length = 0;
	worker->executions = 0;
	worker->claims.taken.count = worker->claims.next = worker->claims.explored.count = 0;
	mz_trunk_posts_clear(&worker->posts);
	worker->posts.nlate = 0;
}

/* Notes that the worker has explored its leaf. Returns false when there is no memory. */
static bool note_explored(struct mz_trunk_worker *worker)
{
	struct mz_trunk_claims *claims = &worker->claims;
	size_t n = claims->explored.count;
	if (!mz_array_reserve(&claims->counts, &claims->counts_capacity, n + 1)) return false;
	if (!paths_push(&claims->explored, &worker->path)) return false;
	claims->counts[n] = mz_trunk_count(worker);
	worker->works = false;
	return true;
}

/* Goes on to the next leaf that the worker has taken. Returns false if there is none, or no memory. */
static bool begin_claimed(struct mz_trunk_worker *worker, size_t *common)
{
	struct mz_trunk_claims *claims = &worker->claims;
	struct mz_trunk_path *path = &worker->path;
	if (claims->next == claims->taken.count) return false;
	size_t start = start_of(&claims->taken, claims->next), length = claims->taken.ends[claims->next] - start;
	if (!mz_array_reserve(&path->at, &path->capacity, length)) return false;
	*common = 0;
	while (*common < path->length && *common < length && path->at[*common] == claims->taken.at[start + *common])
		++*common;
	memcpy(path->at, claims->taken.at + start, length * sizeof *path->at);
	path->length = length;
	claims->next++;
	worker->works = true;
	return true;
}

/* Tells others, with the lock held, what the worker has kept to itself: first what it has for them, then what is done. */
static void tell(struct mz_trunk_worker *worker)
{
	struct mz_trunk_claims *claims = &worker->claims;
	struct mz_trunk_path *path = &worker->scratch, *own = &worker->path;
	if (worker->posts.count) worker->trunk->wanted = 0;
	if (!mz_trunk_posts_insert(&worker->posts, &worker->wakeups)) worker->failed = true;
	for (size_t n = 0; n < claims->explored.count && !worker->failed; n++) {
		path->length = 0;
		for (size_t k = start_of(&claims->explored, n); k < claims->explored.ends[n]; k++)
			if (!mz_trunk_path_push(path, claims->explored.at[k])) worker->failed = true;
		if (!worker->failed) finish(worker, path, &claims->counts[n]);
	}
	claims->explored.count = 0;
	if (!worker->works) worker->executions = 0;
	while (own->length && end_of(worker->trunk, own)->state == MZ_TRUNK_DONE) own->length--;
	cut_down_first(worker);
}

/* Gives back, with the lock held, the leaves that the worker has not begun. Returns whether there were any. */
static bool give_back(struct mz_trunk_worker *worker)
{
	struct mz_trunk_claims *claims = &worker->claims;
	bool any = claims->next < claims->taken.count;
	if (any) worker->trunk->wanted = 0;
	for (; claims->next < claims->taken.count; claims->next++) {
		set_state(worker, claims->taken.at[claims->taken.ends[claims->next] - 1], MZ_TRUNK_OPEN);
		worker->trunk->taken--;
	}
	claims->size = 1;
	return any;
}

bool mz_trunk_share(struct mz_trunk_worker *worker)
{
	bool any = worker->posts.count > 0;
	mz_trunk_lock(worker);
	if (!worker->outdated) {
		tell(worker);
		any |= give_back(worker);
	}
	mz_trunk_unlock(worker);
	return any;
}

/* Takes one leaf, or several if nobody else wants any. Returns false if there is none. */
static bool take_some(struct mz_trunk_worker *worker, size_t *common)
{
	struct mz_trunk_claims *claims = &worker->claims;
	if (worker->outdated || worker->failed || !mz_trunk_take(worker, common)) return false;
	claims->size = worker->trunk->wanted ? 1 : claims->size < CLAIMS_MOST / 2 ? 2 * claims->size + 1 : CLAIMS_MOST;
	if (worker->several) take_more(worker);
	return true;
}

bool mz_trunk_next(struct mz_trunk_worker *worker, size_t *common)
{
	if (worker->works && !note_explored(worker)) worker->failed = true;
	worker->executions++;
	mz_trunk_roam_count(&worker->roam);
	bool keeps = worker->several && !worker->trunk->wanted && !mz_trunk_is_impatient(worker);
	if (keeps && begin_claimed(worker, common)) return true;
	mz_trunk_lock(worker);
	if (!worker->outdated) tell(worker);
	if (!worker->outdated && begin_claimed(worker, common)) {
		give_back(worker);
		mz_trunk_unlock(worker);
		return true;
	}
	bool found = take_some(worker, common);
	while (!found && !worker->outdated && worker->wait && !worker->failed && !mz_trunk_is_done(worker->trunk)) {
		worker->trunk->wanted = 1;
		mz_trunk_unlock(worker);
		if (!worker->wait(worker->self)) return false;
		mz_trunk_lock(worker);
		found = take_some(worker, common);
	}
	mz_trunk_unlock(worker);
	return found;
}

void mz_trunk_leave(struct mz_trunk_worker *worker)
{
	if (worker->works && !note_explored(worker)) worker->failed = true;
	mz_trunk_share(worker);
}

bool mz_trunk_lose(struct mz_trunk_worker *worker, uint32_t number)
{
	struct mz_trunk *trunk = worker->trunk;
	struct mz_wakeup **left = NULL, *branch = &trunk->root;
	size_t nleft = 0, capacity = 0;
	for (; branch; branch = nleft ? left[--nleft] : NULL) {
		if (branch->state == MZ_TRUNK_TAKEN && branch->worker == number) {
			trunk->wanted = 0;
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
	return planned || mz_trunk_path_push(&worker->path, branch);
}

struct mz_wakeup *mz_trunk_add_branch(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft,
                                      const struct mz_event *event)
{
	return mz_wakeups_append(&worker->wakeups, tree_of(graft), event);
}

bool mz_trunk_add_reserved(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event)
{
	return mz_wakeups_append_as(&worker->wakeups, tree_of(graft), event, MZ_TRUNK_RESERVED) != NULL;
}

bool mz_trunk_go_below(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, struct mz_wakeup *branch)
{
	graft->end = branch;
	return mz_trunk_path_push(&worker->path, branch);
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
