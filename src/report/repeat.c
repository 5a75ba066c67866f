/* SPDX-License-Identifier: MIT
 *
 * Read backwards, the execution begins with what repeats. z[p] is how many steps from p on, read backwards, are the
 * same as the first ones: then the last z[p] + p steps have the period p. All z together take linear time (Gusfield,
 * Algorithms on Strings, Trees, and Sequences, 1.4).
 */
#include "report/repeat.h"
#include "base/alloc.h"
#include <stdio.h>
#include <string.h>

#define SHOWN 24 /* how many steps of the part that repeats are shown at most */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns whether the m-th and the n-th step from the end are by the same thread, of the same kind, at the same
 * place. */
static bool same(const struct mz_trace *trace, size_t m, size_t n)
{
	const struct mz_trace_step *a = &trace->steps[trace->nsteps - 1 - m], *b = &trace->steps[trace->nsteps - 1 - n];
	return a->step.thread == b->step.thread && a->op == b->op && a->place.line == b->place.line &&
	       same_text(a->place.file, b->place.file) && same_text(a->place.function, b->place.function);
}

static void fill(const struct mz_trace *trace, size_t *z)
{
	size_t left = 0, right = 0; /* of the stretches found so far, the one that reaches furthest */
	z[0] = trace->nsteps;
	for (size_t p = 1; p < trace->nsteps; p++) {
		z[p] = p < right ? (z[p - left] < right - p ? z[p - left] : right - p) : 0;
		while (p + z[p] < trace->nsteps && same(trace, z[p], p + z[p])) z[p]++;
		if (p + z[p] <= right) continue;
		left = p;
		right = p + z[p];
	}
}

int mz_repeat_find(const struct mz_trace *trace, struct mz_repeat *repeat)
{
	*repeat = (struct mz_repeat){0};
	if (trace->nsteps < 2) return 0;
	size_t *z = mz_alloc(trace->nsteps * sizeof *z), most = 0;
	if (!z) return -1;
	fill(trace, z);
	for (size_t p = 1; p <= trace->nsteps / 2; p++) {
		size_t covered = z[p] + p; /* multiples of a period cover as many steps, so the shortest period wins */
		if (z[p] < p || covered <= most) continue;
		most = covered;
		*repeat = (struct mz_repeat){p, z[p] / p + 1};
	}
	mz_free(z);
	return 0;
}

/* ---- in words ---- */

static int add_place(struct mz_place *to, const struct mz_place *from)
{
	to->line = from->line;
	if (from->function && !(to->function = mz_trace_copy_string(from->function))) return -1;
	if (from->file && !(to->file = mz_trace_copy_string(from->file))) return -1;
	return 0;
}

static int add_detail(struct mz_trace_finding *finding, const char *text, const struct mz_place *place)
{
	struct mz_trace_detail *detail = mz_trace_add_detail(finding);
	if (!detail || !(detail->text = mz_trace_copy_string(text))) return -1;
	return place ? add_place(&detail->place, place) : 0;
}

static int add_step(const struct mz_trace *trace, struct mz_trace_finding *finding, const struct mz_trace_step *step)
{
	char name[256], text[512];
	snprintf(text, sizeof text, "%s  %s%s%s", mz_trace_thread_name(trace, step->step.thread, name, sizeof name),
	         mz_op_name(step->op), step->object ? " " : "", step->object ? step->object : "");
	return add_detail(finding, text, &step->place);
}

static int explain(const struct mz_trace *trace, struct mz_trace_finding *finding, const struct mz_repeat *repeat)
{
	char text[128];
	if (!repeat->length) return add_detail(finding, "no part of it repeats at its end", NULL);
	snprintf(text, sizeof text, "in the end %zu step%s again and again, %zu times:", repeat->length,
	         repeat->length == 1 ? " comes" : "s come", repeat->times);
	int failed = add_detail(finding, text, NULL);
	size_t first = trace->nsteps - repeat->length, shown = repeat->length < SHOWN ? repeat->length : SHOWN;
	for (size_t n = 0; n < shown && !failed; n++) failed = add_step(trace, finding, &trace->steps[first + n]);
	if (failed || shown == repeat->length) return failed;
	snprintf(text, sizeof text, "... and %zu more", repeat->length - shown);
	return add_detail(finding, text, NULL);
}

int mz_trace_explain_endless(struct mz_trace *trace)
{
	struct mz_repeat repeat;
	int failed = 0, searched = 0;
	for (size_t i = 0; i < trace->nfindings && !failed; i++) {
		struct mz_trace_finding *finding = &trace->findings[i];
		if (finding->kind != MZ_FINDING_LIVELOCK || finding->ndetails ||
		    finding->step < trace->configuration.max_steps)
			continue;
		if (!searched++) failed = mz_repeat_find(trace, &repeat);
		if (!failed) failed = explain(trace, finding, &repeat);
	}
	return failed;
}
