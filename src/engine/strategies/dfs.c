/* SPDX-License-Identifier: MIT
 *
 * dfs: every interleaving, once; the baseline that everything else is measured against. No reduction.
 *
 * With a bound on preemptions: every interleaving that has at most so many. A preemption is a switch away from a thread
 * that could have gone on.
 *
 * At each depth, the threads that were enabled and not tried yet are a set of bits on a stack; the alternatives of the
 * one that is being tried are counted up.
 */
#include "base/alloc.h"
#include "engine/preference.h"
#include "engine/strategy.h"

struct node {
	uint32_t thread;
	uint32_t choice;
	uint32_t alternatives;
	uint32_t preemptions; /* before it */
	uint32_t running;     /* who could go on without one, or MZ_NO_THREAD */
	uint32_t words;       /* how many hold its set */
	size_t first;         /* of them */
};

struct dfs {
	struct mz_execution *x;
	bool started;
	bool bounded;
	uint32_t bound;
	struct node *nodes; /* by depth */
	size_t nnodes, nodes_capacity;
	uint64_t *untried; /* stack of sets */
	size_t nwords, words_capacity;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct dfs *dfs = self;
	dfs->x = x;
	dfs->bounded = options->bounded;
	dfs->bound = options->preemptions;
	return true;
}

static void release(void *self)
{
	struct dfs *dfs = self;
	mz_free(dfs->nodes);
	mz_free(dfs->untried);
}

static bool reserve(struct dfs *dfs, uint32_t words)
{
	void *nodes = mz_grow(dfs->nodes, &dfs->nodes_capacity, dfs->nnodes + 1, sizeof *dfs->nodes);
	if (nodes) dfs->nodes = nodes;
	void *untried = mz_grow(dfs->untried, &dfs->words_capacity, dfs->nwords + words, sizeof *dfs->untried);
	if (untried) dfs->untried = untried;
	if (!nodes || !untried) dfs->x->failed = true;
	return nodes && untried;
}

/* How many preemptions there are on the way to the node below. */
static uint32_t spent(const struct node *node)
{
	return node->preemptions + (node->running != MZ_NO_THREAD && node->running != node->thread);
}

/* Whether all preemptions are used up: then nobody but the running thread may go. */
static bool is_bound(const struct dfs *dfs, const struct node *node)
{
	return dfs->bounded && node->running != MZ_NO_THREAD && node->preemptions >= dfs->bound;
}

static void add_enabled(struct dfs *dfs, const struct node *node, const struct mz_view *view)
{
	uint64_t *set = dfs->untried + node->first;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (t != node->thread && mz_enabled(view, t)) set[t / 64] |= (uint64_t)1 << t % 64;
	}
}

static struct node *node_push(struct dfs *dfs, const struct mz_view *view)
{
	uint32_t words = (view->nthreads + 63) / 64;
	if (!reserve(dfs, words)) return NULL;
	struct node *node = &dfs->nodes[dfs->nnodes++];
	struct mz_preference preference = mz_preference_start(dfs->x, view);
	bool can_go_on = view->current != MZ_NO_THREAD && mz_enabled(view, view->current);
	*node = (struct node){.thread = mz_preference_next(&preference),
	                      .preemptions = dfs->nnodes > 1 ? spent(node - 1) : 0,
	                      .running = can_go_on ? view->current : MZ_NO_THREAD,
	                      .words = words,
	                      .first = dfs->nwords};
	dfs->nwords += words;
	for (uint32_t w = 0; w < words; w++) dfs->untried[node->first + w] = 0;
	if (is_bound(dfs, node))
		node->thread = node->running;
	else
		add_enabled(dfs, node, view);
	return node;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct dfs *dfs = self;
	uint32_t depth = dfs->x->depth;
	struct node *node = depth == dfs->nnodes ? node_push(dfs, view) : &dfs->nodes[depth];
	if (!node || node->thread == MZ_NO_THREAD) return (struct mz_step){MZ_NO_THREAD, 0};
	node->alternatives = view->pending[node->thread].alternatives;
	return (struct mz_step){node->thread, node->choice};
}

/* Makes the node's next thread the current one; false if all were tried. */
static bool advance(struct dfs *dfs, struct node *node)
{
	if (node->choice + 1 < node->alternatives) {
		node->choice++;
		return true;
	}
	uint64_t *set = dfs->untried + node->first;
	for (uint32_t w = 0; w < node->words; w++) {
		if (!set[w]) continue;
		node->thread = 64 * w + (uint32_t)__builtin_ctzll(set[w]);
		node->choice = 0;
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
		struct node *node = &dfs->nodes[dfs->nnodes - 1];
		dfs->nwords = node->first + node->words;
		if (advance(dfs, node)) {
			*depth = (uint32_t)dfs->nnodes - 1;
			return true;
		}
		dfs->nnodes--;
	}
	return false;
}

const struct mz_strategy mz_strategy_dfs = {
    .name = "dfs",
    .bounds = true,
    .size = sizeof(struct dfs),
    .init = init,
    .release = release,
    .choose = choose,
    .next = next,
};
