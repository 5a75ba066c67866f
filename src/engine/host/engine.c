/* SPDX-License-Identifier: MIT
 *
 * Engines for hosts are made from options, freed, and asked what they know.
 */
#include "base/alloc.h"
#include "engine/host/host.h"
#include <stdio.h>

/* ---- making and freeing ---- */

static bool choose_options(const mz_engine_options *given, struct mz_search_options *options, char *error, size_t size)
{
	const char *strategy = given->strategy ? given->strategy : "optimal",
	           *order = given->order ? given->order : "dfs";
	*options = (struct mz_search_options){.strategy = mz_strategy_asked(strategy, given->as_published),
	                                      .count_traces = given->count_traces,
	                                      .untold = true,
	                                      .no_sleep = given->no_sleep,
	                                      .order = mz_order_find(order),
	                                      .bounded = given->bounded,
	                                      .preemptions = given->preemptions,
	                                      .fair = given->fair,
	                                      .yields = given->yields,
	                                      .delayed = given->delayed,
	                                      .delays = given->delays,
	                                      .max_depth = given->max_depth,
	                                      .seed = given->seed ? given->seed : 1,
	                                      .depth = given->depth ? given->depth : 3,
	                                      .max_memory = given->max_memory,
	                                      .max_executions = given->max_executions};
	if (given->iterate) {
		options->bounded = true;
		options->preemptions = 0;
	}
	if (!mz_strategy_find(strategy))
		snprintf(error, size, "there is no strategy '%s'", strategy);
	else if (!options->strategy)
		snprintf(error, size, "the strategy '%s' has no published form that differs from it", strategy);
	else if (mz_strategy_stateful(options->strategy))
		snprintf(error, size, "the strategy '%s' goes back to states: not for hosts", strategy);
	else if (options->order >= MZ_ORDER_INTERLEAVED) /* which needs a trunk: hosts share none */
		snprintf(error, size, "there is no order '%s'", order);
	else if (given->threads > MZ_HOST_THREADS_MAX)
		snprintf(error, size, "%u threads are too many", given->threads);
	else if (!mz_strategy_method(options->strategy, mz_bounds_given(options)))
		snprintf(error, size, "the strategy '%s' cannot be bounded%s", strategy,
		         mz_strategy_bounds(options->strategy) ? " in this way" : "");
	else if (mz_strategy_foresees(mz_strategy_method(options->strategy, mz_bounds_given(options))))
		snprintf(error, size, "the strategy '%s' has to know what threads are about to do: not for hosts",
		         mz_strategy_name_of(mz_strategy_method(options->strategy, mz_bounds_given(options))));
	else if (mz_strategy_samples(options->strategy) && !given->max_executions)
		snprintf(error, size, "the strategy '%s' never ends: set max_executions", strategy);
	else
		return true;
	return false;
}

MZ_API mz_engine *mz_engine_new(const mz_engine_options *given, char *error, size_t size)
{
	static const mz_engine_options defaults;
	struct mz_search_options options = {0};
	char unwanted[1];
	if (!error) {
		error = unwanted;
		size = sizeof unwanted;
	}
	if (!given) given = &defaults;
	if (!choose_options(given, &options, error, size)) return NULL;
	mz_engine *engine = mz_alloc(sizeof *engine);
	if (engine)
		*engine = (mz_engine){.state = STATE_NEW, .first_execution = true, .step = {.thread = MZ_NO_THREAD}};
	if (engine) engine->search = mz_search_new(&options);
	if (!engine || !engine->search) {
		snprintf(error, size, "out of memory");
		mz_engine_free(engine);
		return NULL;
	}
	engine->first_threads = given->threads ? given->threads : 1;
	engine->max_steps = given->max_steps ? given->max_steps : 100000;
	engine->max_executions = given->max_executions;
	engine->tries_locks = given->tries_locks;
	engine->samples = mz_strategy_samples(options.strategy);
	engine->never_redundant =
	    mz_strategy_never_redundant(mz_strategy_method(options.strategy, mz_bounds_given(&options)));
	engine->bounded = options.bounded;
	engine->may_miss = mz_strategy_may_miss(mz_strategy_method(options.strategy, mz_bounds_given(&options)),
	                                        mz_bounds_given(&options), !given->no_sleep);
	engine->iterates = given->iterate;
	engine->bound = options.preemptions;
	engine->last_bound = given->bounded ? given->preemptions : UINT32_MAX;
	mz_host_catch_bugs();
	return engine;
}

MZ_API void mz_engine_free(mz_engine *engine)
{
	if (!engine) return;
	mz_search_free(engine->search);
	mz_free(engine->accesses);
	mz_free(engine->edges);
	mz_free(engine->threads);
	mz_free(engine->pending);
	mz_free(engine->past);
	mz_free(engine->schedule);
	mz_free(engine->objects);
	for (int kind = 0; kind < KIND_COUNT; kind++) mz_table_release(&engine->numbers[kind]);
	mz_free(engine->everything);
	mz_table_release(&engine->known_objects);
	mz_free(engine);
}

/* ---- what is known ---- */

MZ_API mz_engine_counts mz_engine_count(const mz_engine *engine)
{
	if (!engine) return (mz_engine_counts){0};
	struct mz_search_counts counts = mz_search_counts(engine->search);
	return (mz_engine_counts){.executions = counts.executions,
	                          .redundant = counts.redundant,
	                          .traces = counts.traces,
	                          .steps = counts.steps,
	                          .futile = counts.futile,
	                          .abandoned = counts.dropped,
	                          .graph_bytes = mz_search_memory(engine->search).bytes};
}

MZ_API int mz_engine_complete(const mz_engine *engine)
{
	return engine && engine->complete && !engine->failed;
}

MZ_API const char *mz_engine_error(const mz_engine *engine)
{
	if (!engine) return "there is no engine";
	return engine->failed ? engine->error : NULL;
}

MZ_API const uint32_t *mz_engine_trace(const mz_engine *engine, uint32_t *length)
{
	static const uint32_t none[1];
	uint32_t steps = engine ? engine->nsteps + (engine->step.thread != MZ_NO_THREAD) : 0;
	if (length) *length = steps;
	return steps ? engine->schedule : none;
}

MZ_API int mz_engine_aborted(const mz_engine *engine)
{
	return engine && (engine->failed || (engine->state != STATE_RUNNING && engine->cut));
}

MZ_API uint32_t mz_engine_depth(const mz_engine *engine)
{
	if (!engine) return 0;
	uint32_t steps = engine->nsteps + (engine->step.thread != MZ_NO_THREAD);
	return engine->state == STATE_READY || steps < engine->known ? engine->known : steps;
}

MZ_API uint32_t mz_engine_threads(const mz_engine *engine)
{
	if (!engine) return 0;
	return engine->nthreads > engine->first_threads ? (uint32_t)engine->nthreads : engine->first_threads;
}

MZ_API uint32_t mz_engine_bound(const mz_engine *engine)
{
	return engine && engine->bounded ? engine->bound : MZ_ENGINE_NO_BOUND;
}

MZ_API const char *mz_engine_incomplete(const mz_engine *engine)
{
	if (!engine || engine->failed) return mz_engine_error(engine);
	if (engine->complete) return NULL;
	if (engine->full) return "the limit on memory was reached";
	if (engine->enough || engine->samples) return "as many executions were run as were asked for";
	if (engine->state != STATE_FINISHED) return "there is more to explore";
	if (engine->limited) return "an execution had more steps than max_steps";
	if (engine->may_miss) return "published form: not exhaustive";
	return "executions were abandoned";
}
