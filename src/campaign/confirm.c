/* SPDX-License-Identifier: MIT */
#include "campaign/confirm.h"
#include "base/alloc.h"
#include "report/repeat.h"
#include "report/resolve.h"
#include "report/say.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *copy_text(const char *text)
{
	char *copy = mz_alloc(strlen(text) + 1);
	return copy ? strcpy(copy, text) : NULL;
}

static char **copy_arguments(char *const *argv, const char *path)
{
	size_t n = 0;
	while (argv[n]) n++;
	char **copy = mz_alloc((n + 1) * sizeof *copy);
	if (!copy) return NULL;
	for (size_t i = 0; i < n; i++) copy[i] = copy_text(i ? argv[i] : path);
	copy[n] = NULL;
	return copy;
}

/* ---- the finding that comes first ---- */

int mz_trace_add_first(struct mz_trace *trace, enum mz_finding_kind kind, const char *message)
{
	if (!mz_trace_add_finding(trace)) return -1;
	struct mz_trace_finding *findings = trace->findings;
	memmove(findings + 1, findings, (trace->nfindings - 1) * sizeof *findings);
	findings[0] = (struct mz_trace_finding){
	    .kind = kind, .thread = MZ_NO_THREAD, .step = (uint32_t)trace->nsteps, .message = copy_text(message)};
	return findings[0].message ? 0 : -1;
}

/* Moves the n-th finding of the trace, which is the n-th of the session, to the front. */
static void put_first(struct mz_trace *trace, uint32_t n)
{
	if (n >= trace->nfindings) return;
	struct mz_trace_finding found = trace->findings[n];
	memmove(trace->findings + 1, trace->findings, n * sizeof found);
	trace->findings[0] = found;
}

/* Returns the number of the first finding of the expected kind with the expected message. Keys may have the address of
 * an instruction, and in a build that explores inputs an operation on values that depend on inputs is another instruction
 * than the same operation on others, as which it is replayed. */
static uint32_t find_by_message(const struct mz_session *session, const struct mz_expectation *expected)
{
	uint32_t n = 0;
	while (n < session->nfindings && (session->findings[n].kind != expected->kind ||
	                                  strcmp(session->findings[n].message, expected->message) != 0))
		n++;
	return n;
}

/* Returns the number of the finding that was expected, or `nfindings` if it is not there. */
static uint32_t find(const struct mz_session *session, const struct mz_expectation *expected)
{
	uint32_t n = mz_session_find(session, expected->kind, expected->key);
	if (n < session->nfindings || !expected->ninputs) return n;
	return find_by_message(session, expected);
}

static bool has_data_race(const struct mz_session *session)
{
	for (uint32_t n = 0; n < session->nfindings; n++)
		if (session->findings[n].kind == MZ_FINDING_DATA_RACE) return true;
	return session->raced;
}

/* Returns whether a data race explains that steps which no operation orders could not be made in another order: the program
 * did the same once more under the same schedule, so what it does depends on nothing else. The same for a bug that does
 * not show in another order of steps. */
static bool is_explained(const struct mz_session *session, const struct mz_expectation *expected)
{
	if (expected->any || session->configuration.points == MZ_POINTS_ALL) return false;
	if (!expected->raced && !has_data_race(session)) return false;
	if (expected->unseen) return session->signature == expected->signature;
	return expected->reordered && find(session, expected) == session->nfindings;
}

static int judge(const struct mz_subject *subject, const struct mz_session *session,
                 const struct mz_expectation *expected, struct mz_trace *trace)
{
	if (expected->any) return 0;
	uint32_t found = find(session, expected);
	if (found < session->nfindings) {
		put_first(trace, found);
		return 0;
	}
	if (expected->kind == MZ_FINDING_NONDETERMINISM)
		return mz_trace_add_first(trace, MZ_FINDING_NONDETERMINISM, expected->message);
	char text[480];
	snprintf(text, sizeof text, "%s (%s) in execution %lu did not happen again under the same schedule%s",
	         mz_finding_name((enum mz_finding_kind)expected->kind), expected->message,
	         (unsigned long)expected->execution,
	         subject->configuration.isolation == MZ_ISOLATION_PROCESS ? "" : MZ_TRY_ISOLATION);
	return mz_trace_add_first(trace, MZ_FINDING_NONDETERMINISM, text);
}

/* ---- replaying ---- */

