/* SPDX-License-Identifier: MIT */
#include "campaign/reporter.h"
#include "campaign/output.h"
#include "report/json.h"
#include "report/say.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KILLED_TRIES 2 /* replays of a finding, because a signal from outside may kill one of them */

static bool to_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

int mz_reporter_open(struct mz_reporter *reporter, const struct mz_reporting *wanted, const struct mz_subject *subject)
{
	*reporter = (struct mz_reporter){.wanted = wanted, .subject = subject};
	if (wanted->out && mz_output_make_folder(wanted->out, &reporter->output_made) != 0) return MZ_EXIT_USAGE;
	reporter->output_open = wanted->out != NULL;
	if (wanted->json && !to_stdout(wanted->json) && mz_output_prepare(wanted->json) != 0)
		return mz_refuse("cannot write '%s': %s", wanted->json, strerror(errno));
	if (wanted->quiet) return 0;
	mz_text_init(&reporter->text, to_stdout(wanted->json) || wanted->to_stderr ? stderr : stdout);
	reporter->sink = mz_text_sink(&reporter->text);
	return 0;
}

/* ---- traces ---- */

/* Writes a trace to the output folder. Returns whether that worked; the trace is then at `path`. */
static bool write_trace(struct mz_reporter *reporter, const char *name, const struct mz_trace *trace,
                        char path[PATH_MAX])
{
	const char *folder = reporter->wanted->out ? reporter->wanted->out : MZ_OUTPUT_DEFAULT;
	if (!reporter->output_open) reporter->output_open = mz_output_make_folder(folder, &reporter->output_made) == 0;
	if (reporter->output_open && !reporter->output_used) mz_output_remove_traces(folder, reporter->subject->check);
	bool written = reporter->output_open && mz_output_write_trace(folder, name, trace, path) == 0;
	reporter->output_used |= reporter->output_open;
	reporter->failed |= !written;
	return written;
}

static void tell_bug(struct mz_reporter *reporter, const struct mz_trace *trace)
{
	char path[PATH_MAX], name[MZ_OUTPUT_NAME];
	mz_output_trace_name(name, reporter->subject->check, (uint32_t)++reporter->bugs);
	bool written = write_trace(reporter, name, trace, path);
	if (reporter->sink.finding) reporter->sink.finding(reporter->sink.self, trace, written ? path : NULL);
	if (mz_result_add_bug(&reporter->result, trace, written ? path : NULL) != 0) {
		mz_refuse("no memory for a bug: %s: %s", mz_finding_name(trace->findings[0].kind),
		          trace->findings[0].message);
		reporter->failed = true;
	}
}

void mz_reporter_add_internal_error(struct mz_reporter *reporter, const char *what, const struct mz_trace *trace)
{
	if (*reporter->error) return;
	snprintf(reporter->error, sizeof reporter->error, "%s", what);
	if (!trace->program || !write_trace(reporter, MZ_OUTPUT_BROKEN, trace, reporter->error_trace))
		reporter->error_trace[0] = 0;
}

/* ---- findings ---- */

static enum mz_confirmed confirm(struct mz_reporter *reporter, const struct mz_expectation *expected,
                                 struct mz_trace *trace, struct mz_confirmation *confirmation)
{
	enum mz_confirmed confirmed = MZ_NOT_REPLAYED;
	for (int i = 0; i < KILLED_TRIES; i++) {
		confirmed = mz_confirm(reporter->subject, expected, trace, confirmation);
		if (confirmed != MZ_NOT_REPLAYED || confirmation->worker.end != MZ_WORKER_SIGNALLED) break;
		if (i + 1 < KILLED_TRIES) mz_trace_release(trace);
	}
	reporter->interrupted |= confirmation->worker.end == MZ_WORKER_INTERRUPTED;
	return confirmed;
}

/* Reports a finding that no replay confirmed. Any kind but a crash was seen by the worker itself, and is reported as a
 * bug with its schedule alone. A crash may have come from outside, and is only counted. */
