/* SPDX-License-Identifier: MIT
 *
 * Which steps are worth a line when there are many: the first ones, the last ones, and from the end backwards those
 * around preemptions, then around other switches, until there are enough.
 */
#include "report/listing.h"
#include "base/alloc.h"
#include "report/names.h"
#include "report/source.h"
#include "report/unicode.h"
#include <inttypes.h>
#include <string.h>

enum { ENOUGH = 60, FIRST = 2, LAST = 16, SOURCE_COLUMNS = 48, COLUMN_MAX = 48 };

enum column { THREAD, OPERATION, OBJECT, PLACE, COLUMNS };

struct listing {
	struct mz_buffer *out;
	const struct mz_trace *trace;
	const struct mz_listing_options *options;
	bool *shown;
	size_t width[COLUMNS];
	struct mz_source source;
};

/* ---- what is shown ---- */

static size_t mark(struct listing *l, size_t from, size_t to)
{
	size_t added = 0;
	for (size_t i = from; i < to && i < l->trace->nsteps; i++) {
		added += !l->shown[i];
		l->shown[i] = true;
	}
	return added;
}

static bool is_switch(const struct mz_trace *trace, size_t i)
{
	return i > 0 && trace->steps[i].step.thread != trace->steps[i - 1].step.thread;
}

static size_t mark_switches(struct listing *l, size_t count, bool preemptions)
{
	for (size_t i = l->trace->nsteps; i-- > 1 && count < ENOUGH;) {
		if (is_switch(l->trace, i) && (!preemptions || l->trace->steps[i].preemption))
			count += mark(l, i - 1, i + 2);
	}
	return count;
}

/* Shows a step that would be left out alone: a line that says so would be no shorter. */
static void close_gaps(struct listing *l)
{
	for (size_t i = 1; i + 1 < l->trace->nsteps; i++)
		if (l->shown[i - 1] && l->shown[i + 1]) l->shown[i] = true;
}

static void choose_steps(struct listing *l)
{
	size_t n = l->trace->nsteps;
	memset(l->shown, 0, n);
	if (l->options->all || n <= ENOUGH) {
		mark(l, 0, n);
		return;
	}
	size_t count = mark(l, 0, FIRST) + mark(l, n - LAST, n);
	for (size_t i = 0; i < l->trace->nfindings && count < ENOUGH; i++)
		if (l->trace->findings[i].step > 0)
			count += mark(l, l->trace->findings[i].step - 1, l->trace->findings[i].step);
	count = mark_switches(l, count, true);
	mark_switches(l, count, false);
	close_gaps(l);
}

/* ---- cells ---- */

void mz_value_add(struct mz_buffer *out, uint64_t value, uint32_t length)
{
	unsigned unused = length > 0 && length < 8 ? 64 - length * 8 : 0;
	int64_t number = (int64_t)(value << unused) >> unused;
	value = value << unused >> unused;
	if (number < 0 && number > -1000000)
		mz_buffer_add(out, "%" PRId64, number);
	else if (value < 1000000000)
		mz_buffer_add(out, "%" PRIu64, value);
	else
		mz_buffer_add(out, "0x%" PRIx64, value);
}

/* Returns whether the operation counts as a write even if it changes nothing. */
static bool releases(enum mz_op op)
{
	return op == MZ_OP_RELEASING_EXCHANGE || op == MZ_OP_RELEASING_OR || op == MZ_OP_RELEASING_AND;
}

/* Returns words for the outcome of an operation that did less than it could have, such as a lock that timed out. */
static const char *outcome(const struct mz_trace_step *step)
{
	if (step->op == MZ_OP_END_WAIT) return step->kind == MZ_READ ? " (woken)" : " (by a request)";
	if (step->op == MZ_OP_LEAVE) return step->kind == MZ_READ ? " (woken)" : " (timed out)";
	if (step->kind != MZ_READ && step->kind != MZ_WEAK_READ) return "";
	if (step->op == MZ_OP_TIMEDLOCK) return " (timed out)";
	if (releases(step->op)) return " (no change)";
	if (step->op == MZ_OP_TEST_CANCEL || step->op == MZ_OP_TAKE_SIGNAL) return " (none)";
	switch (mz_op_class(step->op)) {
	case MZ_CLASS_COMPARE: return " (failed)";
	case MZ_CLASS_SET:
	case MZ_CLASS_RAISE:
	case MZ_CLASS_LOWER: return " (no change)";
	case MZ_CLASS_TRY:
	case MZ_CLASS_TRY_SHARE:
	case MZ_CLASS_TRY_TAKE: return " (busy)";
	case MZ_CLASS_WAKE: return step->op == MZ_OP_ALLOCATE ? "" : " (no waiter)";
	default: return "";
	}
}

static void add_object(struct mz_buffer *cell, const struct mz_trace_step *step)
{
	if (step->object) mz_printable_add(cell, step->object);
	if (step->op == MZ_OP_CHOOSE) {
		if (!step->object)
			mz_buffer_add(cell, "%" PRIu32 " of 0..%" PRIu32, step->step.choice, step->alternatives - 1);
		return;
	}
	if (step->has_value) {
		mz_buffer_add_string(cell, step->object ? " = " : "= ");
		mz_value_add(cell, step->value, step->length);
	}
	if (step->alternatives > 1)
		mz_buffer_add(cell, " (waiter %" PRIu32 " of %" PRIu32 ")", step->step.choice + 1, step->alternatives);
}