static int describe(const struct mz_subject *subject, const struct mz_expectation *expected, struct mz_trace *trace)
{
	trace->program = copy_arguments(subject->argv, subject->path);
	trace->identity = copy_text(subject->identity);
	trace->configuration = subject->configuration;
	trace->execution = expected->execution;
	trace->cancels = expected->requests.kinds & MZ_REQUESTS_CANCEL;
	trace->signals = expected->requests.kinds & MZ_REQUESTS_SIGNAL;
	trace->exits = expected->requests.kinds & MZ_REQUESTS_EXIT;
	trace->ignored = expected->requests.kinds & MZ_REQUESTS_IGNORED;
	trace->handlers = expected->requests.kinds & MZ_REQUESTS_HANDLERS;
	trace->process_signals = expected->requests.process_signals;
	trace->check = subject->check;
	if (expected->files && *expected->files && !(trace->files = copy_arguments(expected->files, *expected->files)))
		return -1;
	return trace->program && trace->identity ? 0 : -1;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* What was found until the time was over is replayed in a tenth of it more, and a second at least. */
void mz_subject_begin(struct mz_subject *subject)
{
	double timeout = subject->configuration.timeout, more = timeout / 10 > 1 ? timeout / 10 : 1;
	subject->deadline = timeout > 0 ? now() + timeout + more : 0;
}

double mz_subject_time_left(const struct mz_subject *subject)
{
	double left = subject->deadline > 0 ? subject->deadline - now() : INFINITY;
	return left > 0 ? left : 0;
}

struct mz_worker_job mz_subject_job(const struct mz_subject *subject, struct mz_session_memory *memory)
{
	return (struct mz_worker_job){.path = subject->path,
	                              .argv = subject->argv,
	                              .memory = memory,
	                              .body = subject->body,
	                              .body_argument = subject->body_argument,
	                              .show_output = subject->show_output,
	                              .stall_timeout = subject->configuration.stall_timeout};
}

/* Moves the text of an input from where the recording has it. */
static void take_text(struct mz_trace_input *input, struct mz_trace_input *recorded, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct mz_trace_input *from = &recorded[i];
		if (!from->text || from->thread != input->thread || from->nth != input->nth ||
		    from->size != input->size)
			continue;
		input->text = from->text;
		from->text = NULL;
		return;
	}
}

/* Adds the inputs that the execution has marked; without a replay (`any`) nobody knows which, and all are added. */
static int add_inputs(struct mz_trace *trace, const struct mz_session_inputs *inputs, const uint8_t *values,
                      uint32_t count, bool any)
{
	for (uint32_t n = 0; n < count; n++) {
		const struct mz_session_input *from = &inputs->inputs[n];
		bool known = from->thread == MZ_NO_THREAD || from->thread == 0 ||
		             (from->thread < trace->nthreads && trace->threads[from->thread].parent != MZ_NO_THREAD);
		if (!known || !(any || from->marked)) continue;
		struct mz_trace_input *input = mz_trace_add_input(trace);
		const struct mz_trace_input found = {.thread = from->thread,
		                                     .nth = from->nth,
		                                     .name = (char *)from->name,
		                                     .bytes = (uint8_t *)values + from->first,
		                                     .size = from->size};
		if (!input || mz_trace_input_copy(input, &found) != 0) return -1;
	}
	return 0;
}

/* Replaces the inputs of the recording by those of the session, which are in the order in which the run found them. */
static int settle_inputs(struct mz_trace *trace, const struct mz_session_inputs *inputs)
{
	struct mz_trace recorded = {.inputs = trace->inputs, .ninputs = trace->ninputs};
	trace->inputs = NULL;
	trace->ninputs = trace->inputs_capacity = 0;
	int failed = add_inputs(trace, inputs, inputs->values, inputs->count, false);
	for (size_t i = 0; i < trace->ninputs; i++) take_text(&trace->inputs[i], recorded.inputs, recorded.ninputs);
	mz_trace_release(&recorded);
	return failed;
}

static void set_inputs(struct mz_session_inputs *inputs, const struct mz_expectation *expected)
{
	if (!expected->ninputs) return;
	inputs->count = expected->ninputs;
	inputs->nbytes = expected->inputs->nbytes;
	memcpy(inputs->inputs, expected->inputs->inputs, expected->ninputs * sizeof *inputs->inputs);
	for (uint32_t n = 0; n < inputs->count; n++) inputs->inputs[n].marked = 0;
	memcpy(inputs->values, expected->values, inputs->nbytes);
}

static int open_session(struct mz_session_memory *memory, const struct mz_subject *subject,
                        const struct mz_expectation *expected)
{
	if (mz_session_open(memory, &subject->configuration, MZ_MODE_REPLAY) != 0) return -1;
	memory->session->check = subject->check;
	memory->session->learned.requests = expected->requests;
	if (expected->reordered) memory->session->learned.requests.kinds |= MZ_REQUESTS_RACES;
	set_inputs(&memory->session->inputs, expected);
	return 0;
}

