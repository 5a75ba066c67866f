/* SPDX-License-Identifier: MIT
 *
 * One exploration from start to verdict: a worker explores, what it finds is replayed in fresh processes, written as
 * traces and reported. Whatever happens to the worker, the verdict says what is known and no more.
 */
#include "campaign/campaign.h"
#include "base/alloc.h"
#include "base/bug.h"
#include "campaign/configure.h"
#include "campaign/ending.h"
#include "campaign/instrumented.h"
#include "campaign/output.h"
#include "campaign/reporter.h"
#include "campaign/resume.h"
#include "campaign/solver.h"
#include "campaign/unseen.h"
#include "engine/search.h"
#include "explorer/crew.h"
#include "report/say.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
	const struct mz_reporting *wanted;
	struct mz_subject subject;
	const struct mz_configuration *configuration; /* the configuration of the subject */
	struct mz_session_memory memory;
	struct mz_worker_result worker;
	struct mz_solvers solvers;
	struct mz_resume resume;
	int tests;                /* file descriptor of the folder for inputs of paths, or -1 */
	struct mz_step *schedule; /* see strip() */
	struct mz_reporter reporter;
	uint32_t iterations; /* how many bounds were reported */
	struct mz_result_iteration bounds[MZ_SESSION_ITERATIONS];
	struct mz_result_call calls[MZ_SESSION_CALLS];
	char *unseen_object, *unseen_location;
	char *files[MZ_SESSION_FILES + 1];
	char reason[MZ_ENDING_SIZE];
};

static bool is_stateful(const struct run *run)
{
	return mz_strategy_stateful(mz_strategy_asked(run->configuration->strategy, run->configuration->as_published));
}

static bool samples(const struct run *run)
{
	return mz_configuration_samples(run->configuration);
}

static bool explores_inputs(const struct run *run)
{
	return run->solvers.count > 0;
}

/* ---- findings ---- */

/* Leaves out the steps of a schedule that are branches on inputs: replays make none of them. Returns how many are left,
 * in a copy that `run` keeps until the next call. */
static uint32_t strip(struct run *run, const struct mz_step **schedule, uint32_t steps)
{
	uint32_t left = 0;
	struct mz_step *copy = mz_realloc(run->schedule, (steps + 1) * sizeof *copy);
	if (!copy) return 0;
	run->schedule = copy;
	for (uint32_t n = 0; n < steps; n++) {
		if (!((*schedule)[n].choice & MZ_STEP_BRANCH)) copy[left++] = (*schedule)[n];
	}
	*schedule = copy;
	return left;
}

static void set_schedule(struct run *run, struct mz_expectation *expected, const struct mz_step *schedule,
                         uint32_t steps)
{
	if (explores_inputs(run)) steps = strip(run, &schedule, steps);
	expected->schedule = schedule;
	expected->steps = steps;
}

/* Returns an expectation for the execution that was under way when the worker ended. */
static struct mz_expectation expectation(struct run *run)
{
	struct mz_session *session = run->memory.session;
	for (uint32_t i = 0; i < session->learned.nfiles; i++) run->files[i] = session->learned.files[i];
	struct mz_expectation expected = {.threads = session->threads,
	                                  .nthreads = session->nthreads,
	                                  .inputs = &session->inputs,
	                                  .ninputs = session->inputs.count,
	                                  .values = explores_inputs(run)
	                                                ? mz_solvers_values(&run->solvers, run->worker.worker)
	                                                : session->inputs.values,
	                                  .files = run->files,
	                                  .requests = session->learned.requests,
	                                  .execution = mz_ending_execution(session)};
	set_schedule(run, &expected, session->schedule, session->nsteps);
	return expected;
}

static bool has_race(const struct mz_session *session)
{
	for (uint32_t i = 0; i < session->nfindings; i++)
		if (session->findings[i].kind == MZ_FINDING_DATA_RACE) return true;
	return false;
}

