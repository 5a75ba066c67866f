/* SPDX-License-Identifier: MIT
 *
 * Everything is put together in memory first and written at once, so that a report is whole or not there.
 */
#include "report/text.h"
#include "base/alloc.h"
#include "report/input.h"
#include "report/listing.h"
#include "report/names.h"
#include "report/source.h"
#include "report/symbols.h"
#include "report/unicode.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_COLUMNS = 90 };

void mz_text_init(struct mz_text *text, FILE *out)
{
	*text = (struct mz_text){.out = out, .colour = isatty(fileno(out)) && !getenv("NO_COLOR")};
}

/* ---- writing ---- */

static int write_out(struct mz_text *text, struct mz_buffer *buffer)
{
	char *words = mz_buffer_take(buffer);
	if (!words) {
		errno = ENOMEM;
		return -1;
	}
	errno = 0;
	fputs(words, text->out);
	mz_free(words);
	if (fflush(text->out) == 0 && !ferror(text->out)) return 0;
	if (errno == 0) errno = EIO;
	return -1;
}

static void add_in_colour(const struct mz_text *text, struct mz_buffer *out, const char *words)
{
	mz_buffer_add(out, "%s%s%s", text->colour ? "\033[1;31m" : "", words, text->colour ? "\033[0m" : "");
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- a trace ---- */

static void add_place(struct mz_buffer *out, const struct mz_place *place)
{
	struct mz_buffer words = {0};
	if (!place->file && !place->function) return;
	mz_place_add(&words, place);
	char *raw = mz_buffer_take(&words);
	mz_buffer_add_string(out, " at ");
	if (raw)
		mz_printable_add(out, raw);
	else
		out->failed = true;
	mz_free(raw);
}

/* Adds the source line of a place, on a line of its own, if it can be read. */
static void add_source(struct mz_buffer *out, struct mz_source *source, const struct mz_place *place)
{
	size_t before = out->length;
	mz_buffer_add_string(out, "        | ");
	if (mz_source_add_line(source, place->file, place->line, SOURCE_COLUMNS, out))
		mz_buffer_add_string(out, "\n");
	else
		out->length = before;
}

static void add_detail(struct mz_buffer *out, struct mz_source *source, const struct mz_trace_detail *detail)
{
	mz_buffer_add_string(out, "    ");
	mz_printable_add(out, detail->text);
	add_place(out, &detail->place);
	mz_buffer_add_string(out, "\n");
	add_source(out, source, &detail->place);
}

/* Adds the inputs of an execution, on a line of their own. */
static void add_inputs(struct mz_buffer *out, const struct mz_trace *trace, const char *before, const char *after)
{
	if (!trace->ninputs) return;
	mz_buffer_add(out, "%swith ", before);
	mz_input_list_add(out, trace->inputs, trace->ninputs);
	mz_buffer_add_string(out, after);
}

static void add_finding(const struct mz_text *text, struct mz_buffer *out, const struct mz_trace *trace,
                        const struct mz_trace_finding *finding)
{
	char name[256];
	struct mz_source source = {0};
	add_in_colour(text, out, "bug: ");
	add_in_colour(text, out, mz_finding_name(finding->kind));
	mz_buffer_add(out, " after %" PRIu32 " step%s, %" PRIu32 " preemption%s\n    ", finding->step,
	              plural(finding->step), trace->preemptions, plural(trace->preemptions));
	mz_printable_add(out, finding->message);
	mz_buffer_add_string(out, "\n");
	if (finding == trace->findings) add_inputs(out, trace, "    ", "\n");
	if (finding->thread != MZ_NO_THREAD)
		mz_buffer_add(out, "    %s", mz_trace_thread_name(trace, finding->thread, name, sizeof name));
	add_place(out, &finding->place);
	if (finding->thread != MZ_NO_THREAD || finding->place.function || finding->place.file)
		mz_buffer_add_string(out, "\n");
	add_source(out, &source, &finding->place);
	for (size_t i = 0; i < finding->ndetails; i++) add_detail(out, &source, &finding->details[i]);
	mz_buffer_add_string(out, "\n");
	mz_source_release(&source);
}

/* Adds the finding that the trace is for in full, and the others of the same execution in one line each, unless `all`
 * asks for all in full. */
static void add_findings(const struct mz_text *text, struct mz_buffer *out, const struct mz_trace *trace)
{
	size_t full = text->all || trace->nfindings == 0 ? trace->nfindings : 1;
	if (!trace->nfindings) add_inputs(out, trace, "", "\n\n");
	for (size_t i = 0; i < full; i++) add_finding(text, out, trace, &trace->findings[i]);
	for (size_t i = full; i < trace->nfindings; i++) {
		mz_buffer_add(out, "also: %s: ", mz_finding_name(trace->findings[i].kind));
		mz_printable_add(out, trace->findings[i].message);
		add_place(out, &trace->findings[i].place);
		mz_buffer_add_string(out, i + 1 < trace->nfindings ? "\n" : "\n\n");
	}
}

static void add_program(struct mz_buffer *out, const struct mz_trace *trace)
{
	mz_buffer_add(out, "execution %" PRIu64 " of", trace->execution);
	for (char *const *argument = trace->program; argument && *argument; argument++) {
		mz_buffer_add_string(out, " ");
		mz_printable_add(out, *argument);
	}
	mz_buffer_add(out, ", %zu step%s:\n", trace->nsteps, plural(trace->nsteps));
}

static bool has_lines(const struct mz_trace *trace)
{
	bool found = trace->nsteps == 0;
	for (size_t i = 0; i < trace->nsteps && !found; i++) found = trace->steps[i].place.line != 0;
	return found;
}

static void add_notes(struct mz_buffer *out, const struct mz_trace *trace, const char *path)
{
	if (!has_lines(trace))
		mz_buffer_add(out, "note: no source lines are known; %s\n",
		              mz_symbols_available()
		                  ? "build the program with -g"
		                  : "this build of Mazurka has no libdw (elfutils) to find them with");
	if (!path) return;
	mz_buffer_add_string(out, "trace: ");
	mz_printable_add(out, path);
	mz_buffer_add_string(out, "\n");
}

int mz_text_write_trace(struct mz_text *text, const struct mz_trace *trace, const char *path)
{
	struct mz_buffer out = {0};
	struct mz_listing_options options = {.all = text->all, .colour = text->colour};
	add_findings(text, &out, trace);
	add_program(&out, trace);
	mz_listing_add(&out, trace, &options);
	add_notes(&out, trace, path);
	return write_out(text, &out);
}

/* ---- a result ---- */

/* Returns how many traces, states or executions were explored, whichever the result counts. */
static uint64_t explored(const struct mz_result *result)
{
	if (result->traces_lead) return result->traces.value;
	return result->stateful ? result->states.value : result->executions;
}

static const char *unit(const struct mz_result *result)
{
	if (result->traces_lead) return "trace";
	return result->stateful ? "state" : "execution";
}

static void add_explored(struct mz_buffer *out, const struct mz_result *result)
{
	mz_buffer_add(out, "%" PRIu64 " %s%s", explored(result), unit(result), plural(explored(result)));
}

/* Adds further counts in brackets, such as "(64 traces, 3 redundant)", if there is anything to say. */
static void add_counts(struct mz_buffer *out, const struct mz_result *result)
{
	const char *before = " (";
	if (result->stateful) {
		mz_buffer_add(out, " (%" PRIu64 " step%s", result->steps, plural(result->steps));
		if (result->assumed)
			mz_buffer_add(out, ", %" PRIu64 " state%s dropped by mz_assume", result->assumed,
			              plural(result->assumed));
		mz_buffer_add_string(out, result->as_published ? ", as published)" : ")");
		return;
	}
	if (result->traces_lead) {
		mz_buffer_add(out, "%s%" PRIu64 " execution%s", before, result->executions, plural(result->executions));
		before = ", ";
	} else if (result->traces.set && !result->traces_promised) {
		mz_buffer_add(out, "%s%" PRIu64 " trace%s", before, result->traces.value, plural(result->traces.value));
		before = ", ";
	}
	if (result->local_states.set) {
		mz_buffer_add(out, "%s%" PRIu64 " local state%s", before, result->local_states.value,
		              plural(result->local_states.value));
		before = ", ";
	}
	if (result->redundant) {
		mz_buffer_add(out, "%s%" PRIu64 " redundant", before, result->redundant);
		before = ", ";
	}
	if (result->assumed) {
		mz_buffer_add(out, "%s%" PRIu64 " execution%s dropped by mz_assume", before, result->assumed,
		              plural(result->assumed));
		before = ", ";
	}
	if (result->method && strcmp(result->method, result->strategy) != 0) {
		mz_buffer_add(out, "%sby %s", before, result->method);
		before = ", ";
	}
	if (result->as_published) {
		mz_buffer_add(out, "%sas published", before);
		before = ", ";
	}
	if (result->states.set && result->states.value) {
		mz_buffer_add(out, "%s%" PRIu64 " graph%s of %" PRIu64 " bytes kept", before, result->states.value,
		              plural(result->states.value), result->state_bytes / result->states.value);
		before = ", ";
	}
	if (strcmp(before, ", ") == 0) mz_buffer_add_string(out, ")");
}

static void add_bounds(struct mz_buffer *out, const struct mz_result *result)
{
	const struct {
		const struct mz_optional *bound;
		const char *before, *after, *plural; /* "s" if NULL */
	} bounds[] = {
	    {&result->preemption_bound, "", " preemption"},
	    {&result->switch_bound, "", " switch", "es"},
	    {&result->delay_bound, "", " delay"},
	    {&result->depth_bound, "", " step"},
	    {&result->fair_bound, "a fairness bound of ", NULL},
	};
	const char *before = " within ";
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		if (!bounds[i].bound->set) continue;
		uint64_t value = bounds[i].bound->value;
		mz_buffer_add(out, "%s%s%" PRIu64, before, bounds[i].before, value);
		const char *ending = bounds[i].plural && value != 1 ? bounds[i].plural : plural(value);
		if (bounds[i].after) mz_buffer_add(out, "%s%s", bounds[i].after, ending);
		before = " and ";
	}
}

