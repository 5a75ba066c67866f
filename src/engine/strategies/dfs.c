/* SPDX-License-Identifier: MIT
 *
 * dfs: every interleaving, once; the baseline that everything else is measured against. No reduction.
 *
 * With bounds, of any kind: every interleaving that is within them.
 *
 * At each depth, the threads that may go and were not tried yet are a set of bits on a stack; the alternatives of the
 * one that is being tried are counted up.
 *
 * Several workers can share the search. The first nodes are then in the trunk (trunk_sets.h), with all threads that may go
 * from there as branches: nothing is added later.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "engine/backtracking/trunk_roam.h"
#include "engine/backtracking/trunk_sets.h"
#include "engine/scheduling/alternatives.h"
#include "engine/scheduling/bound.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

struct dfs_node {
	uint32_t thread;
	struct mz_alternatives alternatives; /* of the thread, */
	uint32_t nth;                        /* and which of them comes next */
	uint32_t words;                      /* number of words of the node's set of untried threads */
	size_t first;                        /* index of the first of these words in `untried` */
};

struct dfs {
	struct mz_execution *x;
	bool started;
	struct mz_bounds bounds;
	uint64_t refused;
	struct dfs_node *nodes; /* by depth */
	size_t nnodes, nodes_capacity;
	uint64_t *untried; /* a stack: the sets of the nodes, one behind the other */
	size_t nwords, words_capacity;
	struct mz_trunk_worker *trunk; /* what is shared with other workers, or NULL */
	struct mz_trunk_history history;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dfs *dfs = self;
	dfs->x = x;
	dfs->trunk = options->trunk;
	if (dfs->trunk) dfs->trunk->forgets = true;
	mz_bounds_init(&dfs->bounds, x, options);
	return true;
}

static void release(void *self)
{
	struct dfs *dfs = self;
	mz_free(dfs->nodes);
	mz_free(dfs->untried);
	mz_bounds_release(&dfs->bounds);
	mz_trunk_history_release(&dfs->history);
}

static bool reserve(struct dfs *dfs, uint32_t words)
{
	bool reserved = mz_array_reserve(&dfs->nodes, &dfs->nodes_capacity, dfs->nnodes + 1) &&
	                mz_array_reserve(&dfs->untried, &dfs->words_capacity, dfs->nwords + words) &&
	                (!dfs->trunk || mz_trunk_history_note(&dfs->history, dfs->nnodes));
	if (!reserved) dfs->x->failed = true;
	return reserved;
}

/* Fills in the threads that may go from a new node. Returns false when there is no memory. */
static bool add_allowed(struct dfs *dfs, const struct dfs_node *node, const struct mz_view *view)
{
	uint64_t *set = dfs->untried + node->first;
	const uint64_t refused = dfs->refused;
	if (dfs->bounds.kinds && !mz_bounds_find_allowed(&dfs->bounds, view, set)) return false;
	bool branches = dfs->bounds.kinds && mz_view_branching(view) != MZ_NO_THREAD;
	uint32_t first = dfs->bounds.kinds ? MZ_NO_THREAD : mz_view_first(view);
	if (first != MZ_NO_THREAD) {
		set[first / 64] |= (uint64_t)1 << first % 64;
		return true;
	}
	for (uint32_t t = 0; t < view->nthreads && !branches; t++) {
		uint64_t bit = (uint64_t)1 << t % 64;
		if (!mz_enabled(view, t)) continue;
		if (!dfs->bounds.kinds)
			set[t / 64] |= bit;
		else if (!(set[t / 64] & bit))
			dfs->refused++;
	}
	return dfs->refused == refused || !dfs->trunk || mz_trunk_refuse(dfs->trunk, 0);
}

/* Takes the thread that is to go first out of a set. Returns it, or MZ_NO_THREAD. */
static uint32_t take_first(const struct dfs *dfs, const struct mz_view *view, uint64_t *set)
{
	struct mz_preference preference = mz_preference_start(dfs->x, view);
	uint32_t thread;
	while ((thread = mz_preference_next(&preference)) != MZ_NO_THREAD) {
		uint64_t bit = (uint64_t)1 << thread % 64;
		if (!(set[thread / 64] & bit)) continue;
		set[thread / 64] &= ~bit;
		break;
	}
	return thread;
}

static struct dfs_node *node_push(struct dfs *dfs, const struct mz_view *view)
{
	uint32_t words = (view->nthreads + 63) / 64;
	if (!reserve(dfs, words)) return NULL;
	struct dfs_node *node = &dfs->nodes[dfs->nnodes];
	*node = (struct dfs_node){.words = words, .first = dfs->nwords};
	for (uint32_t w = 0; w < words; w++) dfs->untried[node->first + w] = 0;
	if (!add_allowed(dfs, node, view)) {
		dfs->x->failed = true;
		return NULL;
	}
	node->thread = take_first(dfs, view, dfs->untried + node->first);
	dfs->nwords += words;
	dfs->nnodes++;
	return node;
}

