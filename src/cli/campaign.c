/* SPDX-License-Identifier: MIT
 *
 * One exploration from start to verdict: a worker explores, what it finds is replayed in fresh processes, written as
 * traces and reported. Whatever happens to the worker, the verdict says what is known and no more.
 */
#include "cli/campaign.h"
#include "base/alloc.h"
#include "cli/configure.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/unseen.h"
#include "engine/search.h"
#include "explorer/crew.h"
#include "report/json.h"
#include "report/text.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
	const struct mz_run_options *options;
	const struct mz_subject *subject;
	struct mz_session_memory memory;
	struct mz_worker_result worker;
	struct mz_result result;
	struct mz_text text;
	struct mz_sink sinks[2];
	size_t nsinks;
	FILE *json;
	bool output_open;    /* the folder is there */
	bool output_made;    /* by us */
	bool output_used;    /* something was written to it */
	uint32_t iterations; /* bounds that were reported */
	struct mz_result_iteration bounds[MZ_SESSION_ITERATIONS];
	struct mz_result_call calls[MZ_SESSION_CALLS];
	char *unseen_object, *unseen_location;
	char *files[MZ_SESSION_FILES + 1];
	char reason[320];
};

/* ---- before ---- */

static int open_results(struct run *run)
{
	if (run->options->out && mz_output_make(run->options->out, &run->output_made) != 0) return MZ_EXIT_USAGE;
	run->output_open = run->options->out != NULL;
	if (run->options->json) {
		run->json = strcmp(run->options->json, "-") == 0 ? stdout : fopen(run->options->json, "w");
		if (!run->json) return mz_refuse("cannot write '%s': %s", run->options->json, strerror(errno));
		run->sinks[run->nsinks++] = mz_json_sink(run->json);
	}
	if (!run->options->quiet) {
		mz_text_init(&run->text, run->json == stdout || run->options->to_stderr ? stderr : stdout);
		run->sinks[run->nsinks++] = mz_text_sink(&run->text);
	}
	return 0;
}

static bool is_stateful(const struct run *run)
{
	return mz_strategy_stateful(mz_strategy_find(run->options->strategy));
}

/* ---- findings ---- */

static void report_trace(struct run *run, const char *name, const struct mz_trace *trace)
{
	char path[PATH_MAX];
	const char *folder = run->options->out ? run->options->out : MZ_OUTPUT_DEFAULT;
	bool written = false;
	if (!run->output_open) run->output_open = mz_output_make(folder, &run->output_made) == 0;
	if (run->output_open && !run->output_used) mz_output_clear(folder, run->subject->check);
	run->output_used = true;
	if (run->output_open) written = mz_output_trace(folder, name, trace, path) == 0;
	for (size_t i = 0; i < run->nsinks; i++)
		if (run->sinks[i].finding && trace->nfindings)
			run->sinks[i].finding(run->sinks[i].self, trace, written ? path : NULL);
	if (trace->nfindings) mz_result_add_bug(&run->result, trace, written ? path : NULL);
}

static struct mz_expectation expectation(struct run *run)
{
	struct mz_session *session = run->memory.session;
	for (uint32_t i = 0; i < session->nfiles; i++) run->files[i] = session->files[i];
	return (struct mz_expectation){.schedule = session->schedule,
	                               .steps = session->nsteps,
	                               .threads = session->threads,
	                               .nthreads = session->nthreads,
	                               .files = run->files,
	                               .execution = session->executions + session->redundant + 1};
}

static void report_findings(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	for (uint32_t i = 0; i < session->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		struct mz_expectation expected = expectation(run);
		expected.schedule = (const struct mz_step *)((const char *)session + finding->schedule);
		expected.steps = finding->steps;
		expected.execution = finding->execution;
		expected.kind = finding->kind;
		expected.key = finding->key;
		expected.message = finding->message;
		struct mz_trace trace;
		struct mz_worker_result replayed;
		char name[MZ_OUTPUT_NAME];
		mz_output_name(name, run->subject->check, i + 1);
		if (mz_confirm(run->subject, &expected, &trace, &replayed) == 0) report_trace(run, name, &trace);
		mz_trace_release(&trace);
	}
}