/* Adds what a complete result is complete for, unless that is everything. */
static void add_complete(struct mz_buffer *out, const struct mz_result *result)
{
	const char *scope = mz_result_scope(result);
	mz_buffer_add_string(out, ", complete");
	if (strcmp(scope, "everything") != 0) mz_buffer_add(out, " for %s", scope);
	if (result->plain_unjudged) mz_buffer_add_string(out, "; data races were not looked for: see --points all");
	if (result->races_may_be_missed) mz_buffer_add_string(out, "; data races may be missed: see --points all");
	mz_buffer_add_string(out, result->never_ends ? "; the program never ends\n" : "\n");
}

static void add_pass(struct mz_buffer *out, const struct mz_result *result)
{
	mz_buffer_add_string(out, "no bug");
	add_bounds(out, result);
	if (explored(result) == 1)
		mz_buffer_add(out, ": the only %s explored", unit(result));
	else
		mz_buffer_add_string(out, ": all ");
	if (explored(result) != 1) {
		add_explored(out, result);
		mz_buffer_add_string(out, " explored");
	}
	add_counts(out, result);
	add_complete(out, result);
}

/* Says why the search is not complete. */
static void add_reason(struct mz_buffer *out, const struct mz_result *result)
{
	if (!result->broken) mz_buffer_add_string(out, "incomplete: ");
	mz_printable_add(out, result->reason ? result->reason : "a limit was reached");
}

