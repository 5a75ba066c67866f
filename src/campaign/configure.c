/* SPDX-License-Identifier: MIT */
#include "campaign/configure.h"
#include "engine/search.h"
#include "report/say.h"
#include "session/session.h"
#include "trace/fault.h"
#include <sched.h>
#include <stdio.h>

bool mz_configuration_is_stateful(const struct mz_configuration *asked)
{
	return mz_strategy_stateful(mz_strategy_find(asked->strategy));
}

/* Returns the strategy that was asked for, in the form that was asked for. */
static const struct mz_strategy *asked_strategy(const struct mz_configuration *asked)
{
	return mz_strategy_asked(asked->strategy, asked->as_published);
}

bool mz_configuration_samples(const struct mz_configuration *asked)
{
	return mz_strategy_samples(asked_strategy(asked));
}

unsigned mz_configuration_bounds(const struct mz_configuration *asked)
{
	unsigned bounds = asked->preemptions != MZ_ANY || asked->iterate ? MZ_BOUND_PREEMPTIONS : 0;
	if (asked->fair != MZ_ANY) bounds |= MZ_BOUND_FAIR;
	if (asked->delays != MZ_ANY) bounds |= MZ_BOUND_DELAYS;
	if (asked->max_depth) bounds |= MZ_BOUND_DEPTH;
	if (asked->switches != MZ_ANY) bounds |= MZ_BOUND_SWITCHES;
	return bounds;
}

bool mz_configuration_may_miss(const struct mz_configuration *asked)
{
	unsigned bounds = mz_configuration_bounds(asked);
	const struct mz_strategy *method = mz_strategy_method(asked_strategy(asked), bounds);
	return mz_strategy_may_miss(method, bounds, asked->sleep && !(asked->no_opt & MZ_OPT_SLEEP));
}

/* ---- which strategies can do something ---- */

typedef bool ability(const struct mz_strategy *strategy, unsigned bounds);

static bool is_there(const struct mz_strategy *strategy, unsigned bounds)
{
	(void)bounds;
	return strategy != NULL;
}

static bool is_bounded(const struct mz_strategy *strategy, unsigned bounds)
{
	return mz_strategy_method(strategy, bounds) != NULL;
}

static bool is_shared(const struct mz_strategy *strategy, unsigned bounds)
{
	return mz_strategy_shared_method(strategy, bounds) != NULL;
}

static bool explores_inputs(const struct mz_strategy *strategy, unsigned bounds)
{
	(void)bounds;
	return mz_strategy_explores_inputs(strategy);
}

#define NAMES_SIZE 256

/* Lists the names of the strategies that, in the form that was asked for, have an ability: "none" if there is none. */
static const char *list_able(const struct mz_configuration *asked, ability *able, unsigned bounds,
                             char names[NAMES_SIZE])
{
	size_t used = 0;
	for (size_t n = 0; mz_strategy_name(n) && used < NAMES_SIZE; n++) {
		const struct mz_strategy *strategy = mz_strategy_asked(mz_strategy_name(n), asked->as_published);
		if (!strategy || !able(strategy, bounds)) continue;
		used +=
		    (size_t)snprintf(names + used, NAMES_SIZE - used, "%s%s", used ? ", " : "", mz_strategy_name(n));
	}
	return used ? names : "none";
}

/* Refuses --as-published for strategies that are as published anyway. */
static int check_published(const struct mz_configuration *asked)
{
	char names[NAMES_SIZE];
	if (!asked->as_published || asked_strategy(asked)) return 0;
	return mz_refuse("the strategy %s has no published form that differs from it (--as-published): these have: %s",
	                 asked->strategy, list_able(asked, is_there, 0, names));
}

/* Returns what to say behind the name of the strategy. */
static const char *form_of(const struct mz_configuration *asked)
{
	return asked->as_published ? ", as published," : "";
}

/* Returns what to say before the names of the strategies that can do something. */
static const char *these_can(const struct mz_configuration *asked)
{
	return asked->as_published ? "these can, as published" : "these can";
}

/* Refuses options that only a search of states has for other strategies, and options that a search of states does not
 * have. */
static int check_states(const struct mz_configuration *asked, const struct mz_strategy *strategy)
{
	const struct {
		const char *name;
		bool given;
		bool of_states;
	} given[] = {
	    {"--exact-states", asked->exact_states, true},
	    {"--count-traces", asked->count_traces, false},
	    {"--count-local-states", asked->count_local_states, false},
	    {"--max-executions", asked->max_executions != 0, false},
	    {"--isolation process", asked->isolation == MZ_ISOLATION_PROCESS, false},
	    {"--leaks", asked->leaks, false},
	    {"--thread-leaks", asked->thread_leaks, false},
	};
	bool stateful = mz_strategy_stateful(strategy);
	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		if (!given[i].given || given[i].of_states == stateful) continue;
		return mz_refuse(stateful ? "the strategy %s cannot honour %s: it searches states, not executions"
		                          : "the strategy %s cannot honour %s: only one that searches states can",
		                 asked->strategy, given[i].name);
	}
	return 0;
}