/* Adds the other alternatives of a thread, whose branch stands for all of them, to the trunk, and takes the first. */
static uint32_t take_alternative(struct dfs *dfs, const struct mz_view *view, uint32_t thread)
{
	const struct mz_alternatives all = mz_alternatives_possible(view, thread);
	uint32_t depth = dfs->x->depth, first = mz_alternative(&all, 0);
	const struct mz_event own = mz_trunk_name(thread, first, true);
	bool right = true;
	for (uint32_t n = 1; n < all.count && right; n++) {
		const struct mz_event other = mz_trunk_name(thread, mz_alternative(&all, n), true);
		right = mz_trunk_add_name(dfs->trunk, depth, &other);
	}
	if (!right || (all.count > 1 && !mz_trunk_replace_name(dfs->trunk, depth, &own, false))) dfs->x->failed = true;
	return first;
}

/* Returns the step that the path in the trunk demands. */
static struct mz_step follow(struct dfs *dfs, const struct mz_view *view)
{
	uint64_t refused = dfs->refused;
	if (!node_push(dfs, view)) return (struct mz_step){MZ_NO_THREAD, 0};
	dfs->refused = refused; /* it was counted when the node was made for the first time */
	struct mz_event event = *mz_trunk_event(dfs->trunk, dfs->x->depth);
	if (event.choice == MZ_ANY_CHOICE) event.choice = take_alternative(dfs, view, event.thread);
	if (dfs->bounds.kinds) mz_bounds_take_step(&dfs->bounds, view, event.thread);
	return (struct mz_step){event.thread, event.choice};
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct dfs *dfs = self;
	uint32_t depth = dfs->x->depth;
	if (depth < mz_trunk_shared(dfs->trunk)) return follow(dfs, view);
	struct dfs_node *node = depth == dfs->nnodes ? node_push(dfs, view) : &dfs->nodes[depth];
	if (!node || node->thread == MZ_NO_THREAD) return (struct mz_step){MZ_NO_THREAD, 0};
	if (node->nth == 0) node->alternatives = mz_alternatives_possible(view, node->thread);
	if (dfs->bounds.kinds) mz_bounds_take_step(&dfs->bounds, view, node->thread);
	return (struct mz_step){node->thread, mz_alternative(&node->alternatives, node->nth)};
}

/* Makes the node's next alternative or thread the current one. Returns false if all were tried. */
static bool advance(struct dfs *dfs, struct dfs_node *node)
{
	if (node->nth + 1 < node->alternatives.count) {
		node->nth++;
		return true;
	}
	uint64_t *set = dfs->untried + node->first;
	for (uint32_t w = 0; w < node->words; w++) {
		if (!set[w]) continue;
		node->thread = 64 * w + (uint32_t)__builtin_ctzll(set[w]);
		node->nth = 0;
		set[w] &= set[w] - 1;
		return true;
	}
	return false;
}

/* --- sharing ------------------------------------------------------------------------------------------------------ */

static bool is_any_left(const struct dfs *dfs, const struct dfs_node *node)
{
	bool left = node->nth + 1 < node->alternatives.count;
	for (uint32_t w = 0; w < node->words && !left; w++) left = dfs->untried[node->first + w] != 0;
	return left;
}

static struct mz_wakeup *graft_branch(struct dfs *dfs, struct mz_trunk_graft *graft, uint32_t thread, uint32_t choice)
{
	const struct mz_event name = mz_trunk_name(thread, choice, true);
	return mz_trunk_add_branch(dfs->trunk, graft, &name);
}

/* Puts the threads that are still to be tried from a node into a graft. Returns false when there is no memory. */
static bool graft_untried(struct dfs *dfs, struct mz_trunk_graft *graft, const struct dfs_node *node)
{
	bool right = true;
	for (uint32_t thread = 0; thread < 64 * node->words; thread++) {
		if (!(dfs->untried[node->first + thread / 64] >> thread % 64 & 1)) continue;
		right &= graft_branch(dfs, graft, thread, MZ_ANY_CHOICE) != NULL;
	}
	return right;
}

/* Puts a node into a graft. The current step of the deepest node has not been made yet: if it is the first of its thread,
 * the alternatives are not known. Returns false when there is no memory. */
