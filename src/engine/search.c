/* SPDX-License-Identifier: MIT
 *
 * What all strategies have in common: the books (execution, counters, graphs) and the order of calls.
 */
#include "engine/search.h"
#include "base/alloc.h"
#include "base/bug.h"
#include "engine/backtracking/trunk_roam.h"
#include "engine/graphs/graph.h"
#include "engine/strategy.h"
#include <string.h>

struct mz_search {
	const struct mz_strategy *strategy;
	struct mz_search_options options;
	void *state;
	bool count_traces; /* or local states */
	bool started;
	bool stopped;                  /* the strategy ended the execution under way */
	bool abandoned;                /* the program contradicted what was seen of it: nothing is left to explore */
	struct mz_trunk *own;          /* a trunk that nobody shares, where the order needs one, */
	struct mz_trunk_worker worker; /* and the worker there */
	const struct mz_view *view;    /* the last one that was chosen from */
	struct mz_execution execution;
	struct mz_graphs graphs;
	struct mz_search_counts counts;
};

/* Gives the search a trunk if the order needs one. Returns false when there is no memory. */
static bool plant(struct mz_search *search)
{
	struct mz_search_options *options = &search->options;
	const struct mz_strategy *strategy = search->strategy;
	bool roams = options->order == MZ_ORDER_INTERLEAVED && !options->untold && !strategy->samples &&
	             !strategy->shares_graphs && mz_strategy_shares(strategy, mz_bounds_given(options));
	if (!roams) return true;
	if (!options->trunk) {
		if (!search->own) search->own = mz_alloc(sizeof *search->own);
		if (!search->own) return false;
		*search->own = (struct mz_trunk){.spins = search->worker.spins};
		mz_trunk_worker_release(&search->worker);
		search->worker.trunk = search->own;
		options->trunk = &search->worker;
	}
	mz_trunk_roam(options->trunk, options->seed);
	return true;
}

static bool search_init(struct mz_search *search, const struct mz_search_options *options)
{
	const struct mz_strategy *strategy = mz_strategy_method(options->strategy, mz_bounds_given(options));
	if (!strategy || strategy->stateful) return false;
	search->strategy = strategy;
	search->options = *options;
	search->count_traces = options->count_traces || options->count_local;
	search->graphs.count_local = options->count_local;
	mz_execution_init(&search->execution, strategy->ordered || search->count_traces);
	search->state = mz_alloc(strategy->size);
	if (!search->state) return false;
	memset(search->state, 0, strategy->size);
	if (!plant(search)) return false;
	return strategy->init(search->state, &search->execution, &search->options);
}

struct mz_search *mz_search_new(const struct mz_search_options *options)
{
	struct mz_search *search = mz_alloc(sizeof *search);
	if (!search) return NULL;
	*search = (struct mz_search){0};
	if (search_init(search, options)) return search;
	mz_search_free(search);
	return NULL;
}

void mz_search_free(struct mz_search *search)
{
	if (!search) return;
	if (search->state && search->strategy->release) search->strategy->release(search->state);
	mz_free(search->state);
	mz_execution_release(&search->execution);
	mz_graphs_release(&search->graphs);
	mz_trunk_worker_release(&search->worker);
	mz_free(search->own);
	mz_free(search);
}

static bool start_over(struct mz_search *search)
{
	const struct mz_strategy *strategy = search->strategy;
	if (strategy->raise) {
		strategy->raise(search->state, search->options.preemptions);
		return !search->execution.failed;
	}
	if (strategy->release) strategy->release(search->state);
	memset(search->state, 0, strategy->size);
	if (search->own) search->options.trunk = NULL;
	if (!plant(search)) return false;
	return strategy->init(search->state, &search->execution, &search->options);
}

bool mz_search_raise(struct mz_search *search, uint32_t preemptions)
{
	if (search->execution.failed) return false;
	search->options.preemptions = preemptions;
	search->counts = (struct mz_search_counts){0};
	search->started = false;
	mz_graphs_release(&search->graphs);
	mz_execution_rewind(&search->execution, 0);
	bool right = start_over(search);
	if (!right) search->execution.failed = true;
	return right;
}

/* Begins anew if the strategy has learned something for which all who share its trunk have to, and nobody does. */
static bool begin_anew(struct mz_search *search, uint32_t *known)
{
	if (!search->own || !search->worker.outdated) return false;
	mz_execution_rewind(&search->execution, 0);
	search->started = false;
	if (!start_over(search)) search->execution.failed = true;
	return !search->execution.failed && search->strategy->next(search->state, known);
}

bool mz_search_next(struct mz_search *search, uint32_t *known)
{
	*known = 0;
	bool over = search->execution.failed || search->abandoned;
	if (over || (!search->strategy->next(search->state, known) && !begin_anew(search, known))) return false;
	if (search->execution.failed) return false;
	MZ_REQUIRE(search->started || *known == 0);
	MZ_REQUIRE(*known <= search->execution.depth);
	mz_execution_rewind(&search->execution, *known);
	search->started = true;
	search->stopped = false;
	return true;
}