/* Refuses an option, --jobs, --resume or --cluster, for searches that workers cannot share. */
static int check_shared(const struct mz_configuration *asked, const struct mz_strategy *strategy, unsigned bounds,
                        const char *option)
{
	char names[NAMES_SIZE];
	if (asked->isolation == MZ_ISOLATION_PROCESS)
		return mz_refuse("%s cannot be combined with --isolation process", option);
	if (asked->count_local_states) return mz_refuse("%s cannot be combined with --count-local-states", option);
	if (asked->prefixes) return mz_refuse("%s cannot be combined with --prefixes", option);
	if (is_shared(strategy, bounds)) return 0;
	return mz_refuse("the strategy %s%s cannot honour %s%s: %s: %s", asked->strategy, form_of(asked), option,
	                 bounds ? " within these bounds" : "", these_can(asked),
	                 list_able(asked, is_shared, bounds, names));
}

int mz_configuration_check_inputs(const struct mz_configuration *asked)
{
	char names[NAMES_SIZE];
	if (asked->isolation == MZ_ISOLATION_PROCESS)
		return mz_refuse(
		    "--isolation process cannot explore inputs, for which the program was built (--symbolic)");
	if (mz_strategy_explores_inputs(asked_strategy(asked))) return 0;
	return mz_refuse(
	    "the strategy %s%s cannot explore inputs, for which the program was built (--symbolic): %s: %s",
	    asked->strategy, form_of(asked), these_can(asked), list_able(asked, explores_inputs, 0, names));
}

int mz_configuration_check_kept(const struct mz_configuration *asked, const char *option)
{
	return check_shared(asked, asked_strategy(asked), mz_configuration_bounds(asked), option);
}

int mz_configuration_check(const struct mz_configuration *asked)
{
	const struct {
		const char *name;
		unsigned bound;
		bool given;
	} bounds[] = {
	    {"--preemptions", MZ_BOUND_PREEMPTIONS, asked->preemptions != MZ_ANY},
	    {"--iterate", MZ_BOUND_PREEMPTIONS, asked->iterate},
	    {"--fair", MZ_BOUND_FAIR, asked->fair != MZ_ANY},
	    {"--delays", MZ_BOUND_DELAYS, asked->delays != MZ_ANY},
	    {"--max-depth", MZ_BOUND_DEPTH, asked->max_depth != 0},
	    {"--switches", MZ_BOUND_SWITCHES, asked->switches != MZ_ANY},
	};
	int unpublished = check_published(asked);
	if (unpublished) return unpublished;
	const struct mz_strategy *strategy = asked_strategy(asked);
	unsigned given = 0;
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		char names[NAMES_SIZE];
		if (!bounds[i].given) continue;
		given |= bounds[i].bound;
		if (mz_strategy_method(strategy, given)) continue;
		return mz_refuse("the strategy %s%s cannot honour %s: %s: %s", asked->strategy, form_of(asked),
		                 bounds[i].name, these_can(asked),
		                 list_able(asked, is_bounded, bounds[i].bound, names));
	}
	for (size_t i = 0; mz_opt_name(i); i++)
		if (asked->no_opt & ~mz_strategy_opts(strategy) & 1u << i)
			return mz_refuse("the strategy %s has no optimisation '%s' to do without", asked->strategy,
			                 mz_opt_name(i));
	uint64_t given_bytes = (uint64_t)asked->symbolic_args.count * asked->symbolic_args.size + asked->symbolic_stdin;
	if (given_bytes > asked->max_input_bytes || asked->symbolic_args.count > MZ_SESSION_ARGUMENTS)
		return mz_refuse("--symbolic-args and --symbolic-stdin take at most %d arguments, and %u bytes in all",
		                 MZ_SESSION_ARGUMENTS, asked->max_input_bytes);
	int refused = asked->jobs != 1 ? check_shared(asked, strategy, given, "--jobs") : 0;
	return refused ? refused : check_states(asked, strategy);
}

/* ---- what depends on other options ---- */

/* How many executions a strategy that samples runs, if neither their number nor the time is limited. */
#define SAMPLES_DEFAULT 10000

/* Returns how many processes can run at the same time; not more than --jobs takes. */
static uint32_t cores(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
	int n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > 64 ? 64 : (uint32_t)n;
}

/* A search of states sees a data race only where both accesses can be next, so it makes every access a step unless the
 * user says otherwise. An execution that reaches --max-steps is a livelock within a fair bound, where every thread gets
 * its turn, and in a search of states, which knows that the threads can do nothing else. */
void mz_configuration_complete(struct mz_configuration *c)
{
	const struct mz_strategy *strategy = asked_strategy(c);
	bool stateful = mz_strategy_stateful(strategy);
	if (c->points == MZ_POINTS_UNSAID) c->points = stateful ? MZ_POINTS_ALL : MZ_POINTS_SYNC;
	if (c->no_checkpoints || c->isolation == MZ_ISOLATION_PROCESS) c->checkpoints = MZ_CHECKPOINTS_NEVER;
	if (mz_strategy_samples(strategy) && !c->max_executions && c->timeout == 0) c->max_executions = SAMPLES_DEFAULT;
	if (c->jobs == 0) c->jobs = cores();
	c->livelocks = c->fair != MZ_ANY || stateful;
	if (!*c->fail || mz_faults_parse(c->fail, &c->faults)) c->faults = 0;
	if (!c->faults) c->max_faults = 0;
}