static bool graft_node(struct dfs *dfs, struct mz_trunk_graft *graft, size_t depth)
{
	const struct dfs_node *node = &dfs->nodes[depth];
	bool deepest = depth + 1 == dfs->nnodes, unmade = deepest && node->nth == 0;
	uint32_t choice = unmade ? MZ_ANY_CHOICE : mz_alternative(&node->alternatives, node->nth);
	struct mz_wakeup *step = graft_branch(dfs, graft, node->thread, choice);
	bool right = step != NULL;
	for (uint32_t n = node->nth + 1; n < node->alternatives.count && !unmade; n++)
		right &= graft_branch(dfs, graft, node->thread, mz_alternative(&node->alternatives, n)) != NULL;
	if (!right || !graft_untried(dfs, graft, node)) return false;
	return deepest || mz_trunk_go_below(dfs->trunk, graft, step);
}

/* Puts the nodes from the end of the trunk to `end` - 1 into the trunk. What was explored below the last step that leads
 * on does not count yet. */
static void graft(struct dfs *dfs, size_t end)
{
	struct mz_trunk_graft graft;
	bool goes_on = end < dfs->nnodes, right = true;
	const struct mz_trunk_counts counts = goes_on ? dfs->history.counts[end] : mz_trunk_count(dfs->trunk);
	mz_trunk_begin_graft(dfs->trunk, &graft);
	for (size_t depth = mz_trunk_shared(dfs->trunk); depth < end && right; depth++)
		right = graft_node(dfs, &graft, depth);
	if (right)
		mz_trunk_graft(dfs->trunk, &graft, goes_on, &counts);
	else
		dfs->x->failed = true;
}

/* Gives up a part of what this worker explores: the nodes down to the first with something left to try. */
static void shed(struct dfs *dfs)
{
	size_t first = mz_trunk_shared(dfs->trunk);
	while (first + 1 < dfs->nnodes && !is_any_left(dfs, &dfs->nodes[first])) first++;
	graft(dfs, first + 1);
}

/* Goes on to another leaf of the trunk. Returns false if there is none. */
static bool next_leaf(struct dfs *dfs, uint32_t *depth)
{
	size_t common = 0;
	bool found = mz_trunk_next(dfs->trunk, &common);
	dfs->nnodes = common;
	dfs->nwords = common ? dfs->nodes[common - 1].first + dfs->nodes[common - 1].words : 0;
	*depth = (uint32_t)common;
	return found;
}

/* --- the next execution ------------------------------------------------------------------------------------------- */

/* Goes back to the deepest node with something left to try, which becomes its current step. Returns false if there is none,
 * apart from the trunk. */
static bool go_back(struct dfs *dfs)
{
	for (; dfs->nnodes > mz_trunk_shared(dfs->trunk); dfs->nnodes--) {
		struct dfs_node *node = &dfs->nodes[dfs->nnodes - 1];
		dfs->nwords = node->first + node->words;
		if (advance(dfs, node)) return true;
	}
	return false;
}

static bool find_next(struct dfs *dfs, uint32_t *depth)
{
	bool first = !dfs->started;
	dfs->started = true;
	if (first || !go_back(dfs)) {
		*depth = 0;
		return dfs->trunk ? next_leaf(dfs, depth) : first;
	}
	*depth = (uint32_t)dfs->nnodes - 1;
	if (!dfs->trunk) return true;
	mz_trunk_roam_count(&dfs->trunk->roam);
	if (mz_trunk_is_to_move(dfs->trunk))
		graft(dfs, dfs->nnodes);
	else if (mz_trunk_is_to_graft(dfs->trunk))
		shed(dfs);
	return dfs->trunk->works || next_leaf(dfs, depth);
}

static bool next(void *self, uint32_t *depth)
{
	struct dfs *dfs = self;
	bool found = find_next(dfs, depth);
	if (dfs->trunk) dfs->history.before = mz_trunk_count(dfs->trunk);
	return found;
}

/* Gives up everything that this worker explores. */
static void leave(void *self)
{
	struct dfs *dfs = self;
	if (!dfs->trunk || !dfs->trunk->works) return;
	if (go_back(dfs))
		graft(dfs, dfs->nnodes);
	else
		mz_trunk_leave(dfs->trunk);
}

static uint64_t refused(const void *self)
{
	return ((const struct dfs *)self)->refused;
}

const struct mz_strategy mz_strategy_dfs = {
    .name = "dfs",
    .bounds = (1 << MZ_BOUND_COUNT) - 1,
    .shares = true,
    .bounds_shared = (1 << MZ_BOUND_COUNT) - 1,
    .size = sizeof(struct dfs),
    .init = init,
    .release = release,
    .choose = choose,
    .next = next,
    .leave = leave,
    .refused = refused,
};