static void add_incomplete(struct mz_buffer *out, const struct mz_result *result)
{
	add_reason(out, result);
	mz_buffer_add_string(out, "; no bug in ");
	add_explored(out, result);
	add_counts(out, result);
	mz_buffer_add_string(out, "\n");
}

static void add_error(struct mz_buffer *out, const struct mz_result *result)
{
	mz_buffer_add_string(out, "no verdict: ");
	mz_printable_add(out, result->reason ? result->reason : "internal error");
	mz_buffer_add_string(out, "\n");
}

static void add_bug(struct mz_buffer *out, const struct mz_result_bug *bug)
{
	mz_buffer_add(out, "  %s: ", mz_finding_name(bug->kind));
	mz_printable_add(out, bug->message);
	if (bug->location) {
		mz_buffer_add_string(out, " at ");
		mz_printable_add(out, bug->location);
	}
	if (bug->ninputs) {
		mz_buffer_add_string(out, " with ");
		mz_input_list_add(out, bug->inputs, bug->ninputs);
	}
	if (bug->trace) {
		mz_buffer_add_string(out, ", trace ");
		mz_printable_add(out, bug->trace);
	}
	mz_buffer_add_string(out, "\n");
}

static void add_bugs(const struct mz_text *text, struct mz_buffer *out, const struct mz_result *result)
{
	char words[64];
	snprintf(words, sizeof words, "%zu bug%s found", result->nbugs, plural(result->nbugs));
	add_in_colour(text, out, words);
	mz_buffer_add_string(out, " in ");
	add_explored(out, result);
	add_counts(out, result);
	if (result->complete) {
		add_complete(out, result);
	} else {
		mz_buffer_add_string(out, ", ");
		add_reason(out, result);
		mz_buffer_add_string(out, "\n");
	}
	for (size_t i = 0; i < result->nbugs; i++) add_bug(out, &result->bugs[i]);
}

