/* SPDX-License-Identifier: MIT
 *
 * States are told apart by whether a goal can be reached from them. Goals are followed backwards: through origins, of
 * which every state but the first has one, and through links, which are put into a list for each state that they lead
 * to.
 */
#include "engine/stateful/endless.h"
#include "base/alloc.h"
#include "base/array.h"

#define NONE UINT32_MAX
#define THREADS 64 /* how many threads a prospect tells of */

struct graph {
	const struct mz_frontier *frontier;
	uint32_t nstates;
	uint32_t *last;     /* by state: the last link that leads to it, or NONE */
	uint32_t *previous; /* by link: the link before it that leads to the same state, or NONE */
	size_t previous_capacity;
	uint32_t *todo; /* states that reach a goal, and whose predecessors have not been looked at yet */
	uint32_t ntodo;
	bool *reaches; /* by state: whether a goal can be reached from it */
};

static struct mz_prospect prospect(const struct graph *g, uint32_t state)
{
	return g->frontier->prospect(g->frontier->self, state);
}

static bool make_lists(struct graph *g)
{
	struct mz_state_link link;
	for (uint32_t state = 0; state < g->nstates; state++) g->last[state] = NONE;
	for (uint32_t n = 0; g->frontier->link(g->frontier->self, n, &link); n++) {
		if (!mz_array_reserve(&g->previous, &g->previous_capacity, (size_t)n + 1)) return false;
		g->previous[n] = g->last[link.to];
		g->last[link.to] = n;
	}
	return true;
}

/* ---- goals ---- */

static void mark(struct graph *g, uint32_t state)
{
	if (g->reaches[state]) return;
	g->reaches[state] = true;
	g->todo[g->ntodo++] = state;
}

static void mark_predecessors(struct graph *g, uint32_t state)
{
	const struct mz_frontier *frontier = g->frontier;
	struct mz_state_link link;
	uint32_t parent = frontier->origin(frontier->self, state).parent;
	if (parent != MZ_NO_STATE) mark(g, parent);
	for (uint32_t n = g->last[state]; n != NONE; n = g->previous[n])
		if (frontier->link(frontier->self, n, &link)) mark(g, link.from);
}

/* Returns the first state that reaches no goal, or MZ_NO_STATE. */
static uint32_t first_without(struct graph *g, bool (*is_goal)(struct mz_prospect prospect, uint32_t thread),
                              uint32_t thread)
{
	for (uint32_t state = 0; state < g->nstates; state++) g->reaches[state] = false;
	for (uint32_t state = 0; state < g->nstates; state++)
		if (is_goal(prospect(g, state), thread)) mark(g, state);
	while (g->ntodo) mark_predecessors(g, g->todo[--g->ntodo]);
	uint32_t state = 0;
	while (state < g->nstates && g->reaches[state]) state++;
	return state < g->nstates ? state : MZ_NO_STATE;
}

static bool may_end(struct mz_prospect prospect, uint32_t thread)
{
	(void)thread;
	return prospect.ends || prospect.is_open;
}

static bool does_more_than_look(struct mz_prospect prospect, uint32_t thread)
{
	return prospect.is_open || !(prospect.looks >> thread & 1);
}

/* ---- programs ---- */

static void find_looking(struct graph *g, uint64_t looking, struct mz_endless *endless)
{
	for (uint32_t thread = 0; thread < THREADS && endless->how != MZ_ENDLESS_LOOKS; thread++) {
		if (!(looking >> thread & 1)) continue;
		endless->thread = thread;
		endless->state = first_without(g, does_more_than_look, thread);
		if (endless->state != MZ_NO_STATE) endless->how = MZ_ENDLESS_LOOKS;
	}
}

static void find(struct graph *g, struct mz_endless *endless)
{
	struct mz_prospect any = {0};
	for (uint32_t state = 0; state < g->nstates; state++) {
		struct mz_prospect one = prospect(g, state);
		any.ends |= one.ends;
		any.is_open |= one.is_open;
		any.looks |= one.looks;
	}
	endless->how = any.ends || any.is_open ? MZ_ENDLESS_NOT : MZ_ENDLESS_EVER;
	if (!any.ends) {
		find_looking(g, any.looks, endless);
		return;
	}
	endless->state = first_without(g, may_end, 0);
	if (endless->state != MZ_NO_STATE) endless->how = MZ_ENDLESS_STUCK;
}

bool mz_endless_find(const struct mz_frontier *frontier, struct mz_endless *endless)
{
	uint32_t n = frontier->count(frontier->self);
	struct graph g = {.frontier = frontier, .nstates = n};
	*endless = (struct mz_endless){.how = MZ_ENDLESS_NOT, .state = MZ_NO_STATE};
	g.last = mz_alloc(n * sizeof *g.last);
	g.todo = mz_alloc(n * sizeof *g.todo);
	g.reaches = mz_alloc(n * sizeof *g.reaches);
	bool good = g.last && g.todo && g.reaches && make_lists(&g);
	if (good) find(&g, endless);
	mz_free(g.last);
	mz_free(g.previous);
	mz_free(g.todo);
	mz_free(g.reaches);
	return good;
}