/* The worker is gone in the middle of an execution: shows how far it had got, as a bug if `message`. */
static void report_lost(struct run *run, const char *message)
{
	struct mz_expectation expected = expectation(run);
	struct mz_trace trace;
	struct mz_worker_result replayed;
	char name[MZ_OUTPUT_NAME];
	expected.any = true;
	if (message)
		mz_output_name(name, run->subject->check, (uint32_t)run->result.nbugs + 1);
	else
		strcpy(name, "last.trace");
	if (mz_confirm(run->subject, &expected, &trace, &replayed) == 0) {
		if (message)
			mz_trace_add_first(&trace, MZ_FINDING_CRASH, message);
		else
			trace.nfindings = 0;
		report_trace(run, name, &trace);
	}
	mz_trace_release(&trace);
}

/* ---- the verdict ---- */

static void incomplete(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void incomplete(struct run *run, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(run->reason, sizeof run->reason, format, arguments);
	va_end(arguments);
	run->result.reason = run->reason;
}

/* The worker did not say how it ended. */
static void judge_death(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	uint64_t execution = session->executions + session->redundant + 1;
	int signal_number = run->worker.status;
	char text[160];
	switch (run->worker.end) {
	case MZ_WORKER_STALLED:
		incomplete(
		    run,
		    "execution %lu made no step for %g s after step %u: an endless loop without visible operations?",
		    (unsigned long)execution, run->options->stall_timeout, session->nsteps);
		report_lost(run, NULL);
		return;
	case MZ_WORKER_TIMEOUT: incomplete(run, "--timeout %g was reached", run->options->timeout); return;
	case MZ_WORKER_INTERRUPTED: incomplete(run, "it was interrupted"); return;
	case MZ_WORKER_SIGNALLED:
		snprintf(text, sizeof text, "the process was killed by SIG%s in execution %lu",
		         sigabbrev_np(signal_number), (unsigned long)execution);
		if (signal_number == SIGKILL || signal_number == SIGTERM || signal_number == SIGINT) {
			incomplete(run, "%s, after step %u", text, session->nsteps);
			report_lost(run, NULL);
		} else {
			report_lost(run, text);
		}
		return;
	default:
		incomplete(run, "the process ended with status %d in execution %lu", run->worker.status,
		           (unsigned long)execution);
	}
}

/* A strategy that samples has done what it was asked to do, which never is all there is. */
static void judge_samples(struct run *run)
{
	double promise = run->memory.session->promise;
	uint64_t executions = run->memory.session->executions;
	if (promise > 0)
		incomplete(run,
		           "it samples: a bug of depth %lu is met in each execution with a probability of at least "
		           "%.3g, in %lu with one of %.3g",
		           (unsigned long)run->options->depth, promise, (unsigned long)executions,
		           1 - pow(1 - promise, (double)executions));
	else
		incomplete(run, "%s samples interleavings", run->options->strategy);
}

static void judge(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	switch ((enum mz_outcome)session->outcome) {
	case MZ_OUTCOME_NONE: judge_death(run); return;
	case MZ_OUTCOME_LIMIT:
		if (run->worker.end == MZ_WORKER_TIMEOUT)
			incomplete(run, "--timeout %g was reached", run->options->timeout);
		else if (run->worker.end == MZ_WORKER_INTERRUPTED)
			incomplete(run, "it was interrupted");
		else if (mz_run_samples(run->options))
			judge_samples(run);
		else
			incomplete(run, "%s", session->message);
		return;
	case MZ_OUTCOME_BUG: incomplete(run, "stopped at the first bug"); return;
	case MZ_OUTCOME_DONE:
		if (mz_run_samples(run->options))
			judge_samples(run);
		else if (session->cut)
			incomplete(run, "%lu execution%s ended by --max-steps %lu", (unsigned long)session->cut,
			           session->cut == 1 ? " was" : "s were", (unsigned long)run->options->max_steps);
		return;
	case MZ_OUTCOME_UNSUPPORTED: incomplete(run, "%s", session->message); return;
	case MZ_OUTCOME_INTERNAL:
		incomplete(run, "%s in execution %lu; please report it", session->message,
		           (unsigned long)(session->executions + session->redundant + 1));
		report_lost(run, NULL);
		return;
	}
}

static const char *method(const struct run *run)
{
	const char *name = run->memory.session->method;
	return *name ? name : run->options->strategy;
}

/* Counted, or known because the strategy promises it. */
static struct mz_optional traces(const struct run *run, uint64_t counted, uint64_t executions)
{
	if (run->memory.session->count_traces) return (struct mz_optional){true, counted};
	return (struct mz_optional){mz_strategy_exact(mz_strategy_find(method(run))), executions};
}

static struct mz_result_iteration iteration_of(const struct run *run, uint32_t bound)
{
	const struct mz_session_iteration *done = &run->memory.session->iterations[bound];
	return (struct mz_result_iteration){.preemptions = bound,
	                                    .executions = done->executions,
	                                    .redundant = done->redundant,
	                                    .traces = traces(run, done->traces, done->executions),
	                                    .bugs = done->nfindings};
}

/* Reports the bounds that were finished since the last time. */
static void report_iterations(void *self)
{
	struct run *run = self;
	uint32_t done = atomic_load_explicit(&run->memory.session->niterations, memory_order_acquire);
	for (; run->iterations < done; run->iterations++) {
		struct mz_result_iteration iteration = iteration_of(run, run->iterations);
		for (size_t i = 0; i < run->nsinks; i++)
			if (run->sinks[i].iteration) run->sinks[i].iteration(run->sinks[i].self, &iteration);
	}
}

static void fill_iterations(struct run *run)
{
	for (uint32_t bound = 0; bound < run->iterations; bound++) run->bounds[bound] = iteration_of(run, bound);
	run->result.iterations = run->bounds;
	run->result.niterations = run->iterations;
}

static void fill_uncontrolled(struct run *run)
{
	struct mz_result *result = &run->result;
	result->uncontrolled = run->calls;
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++) {
		const struct mz_session_call *call = &run->memory.session->uncontrolled[i];
		if (!*call->name) continue;
		struct mz_result_call *found = &run->calls[result->nuncontrolled++];
		*found = (struct mz_result_call){.name = call->name, .calls = call->calls};
		if (strcmp(call->name, MZ_SESSION_UNSEEN) != 0) continue;
		mz_unseen_describe(&run->memory.session->unseen, &run->unseen_object, &run->unseen_location);
		found->object = run->unseen_object;
		found->location = run->unseen_location;
	}
}