static void set_files(struct mz_session *session, char *const *files)
{
	for (; files && *files && session->learned.nfiles < MZ_SESSION_FILES; files++)
		snprintf(session->learned.files[session->learned.nfiles++], MZ_SESSION_FILE_NAME, "%s", *files);
}

/* Replaces "file 1" and so on, as objects of steps, by the names of the files. */
static int name_files(struct mz_trace *trace)
{
	size_t count = 0;
	while (trace->files && trace->files[count]) count++;
	for (size_t i = 0; i < trace->nsteps && count; i++) {
		unsigned number = 0;
		char *object = trace->steps[i].object;
		if (!object || sscanf(object, "file %u", &number) != 1 || !number || number > count) continue;
		const char *path = trace->files[number - 1], *slash = strrchr(path, '/');
		char *name = copy_text(slash ? slash + 1 : path);
		if (!name) return -1;
		mz_free(object);
		trace->steps[i].object = name;
	}
	return 0;
}

static struct mz_replay replay_of(const struct mz_expectation *expected)
{
	return (struct mz_replay){expected->schedule, expected->steps, expected->threads, expected->nthreads};
}

/* ---- the schedule alone ---- */

/* Adds the threads of the expectation that the trace does not know yet. */
static int add_threads(struct mz_trace *trace, const struct mz_expectation *expected)
{
	for (uint32_t t = 0; t < expected->nthreads || t == 0; t++) {
		if (t >= trace->nthreads && !mz_trace_add_thread(trace)) return -1;
		struct mz_session_thread who = t ? expected->threads[t] : (struct mz_session_thread){MZ_NO_THREAD, 0};
		bool known = who.parent < t && (who.parent == 0 || trace->threads[who.parent].parent != MZ_NO_THREAD);
		if (!known || trace->threads[t].parent != MZ_NO_THREAD) continue;
		trace->threads[t].parent = who.parent;
		trace->threads[t].nth = who.nth;
	}
	return 0;
}

/* Adds the steps that were not recorded, up to the first that makes no sense. Of these only the thread and the choice
 * are known, not what was done. */
static int add_rest(struct mz_trace *trace, const struct mz_expectation *expected)
{
	if (add_threads(trace, expected) != 0) return -1;
	for (size_t n = trace->nsteps; n < expected->steps; n++) {
		struct mz_step go = expected->schedule[n];
		bool known =
		    go.thread == 0 || (go.thread < trace->nthreads && trace->threads[go.thread].parent != MZ_NO_THREAD);
		if (!known || go.choice == UINT32_MAX) break;
		struct mz_trace_step *step = mz_trace_add_step(trace);
		if (!step) return -1;
		step->step = go;
		step->alternatives = go.choice + 1;
		step->op = MZ_OP_ACCESS;
		step->kind = MZ_READ;
	}
	return 0;
}

int mz_trace_from_schedule(const struct mz_subject *subject, const struct mz_expectation *expected,
                           struct mz_trace *trace)
{
	*trace = (struct mz_trace){0};
	if (describe(subject, expected, trace) != 0 || add_rest(trace, expected) != 0) return -1;
	return add_inputs(trace, expected->inputs, expected->values, expected->ninputs, true);
}

/* ---- a replay ---- */

#define LEAST_SECONDS 0.001 /* for a replay whose time is over */

static int run_replay(const struct mz_subject *subject, const struct mz_expectation *expected,
                      struct mz_session_memory *memory, struct mz_trace *trace, struct mz_worker_result *result)
{
	void *data = NULL;
	size_t size = 0;
	struct mz_worker_job job = mz_subject_job(subject, memory);
	double left = mz_subject_time_left(subject);
	job.timeout = isinf(left) ? 0 : left > 0 ? left : LEAST_SECONDS;
	job.hangs = expected->hangs;
	struct mz_replay replay = replay_of(expected);
	set_files(memory->session, expected->files);
	pthread_t stepper;
	bool steps = subject->stepper != NULL;
	memory->session->stepwise = steps;
	if (steps && pthread_create(&stepper, NULL, subject->stepper, memory->session) != 0)
		memory->session->stepwise = steps = false;
	int failed = mz_worker_replay(&job, &replay, &data, &size, result);
	if (steps) {
		pthread_cancel(stepper);
		pthread_join(stepper, NULL);
	}
	if (!failed) failed = mz_trace_from_recording(trace, data, size, NULL, NULL);
	if (!failed) failed = describe(subject, expected, trace);
	if (!failed) failed = name_files(trace);
	if (!failed) failed = settle_inputs(trace, &memory->session->inputs);
	mz_free(data);
	return failed;
}

