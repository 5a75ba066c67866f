/* SPDX-License-Identifier: MIT */
#include "cli/configure.h"
#include "cli/say.h"
#include "engine/search.h"
#include "trace/fault.h"
#include <errno.h>
#include <string.h>

/* So many executions, if neither their number nor the time is limited, of a strategy that never is complete. */
#define SAMPLES_DEFAULT 10000

bool mz_run_samples(const struct mz_run_options *options)
{
	return mz_strategy_samples(mz_strategy_find(options->strategy));
}

const char *mz_run_points(const struct mz_run_options *options)
{
	if (options->points) return options->points;
	return mz_strategy_stateful(mz_strategy_find(options->strategy)) ? "all" : "sync";
}

bool mz_run_reports_endless(const struct mz_run_options *options)
{
	return options->fair != UINT64_MAX || mz_strategy_stateful(mz_strategy_find(options->strategy));
}

static uint32_t checkpoints_of(const struct mz_run_options *options)
{
	if (options->no_checkpoints || strcmp(options->checkpoints, "never") == 0) return MZ_CHECKPOINTS_NEVER;
	return strcmp(options->checkpoints, "always") == 0 ? MZ_CHECKPOINTS_ALWAYS : MZ_CHECKPOINTS_AUTO;
}

/* The names of the strategies that can honour a bound. */
static void list_bounded(unsigned bound, char *text, size_t size)
{
	size_t used = 0;
	*text = 0;
	for (size_t n = 0; mz_strategy_name(n) && used < size; n++) {
		if (!mz_strategy_method(mz_strategy_find(mz_strategy_name(n)), bound)) continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", mz_strategy_name(n));
	}
}

/* What only a search of states has, and what it does not have. */
static int check_states(const struct mz_run_options *options, const struct mz_strategy *strategy)
{
	const struct {
		const char *name;
		bool given;
		bool of_states;
	} asked[] = {
	    {"--jobs", options->jobs > 1, true},
	    {"--exact-states", options->exact_states, true},
	    {"--count-traces", options->count_traces, false},
	    {"--max-executions", options->max_executions != 0, false},
	    {"--isolation process", strcmp(options->isolation, "process") == 0, false},
	    {"--leaks", options->leaks, false},
	    {"--thread-leaks", options->thread_leaks, false},
	};
	bool stateful = mz_strategy_stateful(strategy);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		if (!asked[i].given || asked[i].of_states == stateful) continue;
		return mz_refuse(stateful ? "the strategy %s cannot honour %s: it has states, not executions"
		                          : "the strategy %s cannot honour %s: only one that searches states can",
		                 options->strategy, asked[i].name);
	}
	return 0;
}

/* Whether the strategy can do what is asked of it. */
static int check_strategy(const struct mz_run_options *options)
{
	const struct {
		const char *name;
		unsigned bound;
		bool given;
	} bounds[] = {
	    {"--preemptions", MZ_BOUND_PREEMPTIONS, options->preemptions != UINT64_MAX},
	    {"--iterate", MZ_BOUND_PREEMPTIONS, options->iterate},
	    {"--fair", MZ_BOUND_FAIR, options->fair != UINT64_MAX},
	    {"--delays", MZ_BOUND_DELAYS, options->delays != UINT64_MAX},
	    {"--max-depth", MZ_BOUND_DEPTH, options->max_depth != 0},
	};
	const struct mz_strategy *strategy = mz_strategy_find(options->strategy);
	unsigned given = 0;
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		char names[256];
		if (!bounds[i].given) continue;
		given |= bounds[i].bound;
		if (mz_strategy_method(strategy, given)) continue;
		list_bounded(bounds[i].bound, names, sizeof names);
		return mz_refuse("the strategy %s cannot honour %s: these can: %s", options->strategy, bounds[i].name,
		                 names);
	}
	for (size_t i = 0; mz_opt_name(i); i++)
		if (options->no_opt & ~mz_strategy_opts(strategy) & 1u << i)
			return mz_refuse("the strategy %s has no optimisation '%s' to do without", options->strategy,
			                 mz_opt_name(i));
	return check_states(options, strategy);
}

int mz_configure(struct mz_session_memory *memory, const struct mz_run_options *options)
{
	int failed = check_strategy(options);
	if (failed) return failed;
	if (mz_session_open(memory, (uint32_t)options->max_steps, MZ_MODE_EXPLORE) != 0)
		return mz_refuse("no memory for executions of %lu steps (--max-steps): %s",
		                 (unsigned long)options->max_steps, strerror(errno));
	struct mz_session *session = memory->session;
	snprintf(session->strategy, sizeof session->strategy, "%s", options->strategy);
	session->points = strcmp(mz_run_points(options), "all") == 0 ? MZ_POINTS_ALL : MZ_POINTS_SYNC;
	session->checkpoints = checkpoints_of(options);
	session->races = !options->no_races;
	session->volatile_atomic = strcmp(options->volatiles, "atomic") == 0;
	session->no_spin = options->no_spin;
	session->isolated = strcmp(options->isolation, "process") == 0;
	if (session->isolated) session->checkpoints = MZ_CHECKPOINTS_NEVER;
	session->reuse = strcmp(options->heap, "reuse") == 0;
	session->leaks = options->leaks;
	session->thread_leaks = options->thread_leaks;
	if (options->fail) mz_faults_parse(options->fail, &session->faults);
	session->max_faults = (uint32_t)options->max_faults;
	session->keep_going = options->keep_going;
	session->count_traces = options->count_traces;
	session->max_executions = options->max_executions;
	if (mz_run_samples(options) && !options->max_executions && options->timeout == 0)
		session->max_executions = SAMPLES_DEFAULT;
	session->no_sleep = options->no_sleep;
	session->bounded = options->preemptions != UINT64_MAX;
	session->preemptions = (uint32_t)options->preemptions;
	session->livelocks = mz_run_reports_endless(options);
	session->fair = options->fair != UINT64_MAX;
	session->yields = (uint32_t)options->fair;
	session->delayed = options->delays != UINT64_MAX;
	session->delays = (uint32_t)options->delays;
	session->max_depth = (uint32_t)options->max_depth;
	session->no_opt = options->no_opt;
	session->iterate = options->iterate;
	session->prefixes = options->prefixes;
	session->max_memory = options->max_memory;
	session->exact_states = options->exact_states;
	session->order = mz_order_find(options->order);
	session->seed = options->seed;
	session->depth = (uint32_t)options->depth;
	return 0;
}