static void tell_unconfirmed(struct mz_reporter *reporter, const struct mz_expectation *expected, const char *why)
{
	char message[600];
	struct mz_trace trace;
	snprintf(message, sizeof message, "%s (%s)", expected->message, why);
	bool crash = expected->kind == MZ_FINDING_CRASH;
	if (!crash && mz_trace_from_schedule(reporter->subject, expected, &trace) == 0 &&
	    mz_trace_add_first(&trace, (enum mz_finding_kind)expected->kind, message) == 0) {
		tell_bug(reporter, &trace);
	} else {
		if (!reporter->unconfirmed++) snprintf(reporter->why, sizeof reporter->why, "%s", why);
	}
	if (!crash) mz_trace_release(&trace);
}

void mz_reporter_add_finding(struct mz_reporter *reporter, const struct mz_expectation *expected)
{
	struct mz_trace trace;
	struct mz_confirmation confirmation;
	char what[640];
	if (reporter->interrupted) {
		tell_unconfirmed(reporter, expected, "it was not replayed: the run was interrupted");
		return;
	}
	if (mz_subject_time_left(reporter->subject) <= 0) {
		snprintf(what, sizeof what, "it was not replayed: --timeout %g was reached",
		         reporter->subject->configuration.timeout);
		tell_unconfirmed(reporter, expected, what);
		return;
	}
	switch (confirm(reporter, expected, &trace, &confirmation)) {
	case MZ_CONFIRMED: tell_bug(reporter, &trace); break;
	case MZ_EXPLAINED: reporter->explained++; break;
	case MZ_NOT_REPLAYED: tell_unconfirmed(reporter, expected, confirmation.why); break;
	case MZ_BROKEN:
		snprintf(what, sizeof what, "%s, while a bug was replayed: %s: %s", confirmation.why,
		         mz_finding_name((enum mz_finding_kind)expected->kind), expected->message);
		mz_reporter_add_internal_error(reporter, what, &trace);
		break;
	}
	mz_trace_release(&trace);
}

/* Returns whether a signal usually comes from outside the program: a replay that dies of one does not prove a bug. */
static bool proves_nothing(int number)
{
	return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
}

bool mz_reporter_add_lost_worker(struct mz_reporter *reporter, struct mz_expectation *expected, int signal,
                                 const char *message)
{
	struct mz_trace trace;
	struct mz_confirmation confirmation;
	char path[PATH_MAX];
	expected->any = true;
	enum mz_confirmed confirmed = mz_confirm(reporter->subject, expected, &trace, &confirmation);
	bool again = confirmation.worker.end == MZ_WORKER_SIGNALLED && confirmation.worker.status == signal;
	bool bug = signal && !proves_nothing(signal) && (again || trace.nfindings);
	if (confirmed == MZ_BROKEN)
		mz_reporter_add_internal_error(reporter, confirmation.why, &trace);
	else if (bug && (trace.nfindings || mz_trace_add_first(&trace, MZ_FINDING_CRASH, message) == 0))
		tell_bug(reporter, &trace);
	else if (trace.program)
		write_trace(reporter, "last.trace", &trace, path);
	mz_trace_release(&trace);
	return bug;
}

/* ---- the result ---- */

static void write_json(struct mz_reporter *reporter)
{
	const char *path = reporter->wanted->json;
	struct mz_output output;
	if (!path) return;
	bool written;
	if (to_stdout(path))
		written = mz_json_write(&reporter->result, stdout) == 0;
	else
		written = mz_output_open(&output, path) == 0 &&
		          mz_output_close(&output, mz_json_write(&reporter->result, output.out) == 0) == 0;
	if (!written) mz_refuse("cannot write '%s': %s", path, strerror(errno));
	reporter->failed |= !written;
}

int mz_reporter_close(struct mz_reporter *reporter)
{
	struct mz_result *result = &reporter->result;
	result->broken = *reporter->error;
	mz_result_conclude(result, reporter->bugs);
	write_json(reporter);
	if (reporter->sink.result && reporter->sink.result(reporter->sink.self, result) != 0) {
		mz_refuse("cannot write the result: %s", strerror(errno));
		reporter->failed = true;
	}
	int status = mz_result_status(result, reporter->failed);
	if (*reporter->error)
		status =
		    mz_refuse_internal_error(reporter->error, *reporter->error_trace ? reporter->error_trace : NULL);
	return status;
}

void mz_reporter_release(struct mz_reporter *reporter)
{
	if (reporter->wanted->out && reporter->output_made && !reporter->output_used) rmdir(reporter->wanted->out);
	mz_result_release(&reporter->result);
}
