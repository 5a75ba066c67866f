/* SPDX-License-Identifier: MIT
 *
 * The reporting side of mz_check(), in a library of its own (libmazurka-check.so): runtime/check.c calls it.
 */
#include "runtime/check.h"
#include "cli/campaign.h"
#include "cli/configure.h"
#include "cli/instrumented.h"
#include "cli/say.h"
#include "engine/search.h"
#include "trace/fault.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX 1024

/* The command line of this process, for traces. The strings live in `text`. */
static void read_arguments(char *text, size_t size, char **arguments)
{
	FILE *in = fopen("/proc/self/cmdline", "r");
	size_t length = in ? fread(text, 1, size - 1, in) : 0, n = 0;
	if (in) fclose(in);
	text[length] = 0;
	for (size_t at = 0; at < length && n < ARGUMENTS_MAX; at += strlen(text + at) + 1) arguments[n++] = text + at;
	if (n == 0) arguments[n++] = "program";
	arguments[n] = NULL;
}

static struct mz_run_options translate(const mz_options *given)
{
	struct mz_run_options options = mz_run_options_default();
	options.to_stderr = true;
	if (!given) return options;
	if (given->strategy) options.strategy = given->strategy;
	if (given->order) options.order = given->order;
	if (given->seed) options.seed = given->seed;
	if (given->depth) options.depth = given->depth;
	if (given->points_all) options.points = "all";
	options.no_sleep = given->no_sleep;
	if (given->max_executions) options.max_executions = given->max_executions;
	if (given->max_steps) options.max_steps = given->max_steps;
	if (given->timeout > 0) options.timeout = given->timeout;
	if (given->bounded) options.preemptions = given->preemptions;
	options.iterate = given->iterate;
	if (given->fair) options.fair = given->yields;
	if (given->delayed) options.delays = given->delays;
	options.max_depth = given->max_depth;
	options.max_memory = given->max_memory;
	if (given->heap_reuse) options.heap = "reuse";
	options.leaks = given->leaks;
	options.thread_leaks = given->thread_leaks;
	options.fail = given->fail;
	options.max_faults = given->max_faults;
	options.no_races = given->no_races;
	if (given->volatile_atomic) options.volatiles = "atomic";
	options.keep_going = given->keep_going;
	options.count_traces = given->count_traces;
	options.quiet = given->quiet;
	options.out = given->out;
	options.json = given->json;
	return options;
}

__attribute__((visibility("default"))) int mz_check_run(const struct mz_check_request *request);
int mz_check_run(const struct mz_check_request *request)
{
	char path[PATH_MAX], identity[MZ_IDENTITY_SIZE], text[32768];
	char *arguments[ARGUMENTS_MAX + 1];
	struct mz_run_options options = translate(request->options);
	if (!mz_strategy_find(options.strategy))
		return mz_refuse("mz_check: there is no strategy '%s'", options.strategy);
	if (mz_order_find(options.order) == MZ_ORDER_COUNT)
		return mz_refuse("mz_check: there is no order '%s'", options.order);
	uint64_t faults;
	if (options.fail && mz_faults_parse(options.fail, &faults))
		return mz_refuse("mz_check: '%s' names what cannot fail", options.fail);
	if (options.max_steps > MZ_SESSION_STEPS) return mz_refuse("mz_check: max_steps is too large");
	if (!realpath("/proc/self/exe", path) || mz_program_identity(path, identity) != 0)
		return mz_refuse("mz_check: cannot read the program: %s", strerror(errno));
	read_arguments(text, sizeof text, arguments);
	options.program = arguments;
	struct mz_subject subject = {.path = path,
	                             .argv = arguments,
	                             .identity = identity,
	                             .points = mz_run_points(&options),
	                             .heap = options.heap,
	                             .races = !options.no_races,
	                             .volatile_atomic = strcmp(options.volatiles, "atomic") == 0,
	                             .spins = !options.no_spin,
	                             .livelocks = mz_run_reports_endless(&options),
	                             .seed = options.seed,
	                             .isolated = strcmp(options.isolation, "process") == 0,
	                             .leaks = options.leaks,
	                             .thread_leaks = options.thread_leaks,
	                             .fails = options.fail,
	                             .max_faults = (uint32_t)options.max_faults,
	                             .max_steps = (uint32_t)options.max_steps,
	                             .stall_timeout = options.stall_timeout,
	                             .check = request->number,
	                             .body = request->body,
	                             .body_argument = request->body_argument};
	return mz_campaign(&options, &subject);
}