static void report_findings(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	for (uint32_t i = 0; i < session->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		struct mz_expectation expected = expectation(run);
		set_schedule(run, &expected, (const struct mz_step *)((const char *)session + finding->schedule),
		             finding->steps);
		expected.ninputs = finding->inputs;
		expected.values = mz_session_found_inputs(run->memory.session, i);
		expected.execution = finding->execution;
		expected.kind = finding->kind;
		expected.requests = finding->requests;
		/* files that were learned of later had no steps yet in the execution of this finding */
		run->files[finding->files] = NULL;
		expected.key = finding->key;
		expected.message = finding->message;
		expected.raced = session->raced || has_race(session);
		expected.unseen = finding->unseen;
		expected.reordered = finding->reordered;
		expected.signature = finding->signature;
		mz_reporter_add_finding(&run->reporter, &expected);
	}
}

/* ---- internal errors ---- */

/* Reports an internal error that the worker met. Replays its schedule, which most likely meets the error again and
 * leaves a trace whose steps have names. */
static void report_broken(struct run *run)
{
	struct mz_expectation expected = expectation(run);
	struct mz_trace trace;
	struct mz_confirmation confirmation;
	char text[MZ_ENDING_SIZE];
	expected.any = true;
	mz_ending_describe_error(run->memory.session, expected.steps, text);
	mz_confirm(&run->subject, &expected, &trace, &confirmation);
	trace.nfindings = 0;
	mz_reporter_add_internal_error(&run->reporter, text, &trace);
	mz_trace_release(&trace);
}

static struct run *under_way; /* the run that save_schedule() saves; NULL unless this process explores */

/* Writes the schedule under way to a file, after an internal error of this process itself. Uses as little as possible
 * of what may be broken. */
static void save_schedule(const char *line)
{
	struct run *run = under_way;
	struct mz_trace trace;
	(void)line;
	if (!run) return;
	under_way = NULL;
	mz_session_settle(&run->memory);
	struct mz_expectation expected = expectation(run);
	if (mz_trace_from_schedule(&run->subject, &expected, &trace) == 0)
		mz_reporter_add_internal_error(&run->reporter, line, &trace);
	if (*run->reporter.error_trace) mz_refuse("the schedule so far is in %s", run->reporter.error_trace);
}

/* ---- the verdict ---- */