/* Those that there is no memory to describe are still counted. */
static void fill_hidden(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	struct mz_result *result = &run->result;
	result->hidden_dropped = session->hidden_dropped;
	result->hidden = mz_alloc((session->nhidden + 1) * sizeof *result->hidden);
	for (uint32_t i = 0; i < session->nhidden; i++)
		if (result->hidden)
			mz_hidden_describe(&session->hidden[i], &result->hidden[result->nhidden++]);
		else
			result->hidden_dropped++;
}

static void fill_result(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	struct mz_result *result = &run->result;
	result->version = MZ_VERSION;
	result->program = run->options->program;
	result->strategy = run->options->strategy;
	result->method = method(run);
	result->points = mz_run_points(run->options);
	result->executions = session->executions;
	result->executed = session->executed;
	result->redundant = session->redundant;
	result->preemption_bound = (struct mz_optional){session->bounded && !session->exhausted, session->preemptions};
	result->fair_bound = (struct mz_optional){session->fair, session->yields};
	result->delay_bound = (struct mz_optional){session->delayed, session->delays};
	result->depth_bound = (struct mz_optional){session->max_depth != 0, session->max_depth};
	result->traces = traces(run, session->traces, session->executions - session->cut);
	result->traces_promised = !session->count_traces;
	result->steps = session->steps;
	result->stateful = is_stateful(run);
	result->states = (struct mz_optional){session->graphs > 0, session->graphs};
	result->state_bytes = session->graph_bytes;
	fill_iterations(run);
	fill_uncontrolled(run);
	fill_hidden(run);
	/* without starting the process, if it came to an end by itself */
	result->seconds = session->nanoseconds ? (double)session->nanoseconds / 1e9 : run->worker.seconds;
	result->peak_rss_kb = (uint64_t)run->worker.peak_rss_kb;
	result->complete = !result->reason;
	result->verdict = result->nbugs ? MZ_VERDICT_BUG : result->complete ? MZ_VERDICT_PASS : MZ_VERDICT_INCOMPLETE;
}

