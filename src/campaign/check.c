/* SPDX-License-Identifier: MIT
 *
 * The reporting side of mz_check(), in a library of its own (libmazurka-check.so): runtime/start/check.c calls it.
 */
#include "campaign/campaign.h"
#include "campaign/instrumented.h"
#include "engine/search.h"
#include "report/say.h"
#include "runtime/start/start.h"
#include "trace/fault.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX 1024

/* Reads the command line of this process, for traces. The strings are kept in `text`. */
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

/* Refuses options that name nothing that exists, or whose values are too large. Returns 0, or an exit status. */
static int check(const mz_options *given)
{
	uint64_t faults;
	if (given->strategy && !mz_strategy_find(given->strategy))
		return mz_refuse("mz_check: there is no strategy '%s'", given->strategy);
	if (given->order && mz_order_find(given->order) == MZ_ORDER_COUNT)
		return mz_refuse("mz_check: there is no order '%s'", given->order);
	if (given->fail && mz_faults_parse(given->fail, &faults))
		return mz_refuse("mz_check: '%s' names a call that cannot fail", given->fail);
	if (given->fail && strlen(given->fail) >= MZ_FAIL_SIZE)
		return mz_refuse("mz_check: fail is too long: name each call once");
	if (given->max_steps > MZ_MAX_STEPS) return mz_refuse("mz_check: max_steps is too large");
	return 0;
}

static void translate(const mz_options *given, struct mz_configuration *c)
{
	if (given->strategy) snprintf(c->strategy, sizeof c->strategy, "%s", given->strategy);
	if (given->order) c->order = mz_order_find(given->order);
	if (given->seed) c->seed = given->seed;
	if (given->depth) c->depth = given->depth;
	if (given->points_all) c->points = MZ_POINTS_ALL;
	c->sleep = !given->no_sleep;
	if (given->max_executions) c->max_executions = given->max_executions;
	if (given->max_steps) c->max_steps = (uint32_t)given->max_steps;
	if (given->timeout > 0) c->timeout = given->timeout;
	if (given->bounded) c->preemptions = given->preemptions;
	c->iterate = given->iterate != 0;
	if (given->fair) c->fair = given->yields;
	if (given->delayed) c->delays = given->delays;
	c->max_depth = given->max_depth;
	c->max_memory = given->max_memory;
	if (given->heap_reuse) c->heap = MZ_HEAP_REUSE;
	c->leaks = given->leaks != 0;
	c->thread_leaks = given->thread_leaks != 0;
	if (given->fail) snprintf(c->fail, sizeof c->fail, "%s", given->fail);
	c->max_faults = given->max_faults;
	c->races = !given->no_races;
	if (given->volatile_atomic) c->volatiles = MZ_VOLATILE_ATOMIC;
	c->keep_going = given->keep_going != 0;
	c->count_traces = given->count_traces != 0;
}

__attribute__((visibility("default"))) int mz_check_run(const struct mz_check_request *request);
int mz_check_run(const struct mz_check_request *request)
{
	char path[PATH_MAX], identity[MZ_IDENTITY_SIZE], text[32768];
	char *arguments[ARGUMENTS_MAX + 1];
	static const mz_options nothing;
	const mz_options *given = request->options ? request->options : &nothing;
	int refused = check(given);
	if (refused) return refused;
	if (!realpath("/proc/self/exe", path) || mz_program_identity(path, identity) != 0)
		return mz_refuse("mz_check: cannot read the program: %s", strerror(errno));
	read_arguments(text, sizeof text, arguments);
	struct mz_reporting reporting = {
	    .to_stderr = true, .quiet = given->quiet != 0, .out = given->out, .json = given->json};
	struct mz_subject subject = {.path = path,
	                             .argv = arguments,
	                             .identity = identity,
	                             .configuration = mz_configuration_default(),
	                             .check = request->number,
	                             .body = request->body,
	                             .body_argument = request->body_argument};
	translate(given, &subject.configuration);
	return mz_campaign(&reporting, &subject);
}