struct mz_step mz_search_choose(void *self, const struct mz_view *view)
{
	struct mz_search *search = self;
	struct mz_step step = {MZ_NO_THREAD, 0};
	search->view = view;
	if (!search->execution.failed) step = search->strategy->choose(search->state, view);
	if (search->execution.failed) step.thread = MZ_NO_THREAD;
	if (step.thread == MZ_NO_THREAD) search->stopped = true;
	return step;
}

void mz_search_observe(void *self, const struct mz_event *event)
{
	struct mz_search *search = self;
	mz_execution_observe(&search->execution, event);
	if (search->execution.failed) return;
	search->counts.steps++;
	if (search->count_traces && !mz_graphs_observe(&search->graphs, &search->execution)) {
		search->execution.failed = true;
		return;
	}
	struct mz_trunk_worker *trunk = search->options.trunk;
	if (trunk && trunk->roam.find && !mz_trunk_roam_note(&trunk->roam, event, search->view))
		search->execution.failed = true;
	if (search->strategy->observe) search->strategy->observe(search->state);
}

void mz_search_order(void *self, uint32_t before, uint32_t after)
{
	struct mz_search *search = self;
	mz_execution_order(&search->execution, before, after);
	if (search->strategy->order && !search->execution.failed) search->strategy->order(search->state, before, after);
}

void mz_search_note_waker(struct mz_search *search, uint32_t event, uint32_t since, const struct mz_event *second)
{
	mz_execution_note_waker(&search->execution, event, since, second);
	if (search->strategy->note_waker && !search->execution.failed)
		search->strategy->note_waker(search->state, event, since, second);
}

const struct mz_event *mz_search_demanded(const struct mz_search *search)
{
	return search->strategy->demanded ? search->strategy->demanded(search->state) : NULL;
}

/* Returns whether the execution counts for nothing. There are no such executions where threads tell what they wait
 * for. */
static bool is_futile(struct mz_search *search, bool stopped)
{
	return search->options.untold && search->strategy->futile && search->strategy->futile(search->state, stopped);
}

bool mz_search_probes(struct mz_search *search)
{
	return is_futile(search, false);
}

/* Counts the graph of the execution, unless workers do that together. Returns false when there is no memory. */
static bool count_graph(struct mz_search *search)
{
	const struct mz_trunk_worker *trunk = search->options.trunk;
	bool added;
	if (!mz_graphs_count(&search->graphs, &search->execution, &added)) return false;
	if (trunk && trunk->note_graph)
		return !added || trunk->note_graph(trunk->self, mz_graphs_hash(&search->graphs, &search->execution));
	search->counts.traces = mz_keyset_count(&search->graphs.seen);
	return true;
}

static void count_execution(struct mz_search *search, bool cut)
{
	bool futile = is_futile(search, search->stopped);
	bool repeated = !search->stopped && !futile && search->strategy->is_repeated &&
	                search->strategy->is_repeated(search->state);
	if (search->stopped || futile || repeated) {
		search->counts.futile += futile;
		search->counts.redundant += !futile;
		return;
	}
	search->counts.executions++;
	if (search->options.count_traces && !cut && !count_graph(search)) search->execution.failed = true;
}

void mz_search_end(struct mz_search *search, const struct mz_view *view, bool cut)
{
	if (search->execution.failed) return;
#ifdef MZ_CHECKS
	/* the check is quadratic: it is left out for long executions, and after a number of them */
	if (search->execution.depth < 200 && search->counts.executions < 5000) mz_execution_check(&search->execution);
#endif
	count_execution(search, cut);
	if (search->strategy->end) search->strategy->end(search->state, view, cut || search->stopped);
}

void mz_search_drop(struct mz_search *search, const struct mz_view *view, bool cut)
{
	if (search->execution.failed) return;
	search->counts.dropped += !cut;
	if (search->strategy->end) search->strategy->end(search->state, view, cut);
}

void mz_search_leave(struct mz_search *search)
{
	bool left = search->execution.failed || search->abandoned || !search->started;
	if (!left && search->strategy->leave) search->strategy->leave(search->state);
	search->abandoned = true;
}

void mz_search_abandon(struct mz_search *search)
{
	search->counts.executions++;
	search->abandoned = true;
}

void mz_search_cheapen(struct mz_search *search, struct mz_step *steps, uint32_t n)
{
	bool known = !search->execution.failed && n && n <= search->execution.depth;
	if (known && search->strategy->cheapen) search->strategy->cheapen(search->state, steps, n);
}

struct mz_search_counts mz_search_counts(const struct mz_search *search)
{
	struct mz_search_counts counts = search->counts;
	counts.local_states = mz_keyset_count(&search->graphs.local);
	if (search->strategy->refused) counts.refused = search->strategy->refused(search->state);
	return counts;
}

bool mz_search_failed(const struct mz_search *search)
{
	return search->execution.failed;
}

struct mz_search_memory mz_search_memory(const struct mz_search *search)
{
	return search->strategy->memory ? search->strategy->memory(search->state) : (struct mz_search_memory){0};
}

double mz_search_promise(const struct mz_search *search)
{
	return search->strategy->promise ? search->strategy->promise(search->state) : 0;
}