static int exit_status(enum mz_verdict verdict)
{
	switch (verdict) {
	case MZ_VERDICT_PASS: return MZ_EXIT_PASS;
	case MZ_VERDICT_BUG: return MZ_EXIT_BUG;
	case MZ_VERDICT_INCOMPLETE: break;
	}
	return MZ_EXIT_INCOMPLETE;
}

static int report(struct run *run)
{
	report_findings(run);
	judge(run);
	fill_result(run);
	for (size_t i = 0; i < run->nsinks; i++)
		if (run->sinks[i].result && run->sinks[i].result(run->sinks[i].self, &run->result) != 0)
			return mz_refuse("cannot write the result: %s", strerror(errno));
	return exit_status(run->result.verdict);
}

/* What makes a run impossible: 0 if it was possible. */
static int check_worker(const struct run *run)
{
	const struct mz_session *session = run->memory.session;
	if (run->worker.end == MZ_WORKER_NOT_STARTED)
		return mz_refuse("cannot start '%s': %s", run->subject->path, strerror(run->worker.status));
	if (session->outcome == MZ_OUTCOME_UNSUPPORTED && !session->nfindings)
		return mz_refuse("%s: %s", run->subject->path, session->message);
	if (session->outcome == MZ_OUTCOME_NONE && *session->message) return mz_refuse("%s", session->message);
	if (session->outcome == MZ_OUTCOME_NONE && !session->running && run->worker.end == MZ_WORKER_EXITED)
		return mz_refuse("'%s' ended with status %d before its main function was reached (or was built with "
		                 "another mazurka: build it again)",
		                 run->subject->path, run->worker.status);
	return 0;
}

static int explore(struct run *run)
{
	struct mz_worker_job job = mz_subject_job(run->subject, &run->memory);
	job.timeout = run->options->timeout;
	job.watch = report_iterations;
	job.watcher = run;
	run->worker = is_stateful(run) ? mz_crew_run(&job, (uint32_t)run->options->jobs) : mz_worker_run(&job);
	int failed = check_worker(run);
	return failed ? failed : report(run);
}

int mz_campaign(const struct mz_run_options *options, const struct mz_subject *subject)
{
	struct run run = {.options = options, .subject = subject};
	int failed = open_results(&run);
	if (!failed) failed = mz_configure(&run.memory, run.options);
	if (failed) return failed;
	int status = explore(&run);
	if (options->out && run.output_made && !run.output_used) rmdir(options->out);
	mz_result_release(&run.result);
	mz_free(run.unseen_object);
	mz_free(run.unseen_location);
	mz_session_close(&run.memory);
	if (run.json && run.json != stdout && fclose(run.json) != 0)
		return mz_refuse("cannot write '%s': %s", options->json, strerror(errno));
	return status;
}
