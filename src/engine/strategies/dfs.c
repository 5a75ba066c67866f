/* SPDX-License-Identifier: MIT
 *
 * dfs: every interleaving, once; the baseline that everything else is measured against. No reduction.
 *
 * With bounds, of any kind: every interleaving that is within them.
 *
 * At each depth, the threads that may go and were not tried yet are a set of bits on a stack; the alternatives of the
 * one that is being tried are counted up.
 */
#include "base/alloc.h"
#include "base/array.h"
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
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dfs *dfs = self;
	dfs->x = x;
	mz_bounds_init(&dfs->bounds, x, options);
	return true;
}

static void release(void *self)
{
	struct dfs *dfs = self;
	mz_free(dfs->nodes);
	mz_free(dfs->untried);
	mz_bounds_release(&dfs->bounds);
}

static bool reserve(struct dfs *dfs, uint32_t words)
{
	bool reserved = mz_array_reserve(&dfs->nodes, &dfs->nodes_capacity, dfs->nnodes + 1) &&
	                mz_array_reserve(&dfs->untried, &dfs->words_capacity, dfs->nwords + words);
	if (!reserved) dfs->x->failed = true;
	return reserved;
}

/* Fills in the threads that may go from a new node. Returns false when there is no memory. */
static bool add_allowed(struct dfs *dfs, const struct dfs_node *node, const struct mz_view *view)
{
	uint64_t *set = dfs->untried + node->first;
	if (dfs->bounds.kinds && !mz_bounds_find_allowed(&dfs->bounds, view, set)) return false;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		uint64_t bit = (uint64_t)1 << t % 64;
		if (!mz_enabled(view, t)) continue;
		if (!dfs->bounds.kinds)
			set[t / 64] |= bit;
		else if (!(set[t / 64] & bit))
			dfs->refused++;
	}
	return true;
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

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct dfs *dfs = self;
	uint32_t depth = dfs->x->depth;
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

static bool next(void *self, uint32_t *depth)
{
	struct dfs *dfs = self;
	*depth = 0;
	if (!dfs->started) return dfs->started = true;
	while (dfs->nnodes) {
		struct dfs_node *node = &dfs->nodes[dfs->nnodes - 1];
		dfs->nwords = node->first + node->words;
		if (advance(dfs, node)) {
			*depth = (uint32_t)dfs->nnodes - 1;
			return true;
		}
		dfs->nnodes--;
	}
	return false;
}

static uint64_t refused(const void *self)
{
	return ((const struct dfs *)self)->refused;
}

const struct mz_strategy mz_strategy_dfs = {
    .name = "dfs",
    .bounds = MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR | MZ_BOUND_DELAYS | MZ_BOUND_DEPTH,
    .size = sizeof(struct dfs),
    .init = init,
    .release = release,
    .choose = choose,
    .next = next,
    .refused = refused,
};
