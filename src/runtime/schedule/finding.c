/* SPDX-License-Identifier: MIT
 *
 * Findings of the execution under way. The session keeps each distinct one with the schedule that led there; the same
 * bug in another execution is the same finding.
 */
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *mz_thread_name(const struct mz_fiber *fiber, char buffer[MZ_THREAD_NAME])
{
	uint32_t path[32], depth = 0, t = fiber->index;
	while (t != 0 && depth < 32) {
		path[depth++] = mz_rt.session->threads[t].nth;
		t = mz_rt.session->threads[t].parent;
	}
	int length = snprintf(buffer, MZ_THREAD_NAME, "main");
	while (depth && length < MZ_THREAD_NAME - 12)
		length += snprintf(buffer + length, (size_t)(MZ_THREAD_NAME - length), "/%u", path[--depth]);
	return buffer;
}

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0;
	while (*text) hash = mz_hash2(hash, (uint8_t)*text++);
	return hash;
}

/* Equal for what is the same bug. A place that the program named itself is that place, wherever the optimiser put the
 * call, and however often. Races, deadlocks and livelocks have several places, which are all in the report's own key.
 */
static uint64_t key_of(const struct mz_report *report, const char *message)
{
	if (report->file) return mz_hash2(mz_hash2(hash_text(report->file), report->line), hash_text(message));
	switch (report->kind) {
	case MZ_FINDING_DATA_RACE:
	case MZ_FINDING_DEADLOCK:
	case MZ_FINDING_LIVELOCK: return report->key;
	default: break;
	}
	uint64_t code = report->place.address ? mz_image_code_id(report->place.address) : report->line;
	return mz_hash2(mz_hash2(code, report->kind), report->key);
}

/* What is true of a bug in any execution is true of it. */
static void add_to_known(struct mz_session_finding *finding, const struct mz_report *report)
{
	finding->parts |= report->parts;
	if (report->unordered > finding->unordered) finding->unordered = report->unordered;
}

/* Adds a finding to the session if it is new. Reports whether it was. An execution after which the search starts over
 * has not made all its steps: its schedule shows nothing, and the finding will come again. */
static bool add_to_session(const struct mz_report *report, const char *message)
{
	struct mz_session *session = mz_rt.session;
	uint64_t key = key_of(report, message);
	if (mz_rt.execution.must_restart_search) return false;
	uint32_t known = mz_session_find(session, report->kind, key);
	if (known < session->nfindings) add_to_known(&session->findings[known], report);
	if (known < session->nfindings || (mz_rt.mode.stop_at_finding && session->nfindings)) return false;
	if (session->nfindings == MZ_SESSION_FINDINGS) {
		session->findings_dropped++;
		return false;
	}
	uint32_t n = session->nfindings;
	struct mz_session_finding *finding = &session->findings[n];
	*finding =
	    (struct mz_session_finding){.kind = report->kind,
	                                .steps = mz_rt.execution.nsteps,
	                                .requests = session->learned.requests,
	                                .files = session->learned.nfiles,
	                                .key = key,
	                                .bound = session->bound,
	                                .parts = report->parts,
	                                .unordered = report->unordered,
	                                .unseen = report->unseen,
	                                .signature = mz_rt.execution.signature,
	                                .execution = session->executions + session->redundant + session->assumed + 1};
	struct mz_step *schedule = mz_session_schedule(session, n);
	finding->schedule = (uint64_t)((uint8_t *)schedule - (uint8_t *)session);
	if (!mz_rt.mode.replaying)
		MZ_REAL(memcpy)(schedule, mz_rt.execution.schedule, mz_rt.execution.nsteps * sizeof *schedule);
	mz_inputs_keep(n);
	snprintf(finding->message, sizeof finding->message, "%s", message);
	session->nfindings = n + 1;
	return true;
}

/* Handles a finding in a program that is not being explored: prints the message and aborts. */
static void report_outside(const struct mz_report *report, const char *message)
{
	fprintf(stderr, "mazurka: %s: %s\n", mz_finding_name(report->kind), message);
	MZ_REAL(abort)();
}

void mz_report(const struct mz_report *report, const char *format, ...)
{
	mz_caller_deepens();
	char message[sizeof mz_rt.session->findings[0].message];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (!mz_current && !mz_rt.generation) report_outside(report, message);
	mz_rt.execution.nfindings++;
	if (!mz_rt.way->shows_findings) return;
	if (add_to_session(report, message) && mz_rt.mode.replaying) mz_record_finding(report, message);
}

void mz_report_detail(struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length, const char *format,
                      ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (mz_rt.mode.replaying) mz_record_detail(thread, code, address, length, text);
}

_Noreturn void mz_unsupported(const char *why)
{
	if (!mz_rt.session) {
		fprintf(stderr, "mazurka: %s\n", why);
	} else {
		snprintf(mz_rt.session->message, sizeof mz_rt.session->message, "%s", why);
		mz_rt.session->outcome = MZ_OUTCOME_UNSUPPORTED;
	}
	MZ_REAL(_exit)(2);
	__builtin_unreachable();
}

_Noreturn void mz_thread_failed(struct mz_fiber *self)
{
	if (mz_rt.invariants.evaluating) mz_invariant_abort();
	mz_finish(self, MZ_FIBER_STOPPED);
}
