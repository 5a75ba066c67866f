/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "script_executor.h"
#include <stdlib.h>

static void watch_begin(void *watcher)
{
	graph_clear(watcher);
}

static void watch_event(void *watcher, const struct mz_event *event)
{
	graph_event(watcher, event);
}

static void watch_edge(void *watcher, struct machine_edge edge)
{
	graph_edge(watcher, edge);
}

void harness_watch(struct script_executor *executor, struct graph *graph)
{
	executor->watcher = graph;
	executor->begin = watch_begin;
	executor->event = watch_event;
	executor->edge = watch_edge;
}

static void finish_execution(struct outcome *outcome, enum mz_end end, const struct script_executor *executor,
                             const struct graph *graph)
{
	if (executor->nsteps > outcome->longest) outcome->longest = executor->nsteps;
	outcome->deadlocks += end == MZ_END_DEADLOCK;
	outcome->cut += end == MZ_END_STEPS;
	if (executor->watcher && (end == MZ_END_DEADLOCK || end == MZ_END_FINISHED)) {
		graph_set_add(&outcome->graphs, graph->key);
	}
}

static void explore(struct mz_search *search, struct script_executor *executor, struct graph *graph,
                    const struct run_options *options, struct outcome *outcome)
{
	struct mz_step *schedule = malloc(executor->max_steps * sizeof *schedule);
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	struct mz_view view;
	uint32_t known;
	uint64_t runs = 0;
	while (schedule && mz_search_next(search, &known)) {
		enum mz_end end = script_executor_run(executor, schedule, known, &driver, &view);
		mz_search_end(search, &view, end == MZ_END_STEPS);
		finish_execution(outcome, end, executor, graph);
		if (++runs == options->max_executions) break;
		if (end == MZ_END_STOPPED || !options->look) continue;
		if (options->look(options->looker, &executor->machine, end)) break;
	}
	outcome->complete = !mz_search_failed(search) && runs != options->max_executions;
	free(schedule);
}

void run_search(const struct script *script, const struct run_options *options, struct outcome *outcome)
{
	const struct mz_strategy *strategy =
	    options->custom ? options->custom : mz_strategy_asked(options->strategy, options->published);
	struct mz_search_options search_options = {.strategy = strategy,
	                                           .count_traces = options->count_traces,
	                                           .count_local = options->count_local,
	                                           .no_sleep = options->no_sleep,
	                                           .no_opt = options->no_opt,
	                                           .order = options->order,
	                                           .bounded = options->bounded,
	                                           .preemptions = options->raised ? 0 : options->preemptions,
	                                           .prefixes = options->prefixes,
	                                           .max_memory = options->max_memory,
	                                           .fair = options->fair,
	                                           .yields = options->yields,
	                                           .delayed = options->delayed,
	                                           .delays = options->delays,
	                                           .switched = options->switched,
	                                           .switches = options->switches,
	                                           .max_depth = options->max_depth,
	                                           .seed = options->seed,
	                                           .depth = options->depth,
	                                           .max_executions = options->ends_after};
	struct mz_search *search = mz_search_new(&search_options);
	struct script_executor executor;
	struct graph graph;
	*outcome = (struct outcome){.failed = !search};
	if (!search) return;
	script_executor_init(&executor, script, options->max_steps ? options->max_steps : 10000);
	executor.whim = options->whim;
	executor.secretive = options->secretive;
	graph_init(&graph, script->nthreads);
	if (options->graphs) harness_watch(&executor, &graph);
	explore(search, &executor, &graph, options, outcome);
	for (uint32_t bound = 1; options->raised && bound <= options->preemptions; bound++) {
		outcome_release(outcome);
		*outcome = (struct outcome){0};
		if (mz_search_raise(search, bound)) explore(search, &executor, &graph, options, outcome);
	}
	outcome->counts = mz_search_counts(search);
	outcome->memory = mz_search_memory(search);
	outcome->failed = mz_search_failed(search);
	outcome->repeated = graph_set_sort(&outcome->graphs);
	mz_search_free(search);
	script_executor_release(&executor);
	graph_release(&graph);
}

void outcome_release(struct outcome *outcome)
{
	graph_set_release(&outcome->graphs);
}
