/* SPDX-License-Identifier: MIT */
#include "report/result.h"
#include "base/alloc.h"
#include "report/buffer.h"
#include "report/say.h"
#include <inttypes.h>

const char *mz_verdict_name(enum mz_verdict verdict)
{
	static const char *const names[] = {"pass", "bug", "incomplete", "error"};
	return names[verdict];
}

static char *location_of(const struct mz_place *place)
{
	struct mz_buffer text = {0};
	if (!place->file) return mz_trace_copy_string(place->function);
	mz_buffer_add_string(&text, place->file);
	if (place->line) mz_buffer_add(&text, ":%" PRIu32, place->line);
	return mz_buffer_take(&text);
}

static char *thread_of(const struct mz_trace *trace, uint32_t thread)
{
	char name[256];
	return thread == MZ_NO_THREAD ? NULL
	                              : mz_trace_copy_string(mz_trace_thread_name(trace, thread, name, sizeof name));
}

static void release_bug(struct mz_result_bug *bug)
{
	mz_free(bug->message);
	mz_free(bug->location);
	mz_free(bug->thread);
	mz_free(bug->trace);
	for (size_t i = 0; i < bug->ninputs; i++) mz_trace_input_release(&bug->inputs[i]);
	mz_free(bug->inputs);
}

void mz_result_hidden_release(struct mz_result_hidden *hidden)
{
	mz_free(hidden->name);
	mz_free(hidden->location);
	mz_free(hidden->reason);
}

/* Returns whether there is memory for copies of the inputs. */
static bool copy_inputs(struct mz_result_bug *bug, const struct mz_trace *trace)
{
	if (!trace->ninputs) return true;
	bug->inputs = mz_alloc(trace->ninputs * sizeof *bug->inputs);
	for (size_t i = 0; bug->inputs && i < trace->ninputs; i++) {
		if (mz_trace_input_copy(&bug->inputs[i], &trace->inputs[i]) != 0) return false;
		bug->ninputs++;
	}
	return bug->inputs;
}

int mz_result_add_bug(struct mz_result *result, const struct mz_trace *trace, const char *path)
{
	const struct mz_trace_finding *finding = &trace->findings[0];
	struct mz_result_bug *bugs = mz_realloc(result->bugs, (result->nbugs + 1) * sizeof *bugs);
	if (!bugs) return -1;
	result->bugs = bugs;
	struct mz_result_bug bug = {.kind = finding->kind,
	                            .message = mz_trace_copy_string(finding->message),
	                            .location = location_of(&finding->place),
	                            .thread = thread_of(trace, finding->thread),
	                            .preemptions = trace->preemptions,
	                            .execution = trace->execution,
	                            .trace = mz_trace_copy_string(path)};
	bool located = bug.location || (!finding->place.file && !finding->place.function);
	bool named = bug.thread || finding->thread == MZ_NO_THREAD;
	if (bug.message && located && named && !path == !bug.trace && copy_inputs(&bug, trace)) {
		bugs[result->nbugs++] = bug;
		return 0;
	}
	release_bug(&bug);
	return -1;
}

void mz_result_conclude(struct mz_result *result, size_t bugs)
{
	result->complete = !result->reason;
	if (bugs)
		result->verdict = MZ_VERDICT_BUG;
	else if (result->broken)
		result->verdict = MZ_VERDICT_ERROR;
	else
		result->verdict = result->complete ? MZ_VERDICT_PASS : MZ_VERDICT_INCOMPLETE;
}

const char *mz_result_scope(const struct mz_result *result)
{
	bool observed = mz_result_observed(result);
	if (!result->complete) return NULL;
	if (result->plain_unjudged || result->races_may_be_missed)
		return observed ? "switches at synchronization" : "what was observed, with switches at synchronization";
	return observed ? "everything" : "what was observed";
}

int mz_result_status(const struct mz_result *result, bool failed)
{
	switch (result->verdict) {
	case MZ_VERDICT_BUG: return MZ_EXIT_BUG;
	case MZ_VERDICT_PASS: return failed ? MZ_EXIT_USAGE : MZ_EXIT_PASS;
	case MZ_VERDICT_INCOMPLETE: return failed ? MZ_EXIT_USAGE : MZ_EXIT_INCOMPLETE;
	case MZ_VERDICT_ERROR: break;
	}
	return MZ_EXIT_USAGE;
}

bool mz_result_observed(const struct mz_result *result)
{
	return !result->nuncontrolled && !result->nhidden && !result->hidden_dropped;
}

uint64_t mz_result_rate(const struct mz_result *result)
{
	if (!(result->seconds > 0)) return 0;
	double rate = (double)(result->executions + result->executed) / result->seconds + 0.5;
	return rate < 1e18 ? (uint64_t)rate : 0;
}

void mz_result_release(struct mz_result *result)
{
	for (size_t i = 0; i < result->nbugs; i++) release_bug(&result->bugs[i]);
	mz_free(result->bugs);
	result->bugs = NULL;
	result->nbugs = 0;
	for (size_t i = 0; i < result->nhidden; i++) mz_result_hidden_release(&result->hidden[i]);
	mz_free(result->hidden);
	result->hidden = NULL;
	result->nhidden = 0;
}