static void say_end(const struct mz_subject *subject, const struct mz_session *session, struct mz_confirmation *c)
{
	const char *name = sigabbrev_np(c->worker.status);
	switch (c->worker.end) {
	case MZ_WORKER_NOT_STARTED:
		snprintf(c->why, sizeof c->why, "its replay could not be started: %s", strerror(c->worker.status));
		return;
	case MZ_WORKER_SIGNALLED:
		snprintf(c->why, sizeof c->why, "its replay was killed by SIG%s", name ? name : "RT");
		return;
	case MZ_WORKER_STALLED:
		snprintf(c->why, sizeof c->why, "its replay made no step for %g s",
		         subject->configuration.stall_timeout);
		return;
	case MZ_WORKER_INTERRUPTED: snprintf(c->why, sizeof c->why, "its replay was interrupted"); return;
	case MZ_WORKER_TIMEOUT:
		snprintf(c->why, sizeof c->why, "its replay was not done when --timeout %g was reached",
		         subject->configuration.timeout);
		return;
	default: break;
	}
	if (session->outcome == MZ_OUTCOME_UNSUPPORTED)
		snprintf(c->why, sizeof c->why, "its replay ended: %s", session->message);
	else
		snprintf(c->why, sizeof c->why, "its replay ended with status %d", c->worker.status);
}

static bool came_to_its_end(const struct mz_session *session, const struct mz_worker_result *worker)
{
	enum mz_outcome outcome = (enum mz_outcome)session->outcome;
	return worker->end == MZ_WORKER_EXITED && (outcome == MZ_OUTCOME_DONE || outcome == MZ_OUTCOME_LIMIT);
}

static enum mz_confirmed conclude(const struct mz_subject *subject, const struct mz_session *session,
                                  const struct mz_expectation *expected, struct mz_trace *trace,
                                  struct mz_confirmation *c)
{
	if (session->outcome == MZ_OUTCOME_INTERNAL) {
		snprintf(c->why, sizeof c->why, "%s", session->message);
		add_rest(trace, expected);
		return MZ_BROKEN;
	}
	bool whole = came_to_its_end(session, &c->worker);
	if (!whole && (expected->any || find(session, expected) == session->nfindings)) {
		say_end(subject, session, c);
		add_rest(trace, expected);
		return MZ_NOT_REPLAYED;
	}
	if (whole && is_explained(session, expected)) return MZ_EXPLAINED;
	if (session->nfindings > trace->nfindings) {
		snprintf(c->why, sizeof c->why, "its replay could not be recorded");
		add_rest(trace, expected);
		return MZ_NOT_REPLAYED;
	}
	if (judge(subject, session, expected, trace) == 0 && mz_trace_explain_endless(trace) == 0) return MZ_CONFIRMED;
	snprintf(c->why, sizeof c->why, "there is no memory for its trace");
	return MZ_NOT_REPLAYED;
}

enum mz_confirmed mz_confirm(const struct mz_subject *subject, const struct mz_expectation *expected,
                             struct mz_trace *trace, struct mz_confirmation *confirmation)
{
	struct mz_session_memory memory;
	enum mz_confirmed confirmed = MZ_NOT_REPLAYED;
	*trace = (struct mz_trace){0};
	*confirmation = (struct mz_confirmation){.worker = {.end = MZ_WORKER_NOT_STARTED, .status = ENOMEM}};
	if (open_session(&memory, subject, expected) != 0) {
		snprintf(confirmation->why, sizeof confirmation->why, "there is no memory for its replay: %s",
		         strerror(errno));
		return confirmed;
	}
	if (run_replay(subject, expected, &memory, trace, &confirmation->worker) == 0)
		confirmed = conclude(subject, memory.session, expected, trace, confirmation);
	else
		snprintf(confirmation->why, sizeof confirmation->why, "its replay could not be recorded: %s",
		         strerror(errno ? errno : ENOMEM));
	mz_session_close(&memory);
	return confirmed;
}

int mz_gdb_prepare(const struct mz_subject *subject, const struct mz_expectation *expected)
{
	struct mz_session_memory memory;
	char fd[16];
	if (open_session(&memory, subject, expected) != 0) {
		mz_refuse("no memory for a replay: %s", strerror(errno));
		return -1;
	}
	struct mz_replay replay = replay_of(expected);
	set_files(memory.session, expected->files);
	mz_session_prepare_replay(memory.session, &replay, -1);
	snprintf(fd, sizeof fd, "%d", memory.fd);
	if (setenv(MZ_SESSION_VARIABLE, fd, 1) != 0) {
		mz_refuse("out of memory");
		return -1;
	}
	return 0;
}