/* Adds what the verdict cannot vouch for: calls that were not controlled and code that was not seen. */
static void add_uncontrolled(struct mz_buffer *out, const struct mz_result *result)
{
	for (size_t i = 0; i < result->nuncontrolled; i++) {
		const struct mz_result_call *call = &result->uncontrolled[i];
		mz_buffer_add(out, "%s%s", i ? "; " : "uncontrolled: ", call->name);
		if (call->object) mz_buffer_add(out, " to %s", call->object);
		if (call->location) mz_buffer_add(out, ", noticed at %s", call->location);
		mz_buffer_add(out, call->object || call->location ? ", %" PRIu64 " time%s" : ", %" PRIu64 " call%s",
		              call->calls, plural(call->calls));
	}
	if (result->nuncontrolled) mz_buffer_add_string(out, "\n");
}

static void add_hidden(struct mz_buffer *out, const struct mz_result *result)
{
	for (size_t i = 0; i < result->nhidden; i++) {
		const struct mz_result_hidden *hidden = &result->hidden[i];
		mz_buffer_add(out, "uncontrolled: %s", hidden->kind);
		if (hidden->name) {
			mz_buffer_add_string(out, " ");
			mz_printable_add(out, hidden->name);
		}
		if (hidden->location) {
			mz_buffer_add_string(out, " at ");
			mz_printable_add(out, hidden->location);
		}
		if (hidden->calls > 1) mz_buffer_add(out, ", %" PRIu64 " times,", hidden->calls);
		if (hidden->reason) mz_buffer_add(out, " %s", hidden->reason);
		mz_buffer_add_string(out, "\n");
	}
	if (result->hidden_dropped)
		mz_buffer_add(out, "uncontrolled: %" PRIu64 " more such places\n", result->hidden_dropped);
}

int mz_text_write_result(struct mz_text *text, const struct mz_result *result)
{
	struct mz_buffer out = {0};
	add_uncontrolled(&out, result);
	add_hidden(&out, result);
	if (result->tests)
		mz_buffer_add(&out, "inputs of the paths explored: %" PRIu64 " file%s in %s\n", result->ntests,
		              plural(result->ntests), result->tests);
	switch (result->verdict) {
	case MZ_VERDICT_PASS: add_pass(&out, result); break;
	case MZ_VERDICT_BUG: add_bugs(text, &out, result); break;
	case MZ_VERDICT_INCOMPLETE: add_incomplete(&out, result); break;
	case MZ_VERDICT_ERROR: add_error(&out, result); break;
	}
	return write_out(text, &out);
}

/* ---- the sink ---- */

static void iteration(void *self, const struct mz_result_iteration *done)
{
	struct mz_text *text = self;
	struct mz_buffer out = {0};
	mz_buffer_add(&out, "all %s with at most %" PRIu64 " preemption%s: %" PRIu64,
	              done->traces_lead ? "traces" : "executions", done->preemptions, plural(done->preemptions),
	              done->traces_lead ? done->traces.value : done->executions);
	if (done->traces_lead) mz_buffer_add(&out, " (%" PRIu64 " executions)", done->executions);
	mz_buffer_add_string(&out, ", ");
	if (done->bugs)
		mz_buffer_add(&out, "%" PRIu64 " bug%s\n", done->bugs, plural(done->bugs));
	else
		mz_buffer_add_string(&out, "no bug\n");
	write_out(text, &out); /* what cannot be written now cannot be written at the end either */
}

static void finding(void *self, const struct mz_trace *trace, const char *path)
{
	struct mz_text *text = self;
	mz_text_write_trace(text, trace, path); /* what cannot be written now cannot be written at the end either */
	fputs("\n", text->out);
}

static int result_of(void *self, const struct mz_result *result)
{
	return mz_text_write_result(self, result);
}

struct mz_sink mz_text_sink(struct mz_text *text)
{
	return (struct mz_sink){.self = text, .iteration = iteration, .finding = finding, .result = result_of};
}