static void add_place(struct mz_buffer *cell, const struct mz_place *place)
{
	struct mz_buffer text = {0};
	mz_place_add(&text, place);
	char *raw = mz_buffer_take(&text);
	if (raw)
		mz_printable_add(cell, raw);
	else
		cell->failed = true;
	mz_free(raw);
}

static char *cell_of(const struct listing *l, const struct mz_trace_step *step, enum column column)
{
	struct mz_buffer cell = {0};
	char name[256];
	switch (column) {
	case THREAD:
		mz_buffer_add_string(&cell, mz_trace_thread_name(l->trace, step->step.thread, name, sizeof name));
		break;
	case OPERATION: mz_buffer_add(&cell, "%s%s", mz_op_name(step->op), outcome(step)); break;
	case OBJECT: add_object(&cell, step); break;
	case PLACE: add_place(&cell, &step->place); break;
	case COLUMNS: break;
	}
	return mz_buffer_take(&cell);
}

/* ---- lines ---- */

static const char *const titles[COLUMNS] = {"thread", "operation", "object", "place"};

static void measure(struct listing *l)
{
	for (enum column c = 0; c < COLUMNS; c++) l->width[c] = strlen(titles[c]);
	for (size_t i = 0; i < l->trace->nsteps; i++) {
		for (enum column c = 0; l->shown[i] && c < COLUMNS; c++) {
			char *cell = cell_of(l, &l->trace->steps[i], c);
			size_t width = cell ? mz_printable_width(cell) : 0;
			if (width > COLUMN_MAX) width = COLUMN_MAX;
			if (width > l->width[c]) l->width[c] = width;
			mz_free(cell);
		}
	}
}

static void add_padded(struct mz_buffer *out, const char *text, size_t width)
{
	size_t have = mz_printable_width(text);
	mz_buffer_add_string(out, text);
	mz_buffer_add(out, "%*s", have < width ? (int)(width - have) : 0, "");
}

static void end_line(struct mz_buffer *out)
{
	while (out->length > 0 && out->text[out->length - 1] == ' ') out->length--;
	mz_buffer_add_string(out, "\n");
}

static void add_titles(struct listing *l)
{
	mz_buffer_add_string(l->out, "  step");
	for (enum column c = 0; c < COLUMNS; c++) {
		mz_buffer_add_string(l->out, "  ");
		add_padded(l->out, titles[c], l->width[c]);
	}
	end_line(l->out);
}

static void add_source(struct listing *l, const struct mz_place *place)
{
	size_t before = l->out->length;
	mz_buffer_add_string(l->out, "  | ");
	if (!mz_source_add_line(&l->source, place->file, place->line, SOURCE_COLUMNS, l->out)) l->out->length = before;
}

static void add_step(struct listing *l, size_t i)
{
	const struct mz_trace_step *step = &l->trace->steps[i];
	mz_buffer_add(l->out, "%6zu", i + 1);
	for (enum column c = 0; c < COLUMNS; c++) {
		char *cell = cell_of(l, step, c);
		mz_buffer_add_string(l->out, "  ");
		if (cell)
			add_padded(l->out, cell, l->width[c]);
		else
			l->out->failed = true;
		mz_free(cell);
	}
	if (!l->out->failed) add_source(l, &step->place);
	if (!l->out->failed) end_line(l->out);
}

static void add_preemption(struct listing *l, size_t i)
{
	char name[256];
	if (!l->trace->steps[i].preemption || i == 0) return;
	mz_trace_thread_name(l->trace, l->trace->steps[i - 1].step.thread, name, sizeof name);
	mz_buffer_add(l->out, "%s    -- %s is preempted: it could have gone on%s\n",
	              l->options->colour ? "\033[33m" : "", name, l->options->colour ? "\033[0m" : "");
}

/* Adds one line for the steps from `i` on that are not shown. Returns the number of the next step that is. */
static size_t add_gap(struct listing *l, size_t i)
{
	size_t end = i;
	while (end < l->trace->nsteps && !l->shown[end]) end++;
	mz_buffer_add(l->out, "     ... %zu steps not shown\n", end - i);
	return end;
}

void mz_listing_add(struct mz_buffer *out, const struct mz_trace *trace, const struct mz_listing_options *options)
{
	struct listing l = {.out = out, .trace = trace, .options = options, .shown = mz_alloc(trace->nsteps)};
	if (!l.shown) {
		out->failed = true;
		return;
	}
	choose_steps(&l);
	measure(&l);
	add_titles(&l);
	for (size_t i = 0; i < trace->nsteps && !out->failed;) {
		if (!l.shown[i]) {
			i = add_gap(&l, i);
			continue;
		}
		add_preemption(&l, i);
		add_step(&l, i++);
	}
	mz_source_release(&l.source);
	mz_free(l.shown);
}