/* Adds a reason why the run is incomplete. */
static void incomplete(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void incomplete(struct run *run, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t used = strlen(run->reason);
	if (used) used += (size_t)snprintf(run->reason + used, sizeof run->reason - used, "; ");
	if (used < sizeof run->reason) vsnprintf(run->reason + used, sizeof run->reason - used, format, arguments);
	va_end(arguments);
	run->reporter.result.reason = run->reason;
}

/* The reason of a run in which data races decide what happens. */
#define UNEXPLORED_RACES "what follows from data races was not explored: see --points all"

/* Judges a worker that a signal killed: it was the program's doing if a replay dies too, else somebody else's. */
static void judge_signal(struct run *run, struct mz_expectation *expected, const char *text)
{
	if (mz_workers_interrupted()) {
		incomplete(run, "the run was interrupted");
		return;
	}
	if (mz_reporter_add_lost_worker(&run->reporter, expected, run->worker.status, text))
		incomplete(run, "%s", text);
	else
		incomplete(run, "%s, after step %u", text, expected->steps);
}

/* Leaves out the last steps of an execution that hung, if they show nothing but that it did. */
static void leave_out_idling(const struct mz_session *session, struct mz_expectation *expected)
{
	bool idled = session->idle && session->nsteps - session->idle == session->moved;
	if (idled && session->still < expected->steps) expected->steps = session->still;
}

/* Judges a worker that ended without leaving an outcome. */
static void judge_death(struct run *run)
{
	struct mz_expectation expected = expectation(run);
	char text[MZ_ENDING_SIZE];
	expected.hangs = run->worker.end == MZ_WORKER_STALLED;
	if (expected.hangs) leave_out_idling(run->memory.session, &expected);
	mz_ending_describe_death(run->memory.session, &run->worker, expected.steps, text);
	if (run->worker.end == MZ_WORKER_SIGNALLED) {
		judge_signal(run, &expected, text);
		return;
	}
	incomplete(run, "%s", text);
	if (expected.hangs) mz_reporter_add_lost_worker(&run->reporter, &expected, 0, NULL);
}

/* Judges workers that ended with an outcome that is no success. */
static void judge_outcome(struct run *run)
{
	char text[MZ_ENDING_SIZE];
	if (run->memory.session->outcome == MZ_OUTCOME_BUG && run->reporter.explained) {
		incomplete(run, UNEXPLORED_RACES);
		return;
	}
	mz_ending_describe_outcome(run->memory.session, &run->worker, text);
	if (*text) incomplete(run, "%s", text);
}

/* Says that a strategy that samples did what it was asked to, which never covers everything. */
static void judge_samples(struct run *run)
{
	double promise = run->memory.session->promise;
	uint64_t executions = run->memory.session->executions;
	if (promise > 0)
		incomplete(run,
		           "it samples: a bug of depth %lu is met in each execution with a probability of at least "
		           "%.3g, in %lu with one of %.3g",
		           (unsigned long)run->configuration->depth, promise, (unsigned long)executions,
		           1 - pow(1 - promise, (double)executions));
	else
		incomplete(run, "%s samples interleavings", run->configuration->strategy);
}

/* Says why what all machines have explored or found is not known. */
static void judge_cluster(struct run *run)
{
	const struct mz_campaign_cluster *cluster = run->wanted->cluster;
	if (cluster && *cluster->trouble) incomplete(run, "%s", cluster->trouble);
}

/* Marks the run as incomplete because executions were too long. Those that other limits ended are judged apart. */
static void judge_steps(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	uint64_t cut = session->cut;
	for (int n = 0; n < MZ_PATH_LIMIT_COUNT; n++) cut -= session->given_up[n] < cut ? session->given_up[n] : cut;
	if (cut)
		incomplete(run, "%lu execution%s ended by --max-steps %lu", (unsigned long)cut,
		           cut == 1 ? " was" : "s were", (unsigned long)run->configuration->max_steps);
}

static void judge(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	switch ((enum mz_outcome)session->outcome) {
	case MZ_OUTCOME_NONE: judge_death(run); return;
	case MZ_OUTCOME_LIMIT:
		if (samples(run) && !mz_ending_is_from_outside(&run->worker))
			judge_samples(run);
		else
			judge_outcome(run);
		return;
	case MZ_OUTCOME_BUG: judge_outcome(run); return;
	case MZ_OUTCOME_DONE:
		if (samples(run))
			judge_samples(run);
		else
			judge_steps(run);
		if (mz_configuration_may_miss(run->configuration)) incomplete(run, "published form: not exhaustive");
		return;
	case MZ_OUTCOME_UNSUPPORTED: judge_outcome(run); return;
	/* crew.c has made another outcome of it */
	case MZ_OUTCOME_FOREIGN: return;
	/* crew.c would have begun anew if the session were not damaged, which judge_findings() says */
	case MZ_OUTCOME_AGAIN: return;
	case MZ_OUTCOME_INTERNAL: report_broken(run); return;
	}
}

/* Marks the run as incomplete because something had more possible values than were tried, and says where. */
static void judge_values(struct run *run)
{
	const struct mz_session_inputs *inputs = &run->memory.session->inputs;
	struct mz_result_hidden place = {0};
	if (!inputs->limited) return;
	if (inputs->nlimits) mz_lost_describe(&inputs->limits[0], &place);
	const char *at = place.location ? place.location : "an unknown place";
	uint32_t more = inputs->nlimits > 1 ? inputs->nlimits - 1 : 0, most = run->configuration->max_values;
	char others[48] = "";
	if (more) snprintf(others, sizeof others, " and %u other place%s", more, more == 1 ? "" : "s");
	incomplete(run,
	           "an index, address or size at %s%s can have more than the %u value%s that %s tried (--max-values)",
	           at, others, most, most == 1 ? "" : "s", most == 1 ? "was" : "were");
	mz_result_hidden_release(&place);
}

/* Marks the run as incomplete because executions were given up at limits. */
static void judge_given_up(struct run *run)
{
	const struct {
		uint32_t most;
		const char *option, *noun, *what;
	} limits[] = {
#define X(id, field, option, noun, what) {run->configuration->field, option, noun, what},
	    MZ_PATH_LIMITS(X)
#undef X
	};
	for (int n = 0; n < MZ_PATH_LIMIT_COUNT; n++) {
		unsigned long count = (unsigned long)run->memory.session->given_up[n];
		if (count)
			incomplete(run, "%lu %s%s given up because there were more than %u %s (%s)", count,
			           limits[n].noun, count == 1 ? " was" : "s were", limits[n].most, limits[n].what,
			           limits[n].option);
	}
}

/* Marks the run as incomplete where inputs were not explored to the end. */
static void judge_inputs(struct run *run)
{
	const struct mz_session_inputs *inputs = &run->memory.session->inputs;
	if (inputs->undecided)
		incomplete(run, "the solver left %lu question%s about inputs without an answer (--solver-timeout %g)",
		           (unsigned long)inputs->undecided, inputs->undecided == 1 ? "" : "s",
		           run->configuration->solver_timeout);
	judge_values(run);
	if (inputs->unwritten)
		incomplete(run, "inputs of %u path%s could not be written to %s", inputs->unwritten,
		           inputs->unwritten == 1 ? "" : "s", run->wanted->tests);
	if (inputs->missed)
		incomplete(
		    run,
		    "%lu branch%s not reached: inputs that were found for %s do not lead there, because it is not "
		    "followed how some values depend on them",
		    (unsigned long)inputs->missed, inputs->missed == 1 ? " was" : "es were",
		    inputs->missed == 1 ? "it" : "them");
	if (inputs->disagreed)
		incomplete(run, "%lu value%s that depend%s on inputs could not be followed exactly",
		           (unsigned long)inputs->disagreed, inputs->disagreed == 1 ? "" : "s",
		           inputs->disagreed == 1 ? "s" : "");
}

/* Marks the run as incomplete for reasons that lie in its findings: the session was overwritten, findings were dropped
 * or not confirmed, or an internal error occurred. */
static void judge_findings(struct run *run)
{
	const struct mz_reporter *reporter = &run->reporter;
	if (run->memory.damaged)
		incomplete(
		    run,
		    "memory that the program shares with Mazurka was overwritten, by a stray write of the program?");
	if (run->memory.session->findings_dropped)
		incomplete(run, "there were more than %d distinct bugs, and the others were not kept",
		           MZ_SESSION_FINDINGS);
	if (reporter->unconfirmed)
		incomplete(run, "%zu finding%s could not be confirmed: %s", reporter->unconfirmed,
		           reporter->unconfirmed == 1 ? "" : "s", reporter->why);
	if (!*reporter->error) return;
	run->reason[0] = 0; /* an internal error is the only reason that matters */
	incomplete(run, "%s", reporter->error);
}

/* Marks the run as incomplete if the program ran into limits of the runtime. */
static void judge_limits(struct run *run)
{
	static const struct {
		const char *what, *happened;
	} words[] = {
#define X(name, what, happened) {what, happened},
	    MZ_SESSION_REACHED(X)
#undef X
	};
	for (size_t i = 0; i < MZ_LIMIT_COUNT; i++) {
		const struct mz_session_reached *reached = &run->memory.session->reached[i];
		if (!reached->count) continue;
		incomplete(run, "%lu %s%s of up to %lu bytes %s %s", (unsigned long)reached->count, words[i].what,
		           reached->count == 1 ? "" : "s", (unsigned long)reached->most,
		           reached->count == 1 ? "was" : "were", words[i].happened);
	}
}

/* Marks the run as incomplete if no execution came to its end because mz_assume() dropped each. States that were searched and
 * lead to no end at all have been judged. */
static void judge_assumptions(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	bool tested = session->executions || session->never_ends || session->nfindings;
	if (!tested && session->assumed) incomplete(run, "nothing was tested: mz_assume dropped every execution");
}

/* What a run knows of bugs behind which more may be. */
struct races {
	bool any;    /* data races, or uses of memory that race with its release */
	bool parts;  /* a data race of an access that a machine may make in parts */
	bool frames; /* uses of a stack frame that race with its end */
};

static struct races races_of(const struct mz_session *session)
{
	struct races races = {0};
	for (uint32_t i = 0; i < session->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		races.any |= finding->kind == MZ_FINDING_DATA_RACE || finding->unordered == MZ_UNORDERED_RELEASE;
		races.parts |= finding->parts != 0;
		races.frames |= finding->unordered == MZ_UNORDERED_FRAME;
	}
	return races;
}

/* Marks a run that came to its end as incomplete if it found data races: what a racing access reads depends on the order of the
 * two, and every order is explored only where accesses are steps, and only of accesses that are not made in parts. Ends of
 * stack frames are never steps. */
static void judge_races(struct run *run)
{
	const struct races races = races_of(run->memory.session);
	if (*run->reason) return;
	if (run->memory.session->frames && !races.frames)
		incomplete(run, "a search of states does not tell whether a stack frame was used after its end, where "
		                "that depends on the order of threads: try a strategy that explores executions");
	else if (races.frames)
		incomplete(run, "what follows from the use of a stack frame before its end was not explored");
	else if (run->configuration->points != MZ_POINTS_ALL && (races.any || run->reporter.explained))
		incomplete(run, UNEXPLORED_RACES);
	else if (races.parts)
		incomplete(run,
		           "data races of accesses that a machine may make in parts were explored as single steps");
}

/* Says how to go on with a run that was ended before its end. */
static void judge_kept(struct run *run)
{
	if (!run->wanted->resume || !*run->reason || *run->reporter.error) return;
	if (run->resume.failed)
		incomplete(run, "the open work could not be kept in '%s'", run->resume.folder);
	else if (run->memory.session->outcome == MZ_OUTCOME_LIMIT || run->memory.session->outcome == MZ_OUTCOME_NONE)
		incomplete(run, "the same command goes on from here");
}

static const char *method(const struct run *run)
{
	const char *name = run->memory.session->method;
	return *name ? name : run->configuration->strategy;
}

/* Returns whether the result gives the number of traces first: within bounds, where executions repeat traces, unless
 * the user asked for both numbers. `counted`: the traces were. */
static bool traces_lead(const struct run *run, bool counted, uint64_t traces, uint64_t executions)
{
	if (!counted || run->configuration->count_traces) return false;
	return traces < executions && mz_strategy_reduces(mz_strategy_find(method(run)));
}

static struct mz_result_iteration iteration_of(const struct run *run, uint32_t bound)
{
	const struct mz_session_iteration *done = &run->memory.session->iterations[bound];
	return (struct mz_result_iteration){.preemptions = bound,
	                                    .executions = done->executions,
	                                    .redundant = done->redundant,
	                                    .traces = {done->traces_known, done->traces},
	                                    .traces_lead =
	                                        traces_lead(run, done->counted, done->traces, done->executions),
	                                    .bugs = done->nfindings};
}

/* Reports the bounds that were finished since the last time. */
static void report_iterations(void *self)
{
	struct run *run = self;
	uint32_t done = atomic_load_explicit(&run->memory.session->niterations, memory_order_acquire);
	if (done > MZ_SESSION_ITERATIONS) done = 0;         /* the program has overwritten the count: see settle.c */
	if (run->iterations > done) run->iterations = done; /* the search has begun anew */
	for (; run->iterations < done; run->iterations++) {
		struct mz_result_iteration iteration = iteration_of(run, run->iterations);
		if (run->reporter.sink.iteration) run->reporter.sink.iteration(run->reporter.sink.self, &iteration);
	}
}

static void fill_iterations(struct run *run)
{
	for (uint32_t bound = 0; bound < run->iterations; bound++) run->bounds[bound] = iteration_of(run, bound);
	run->reporter.result.iterations = run->bounds;
	run->reporter.result.niterations = run->iterations;
}

static void fill_uncontrolled(struct run *run)
{
	struct mz_result *result = &run->reporter.result;
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

/* Fills in the inputs that were not explored, and the places where they were lost sight of. */
static void fill_lost(struct mz_result *result, const struct mz_session_inputs *inputs)
{
	for (uint32_t i = 0; i < inputs->nlosses; i++)
		mz_lost_describe(&inputs->losses[i], &result->hidden[result->nhidden++]);
	if (!inputs->unexplored) return;
	char *advice = mz_trace_copy_string("were not explored: build with mazurka cc --symbolic");
	result->hidden[result->nhidden++] = (struct mz_result_hidden){.kind = "inputs", .calls = 1, .reason = advice};
}

/* Fills in what the runtime did not see. Pieces that there is no memory to describe are still counted. */
static void fill_hidden(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	const struct mz_session_inputs *inputs = &session->inputs;
	struct mz_result *result = &run->reporter.result;
	uint32_t count = session->nhidden + inputs->nlosses + (inputs->unexplored != 0);
	result->hidden = mz_alloc((count + 1) * sizeof *result->hidden);
	result->hidden_dropped = session->hidden_dropped + (result->hidden ? 0 : count);
	if (!result->hidden) return;
	for (uint32_t i = 0; i < session->nhidden; i++)
		mz_hidden_describe(&session->hidden[i], &result->hidden[result->nhidden++]);
	fill_lost(result, inputs);
}

static void fill_solver(struct run *run)
{
	const struct mz_session_inputs *inputs = &run->memory.session->inputs;
	if (!explores_inputs(run) || !inputs->count) return;
	run->reporter.result.solver = (struct mz_result_solver){.used = true,
	                                                        .queries = inputs->solver.queries,
	                                                        .sat = inputs->solver.sat,
	                                                        .unsat = inputs->solver.unsat,
	                                                        .timeouts = inputs->solver.timeouts,
	                                                        .limited = inputs->nlimits,
	                                                        .seconds = (double)inputs->solver.nanoseconds / 1e9};
}

static struct mz_optional bound_of(uint64_t bound)
{
	return (struct mz_optional){bound != MZ_ANY, bound != MZ_ANY ? bound : 0};
}

/* Returns the bound on preemptions that everything said is within: with --iterate the one that was reached. */
static struct mz_optional preemption_bound(const struct run *run)
{
	const struct mz_session *session = run->memory.session;
	if (session->exhausted) return (struct mz_optional){0};
	if (run->configuration->iterate && session->raising) return bound_of(session->bound);
	return bound_of(run->configuration->preemptions);
}

static void fill_result(struct run *run)
{
	const struct mz_session *session = run->memory.session;
	struct mz_result *result = &run->reporter.result;
	result->version = MZ_VERSION;
	result->program = run->subject.argv;
	result->strategy = run->configuration->strategy;
	result->method = method(run);
	result->as_published = run->configuration->as_published;
	result->points = run->configuration->points == MZ_POINTS_ALL ? "all" : "sync";
	bool sync = run->configuration->points != MZ_POINTS_ALL;
	result->plain_unjudged = sync && !run->configuration->races;
	result->races_may_be_missed = sync && run->configuration->races && is_stateful(run);
	result->executions = session->executions;
	result->executed = session->executed;
	result->redundant = session->redundant;
	result->assumed = session->assumed;
	result->shared_operations = session->operations;
	result->tests = run->wanted->tests;
	result->ntests = session->inputs.written;
	result->preemption_bound = preemption_bound(run);
	result->fair_bound = bound_of(run->configuration->fair);
	result->delay_bound = bound_of(run->configuration->delays);
	result->switch_bound = bound_of(run->configuration->switches);
	result->depth_bound = (struct mz_optional){run->configuration->max_depth != 0, run->configuration->max_depth};
	result->traces = (struct mz_optional){session->traces_known, session->traces};
	result->local_states = (struct mz_optional){run->configuration->count_local_states, session->local_states};
	result->traces_lead = traces_lead(run, session->counted, session->traces, session->executions);
	result->traces_promised = !run->configuration->count_traces;
	result->steps = session->steps;
	result->stateful = is_stateful(run);
	result->never_ends = session->never_ends;
	result->states = (struct mz_optional){session->graphs > 0, session->graphs};
	result->state_bytes = session->graph_bytes;
	fill_iterations(run);
	fill_uncontrolled(run);
	fill_hidden(run);
	fill_solver(run);
	/* a worker that came to its end has measured the search alone, without the start of its process */
	result->seconds = session->nanoseconds ? (double)session->nanoseconds / 1e9 : run->worker.seconds;
	result->seconds += run->resume.seconds;
	result->peak_rss_kb = (uint64_t)run->worker.peak_rss_kb;
}

static int report(struct run *run)
{
	MZ_PLANT("supervisor");
	report_findings(run);
	judge(run);
	judge_cluster(run);
	judge_inputs(run);
	judge_given_up(run);
	judge_findings(run);
	judge_limits(run);
	judge_assumptions(run);
	judge_races(run);
	judge_kept(run);
	fill_result(run);
	return mz_reporter_close(&run->reporter);
}

/* Checks that the worker could run the program. Returns 0, or an exit status after saying what made that impossible. */
static int check_worker(const struct run *run)
{
	const struct mz_session *session = run->memory.session;
	const struct mz_campaign_cluster *cluster = run->wanted->cluster;
	bool started = run->worker.end != MZ_WORKER_NOT_STARTED;
	if (!started && cluster && *cluster->trouble) return mz_refuse("%s", cluster->trouble);
	if (!started) return mz_refuse("cannot start '%s': %s", run->subject.path, strerror(run->worker.status));
	if (session->outcome == MZ_OUTCOME_UNSUPPORTED && !session->nfindings)
		return mz_refuse("%s cannot be explored: %s", run->subject.path, session->message);
	bool silent = session->outcome == MZ_OUTCOME_NONE && !session->running && !run->memory.damaged;
	if (silent && run->worker.end == MZ_WORKER_EXITED)
		return mz_refuse("'%s' ended with status %d before its main function was reached (or was built with "
		                 "another mazurka: build it again)",
		                 run->subject.path, run->worker.status);
	return 0;
}

/* Gives a worker of several what it needs to explore inputs. */
static void equip(void *self, uint32_t worker, struct mz_session *session)
{
	const struct run *run = self;
	session->inputs.tests = run->tests;
	mz_solvers_equip(&run->solvers, worker, session);
}

static int explore(struct run *run)
{
	mz_subject_begin(&run->subject);
	struct mz_worker_job job = mz_subject_job(&run->subject, &run->memory);
	job.timeout = run->configuration->timeout;
	job.watch = report_iterations;
	job.watcher = run;
	job.equip = equip;
	job.equipper = run;
	uint32_t jobs = (uint32_t)run->configuration->jobs;
	bool kept = run->wanted->resume;
	if (kept) job.environment = run->resume.environment.list;
	const struct mz_campaign_cluster *cluster = run->wanted->cluster;
	if (cluster) job.environment = cluster->environment;
	bool shared = jobs > 1 || kept || cluster || is_stateful(run);
	run->worker = shared
	                  ? mz_crew_run(&job, jobs, kept ? &run->resume.keeper : NULL, cluster ? cluster->link : NULL)
	                  : mz_worker_run(&job);
	if (cluster) cluster->finish(cluster->self, run->memory.session, &run->worker);
	int failed = check_worker(run);
	return failed ? failed : report(run);
}

static int run_through(struct run *run)
{
	int failed = mz_reporter_open(&run->reporter, run->wanted, &run->subject);
	if (failed) return failed;
	under_way = run;
	mz_bug_tell(save_schedule);
	int status = explore(run);
	mz_bug_tell(NULL);
	under_way = NULL;
	mz_reporter_release(&run->reporter);
	mz_free(run->unseen_object);
	mz_free(run->unseen_location);
	return status;
}

/* Prepares for exploring the inputs of a program that was built for it. */
static int open_inputs(struct run *run)
{
	struct mz_session *session = run->memory.session;
	if (run->wanted->tests && (run->tests = mz_output_open_tests(run->wanted->tests)) < 0) return MZ_EXIT_USAGE;
	session->inputs.tests = run->tests;
	if (!run->subject.path || !mz_program_is_symbolic(run->subject.path)) return 0;
	int refused = mz_configuration_check_inputs(run->configuration);
	if (!refused && run->wanted->cluster && run->wanted->tests)
		refused = mz_refuse("--tests cannot be combined with --cluster: each machine would need the folder");
	if (!refused) refused = mz_solvers_start(&run->solvers, run->configuration);
	if (!refused) equip(run, 0, session);
	return refused;
}

static int open_session(struct run *run)
{
	int refused = mz_configuration_check(run->configuration);
	if (refused) return refused;
	const char *option = run->wanted->resume ? "--resume" : "--cluster";
	bool kept = run->wanted->resume || run->wanted->cluster;
	if (run->wanted->resume && run->wanted->cluster) return mz_refuse("--resume cannot be combined with --cluster");
	if (kept) refused = mz_configuration_check_kept(run->configuration, option);
	if (refused) return refused;
	mz_configuration_complete(&run->subject.configuration);
	if (run->wanted->resume) refused = mz_resume_open(&run->resume, run->wanted->resume, &run->subject);
	if (run->wanted->cluster) refused = run->wanted->cluster->open(run->wanted->cluster->self, &run->subject);
	if (refused) return refused;
	if (mz_session_open(&run->memory, run->configuration, MZ_MODE_EXPLORE) == 0) return open_inputs(run);
	return mz_refuse("no memory for executions of %u steps (--max-steps): %s", run->configuration->max_steps,
	                 strerror(errno));
}

/* Blocks signals throughout, so that none ends this process before the result is written. */
int mz_campaign(const struct mz_reporting *wanted, const struct mz_subject *subject)
{
	struct run *run = mz_alloc(sizeof *run);
	sigset_t old;
	if (!run) return mz_refuse("out of memory");
	memset(run, 0, sizeof *run);
	run->wanted = wanted;
	run->tests = -1;
	run->subject = *subject;
	run->configuration = &run->subject.configuration;
	mz_workers_begin(&old);
	int status = open_session(run);
	if (!status) {
		status = run_through(run);
		mz_solvers_stop(&run->solvers);
		mz_free(run->schedule);
		mz_session_close(&run->memory);
	}
	mz_workers_end(&old);
	mz_resume_close(&run->resume);
	if (run->tests >= 0) close(run->tests);
	mz_free(run);
	return status;
}
