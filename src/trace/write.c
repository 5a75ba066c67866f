/* SPDX-License-Identifier: MIT
 *
 * Writing a trace file (docs/TRACE-FORMAT.md). There is one way to write each trace: the reader relies on it, and two
 * traces are equal when their files are.
 */
#include "trace/trace.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>

static const char *escape_letter(unsigned char byte)
{
	switch (byte) {
	case '\\': return "\\\\";
	case '"': return "\\\"";
	case '\n': return "\\n";
	case '\t': return "\\t";
	default: return NULL;
	}
}

static void put_string(FILE *out, const char *text)
{
	if (!text) {
		fputs(" -", out);
		return;
	}
	fputs(" \"", out);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		const char *letter = escape_letter(byte);
		if (letter)
			fputs(letter, out);
		else if (byte < 0x20 || byte > 0x7e)
			fprintf(out, "\\x%02x", byte);
		else
			putc(byte, out);
	}
	putc('"', out);
}

static void put_thread_number(FILE *out, uint32_t thread)
{
	if (thread == MZ_NO_THREAD)
		fputs(" -", out);
	else
		fprintf(out, " %" PRIu32, thread);
}

static void put_place(FILE *out, const struct mz_place *place)
{
	put_string(out, place->function);
	put_string(out, place->file);
	fprintf(out, " %" PRIu32 "\n", place->line);
}

/* ---- the head ---- */

static void put_word(FILE *out, const struct mz_option *option, uint32_t n)
{
	char text[MZ_NAME_SIZE];
	if (mz_option_word(option, n, text)) fprintf(out, " %s", text);
}

static void put_value(FILE *out, const struct mz_option *option, const void *field)
{
	const char *text = field;
	switch (option->kind) {
	case MZ_OPTION_FLAG:
	case MZ_OPTION_UNFLAG: fputs(*(const uint32_t *)field ? " yes" : " no", out); return;
	case MZ_OPTION_NUMBER: fprintf(out, " %" PRIu64, *(const uint64_t *)field); return;
	case MZ_OPTION_NUMBER32: fprintf(out, " %" PRIu32, *(const uint32_t *)field); return;
	case MZ_OPTION_WORD: put_word(out, option, *(const uint32_t *)field); return;
	case MZ_OPTION_FAULTS: put_string(out, *text ? text : NULL); return;
	default: return;
	}
}

/* Writes the options of the head from number `place` up to, but not including, number `end`. */
static void put_options(FILE *out, const struct mz_configuration *configuration, unsigned place, unsigned end)
{
	const struct mz_option *option = mz_configuration_kept(place), *next;
	for (; option && place < end; option = next) {
		next = mz_configuration_kept(++place);
		fputs(option->key, out);
		put_value(out, option, (const char *)configuration + option->offset);
		if (!next || *next->key) putc('\n', out);
	}
}

static void put_limits(FILE *out, const struct mz_configuration *configuration)
{
	uint32_t threads = configuration->max_threads, expirations = configuration->max_expirations;
	if (threads == MZ_MAX_THREADS && expirations == MZ_EXPIRATIONS) return;
	fprintf(out, "limits %" PRIu32 " %" PRIu32 "\n", threads, expirations);
}

static void put_head(FILE *out, const struct mz_trace *trace)
{
	fprintf(out, "mazurka-trace %d\nprogram", MZ_TRACE_VERSION);
	for (char *const *argument = trace->program; *argument; argument++) put_string(out, *argument);
	fputs("\nidentity", out);
	put_string(out, trace->identity);
	putc('\n', out);
	put_options(out, &trace->configuration, 1, MZ_TRACE_FILES);
	for (char *const *file = trace->files; file && *file; file++) {
		fputs("file", out);
		put_string(out, *file);
		fputs("\n", out);
	}
	put_options(out, &trace->configuration, MZ_TRACE_FILES, UINT_MAX);
	fprintf(out, "check %" PRIu32 "\nexecution %" PRIu64 "\npreemptions %" PRIu32 "\n", trace->check,
	        trace->execution, trace->preemptions);
}

/* ---- the items ---- */

static void put_thread(FILE *out, const struct mz_trace_thread *thread)
{
	fputs("thread", out);
	put_thread_number(out, thread->parent);
	fprintf(out, " %" PRIu32, thread->nth);
	put_string(out, thread->function);
	putc('\n', out);
}

static void put_input(FILE *out, const struct mz_trace_input *input)
{
	fputs("input", out);
	put_thread_number(out, input->thread);
	fprintf(out, " %" PRIu32, input->nth);
	put_string(out, input->name);
	fputs(input->size ? " " : " -", out);
	for (size_t i = 0; i < input->size; i++) fprintf(out, "%02x", input->bytes[i]);
	if (input->text) put_string(out, input->text);
	putc('\n', out);
}

static void put_step(FILE *out, const struct mz_trace_step *step)
{
	fprintf(out, "step %" PRIu32 " %" PRIu32 " %" PRIu32 " %s %s %s %" PRIu32, step->step.thread, step->step.choice,
	        step->alternatives, mz_op_name(step->op), mz_access_kind_name(step->kind),
	        step->preemption ? "preemption" : "-", step->length);
	if (step->has_value)
		fprintf(out, " %" PRIu64, step->value);
	else
		fputs(" -", out);
	put_string(out, step->object);
	put_place(out, &step->place);
}

static void put_finding(FILE *out, const struct mz_trace_finding *finding)
{
	fprintf(out, "finding %s", mz_finding_name(finding->kind));
	put_thread_number(out, finding->thread);
	fprintf(out, " %" PRIu32, finding->step);
	put_string(out, finding->message);
	put_place(out, &finding->place);
	for (size_t i = 0; i < finding->ndetails; i++) {
		fputs("detail", out);
		put_string(out, finding->details[i].text);
		put_place(out, &finding->details[i].place);
	}
}

int mz_trace_write(const struct mz_trace *trace, FILE *out)
{
	if (mz_trace_check(trace)) {
		errno = EINVAL;
		return -1;
	}
	errno = 0;
	put_head(out, trace);
	if (trace->cancels) fputs("requests cancel\n", out);
	if (trace->signals) fputs("requests signal\n", out);
	if (trace->exits) fputs("requests exit\n", out);
	if (trace->ignored) fputs("requests ignored\n", out);
	if (trace->handlers) fputs("requests handlers\n", out);
	for (int number = 1; number <= 64; number++)
		if (trace->process_signals >> (number & 63) & 1) fprintf(out, "requests process %d\n", number);
	put_limits(out, &trace->configuration);
	for (size_t i = 0; i < trace->nthreads; i++) put_thread(out, &trace->threads[i]);
	for (size_t i = 0; i < trace->ninputs; i++) put_input(out, &trace->inputs[i]);
	for (size_t i = 0; i < trace->nsteps; i++) put_step(out, &trace->steps[i]);
	for (size_t i = 0; i < trace->nfindings; i++) put_finding(out, &trace->findings[i]);
	fputs("end\n", out);
	if (fflush(out) == 0 && !ferror(out)) return 0;
	if (errno == 0) errno = EIO;
	return -1;
}
