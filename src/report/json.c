/* SPDX-License-Identifier: MIT
 *
 * The members are written in a fixed order, the same for every result; what is unknown is null.
 */
#include "report/json.h"
#include "base/alloc.h"
#include "report/buffer.h"
#include "report/input.h"
#include "report/unicode.h"
#include <errno.h>
#include <inttypes.h>

static void put_escaped(FILE *out, uint32_t code, const char *bytes, size_t n)
{
	switch (code) {
	case '"': fputs("\\\"", out); break;
	case '\\': fputs("\\\\", out); break;
	case '\n': fputs("\\n", out); break;
	case '\t': fputs("\\t", out); break;
	case '\r': fputs("\\r", out); break;
	default:
		if (code < 0x20 || code == 0x7f)
			fprintf(out, "\\u%04" PRIx32, code);
		else
			fwrite(bytes, 1, n, out);
	}
}

static void put_string(FILE *out, const char *text)
{
	uint32_t code;
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	while (*text) {
		size_t n = mz_utf8_decode(text, &code);
		if (n)
			put_escaped(out, code, text, n);
		else
			fputs("\xef\xbf\xbd", out);
		text += n ? n : 1;
	}
	putc('"', out);
}

static void put_optional(FILE *out, struct mz_optional number)
{
	if (number.set)
		fprintf(out, "%" PRIu64, number.value);
	else
		fputs("null", out);
}

/* Writes seconds with up to six decimals, without trailing zeros. Does not use printf's %f, which depends on the
 * locale. */
static void put_seconds(FILE *out, double seconds)
{
	bool sane = seconds > 0 && seconds < 1e12;
	uint64_t micros = sane ? (uint64_t)(seconds * 1e6 + 0.5) : 0, fraction = micros % 1000000;
	int digits = 6;
	while (digits > 0 && fraction % 10 == 0) fraction /= 10, digits--;
	fprintf(out, "%" PRIu64, micros / 1000000);
	if (digits) fprintf(out, ".%0*" PRIu64, digits, fraction);
}

static void put_head(FILE *out, const struct mz_result *result)
{
	fputs("{\"mazurka\": ", out);
	put_string(out, result->version);
	fputs(", \"program\": [", out);
	for (char *const *argument = result->program; argument && *argument; argument++) {
		if (argument != result->program) fputs(", ", out);
		put_string(out, *argument);
	}
	fputs("], \"strategy\": ", out);
	put_string(out, result->strategy);
	fputs(", \"method\": ", out);
	put_string(out, result->method ? result->method : result->strategy);
	if (result->as_published) fputs(", \"as_published\": true", out);
	fputs(", \"points\": ", out);
	put_string(out, result->points);
	fputs(", \"memory_model\": \"sc\",\n", out);
}

static void put_counts(FILE *out, const struct mz_result *result)
{
	fprintf(out, " \"verdict\": \"%s\", \"complete\": %s, \"complete_for\": ", mz_verdict_name(result->verdict),
	        result->complete ? "true" : "false");
	put_string(out, mz_result_scope(result));
	fputs(", \"reason\": ", out);
	put_string(out, result->reason);
	fputs(",\n", out);
	fprintf(out, " \"executions\": %" PRIu64 ", \"redundant\": %" PRIu64 ", \"traces\": ", result->executions,
	        result->redundant);
	put_optional(out, result->traces);
	fprintf(out, ", \"steps\": %" PRIu64 ", \"states\": ", result->steps);
	put_optional(out, result->states);
	if (result->local_states.set) fprintf(out, ", \"local_states\": %" PRIu64, result->local_states.value);
	if (result->never_ends) fprintf(out, ", \"never_ends\": true");
	if (result->states.set && result->states.value)
		fprintf(out, ", \"bytes_per_state\": %" PRIu64, result->state_bytes / result->states.value);
	fputs(",\n \"bounds\": {\"preemptions\": ", out);
	put_optional(out, result->preemption_bound);
	fputs(", \"fair\": ", out);
	put_optional(out, result->fair_bound);
	if (result->switch_bound.set) fprintf(out, ", \"switches\": %" PRIu64, result->switch_bound.value);
	if (result->delay_bound.set) fprintf(out, ", \"delays\": %" PRIu64, result->delay_bound.value);
	if (result->depth_bound.set) fprintf(out, ", \"depth\": %" PRIu64, result->depth_bound.value);
	fputs("},\n", out);
}

static void put_field(FILE *out, const char *name, const char *value)
{
	if (!value) return;
	fprintf(out, ", \"%s\": ", name);
	put_string(out, value);
}

static void put_iteration(FILE *out, const struct mz_result_iteration *iteration)
{
	fprintf(out,
	        "{\"preemptions\": %" PRIu64 ", \"executions\": %" PRIu64 ", \"redundant\": %" PRIu64 ", \"traces\": ",
	        iteration->preemptions, iteration->executions, iteration->redundant);
	put_optional(out, iteration->traces);
	putc('}', out);
}

static void put_input_text(FILE *out, const struct mz_trace_input *input)
{
	struct mz_buffer text = {0};
	mz_input_value_add(&text, input);
	char *words = mz_buffer_take(&text);
	put_string(out, words);
	mz_free(words);
}

static void put_inputs(FILE *out, const struct mz_trace_input *inputs, size_t n)
{
	fputs(",\n           \"inputs\": [", out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%s{\"name\": ", i ? ", " : "");
		put_string(out, inputs[i].name);
		fprintf(out, ", \"size\": %zu, \"hex\": \"", inputs[i].size);
		for (size_t k = 0; k < inputs[i].size; k++) fprintf(out, "%02x", inputs[i].bytes[k]);
		fputs("\", \"text\": ", out);
		put_input_text(out, &inputs[i]);
		putc('}', out);
	}
	putc(']', out);
}

static void put_bug(FILE *out, const struct mz_result_bug *bug)
{
	fprintf(out, "{\"kind\": \"%s\", \"message\": ", mz_finding_name(bug->kind));
	put_string(out, bug->message);
	fputs(", \"location\": ", out);
	put_string(out, bug->location);
	fputs(", \"thread\": ", out);
	put_string(out, bug->thread);
	fprintf(out,
	        ",\n           \"preemptions\": %" PRIu32 ", \"execution\": %" PRIu64 ", \"trace\": ", bug->preemptions,
	        bug->execution);
	put_string(out, bug->trace);
	if (bug->ninputs) put_inputs(out, bug->inputs, bug->ninputs);
	putc('}', out);
}

static void put_lists(FILE *out, const struct mz_result *result)
{
	fputs(" \"iterations\": [", out);
	for (size_t i = 0; i < result->niterations; i++) {
		if (i) fputs(",\n                ", out);
		put_iteration(out, &result->iterations[i]);
	}
	fputs("],\n \"bugs\": [", out);
	for (size_t i = 0; i < result->nbugs; i++) {
		if (i) fputs(",\n          ", out);
		put_bug(out, &result->bugs[i]);
	}
	fputs("],\n \"uncontrolled\": [", out);
	for (size_t i = 0; i < result->nuncontrolled; i++) {
		fprintf(out, "%s{\"function\": ", i ? ", " : "");
		put_string(out, result->uncontrolled[i].name);
		fprintf(out, ", \"calls\": %" PRIu64, result->uncontrolled[i].calls);
		put_field(out, "object", result->uncontrolled[i].object);
		put_field(out, "location", result->uncontrolled[i].location);
		fputc('}', out);
	}
	for (size_t i = 0; i < result->nhidden; i++) {
		const struct mz_result_hidden *hidden = &result->hidden[i];
		fprintf(out, "%s{\"function\": \"%s\", \"calls\": %" PRIu64, i || result->nuncontrolled ? ", " : "",
		        hidden->kind, hidden->calls);
		put_field(out, "object", hidden->name);
		put_field(out, "location", hidden->location);
		put_field(out, "reason", hidden->reason);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void put_solver(FILE *out, const struct mz_result *result)
{
	const struct mz_result_solver *solver = &result->solver;
	fprintf(out, " \"assumed\": %" PRIu64, result->assumed);
	if (result->shared_operations) fprintf(out, ", \"shared_operations\": %" PRIu64, result->shared_operations);
	if (solver->used) {
		fprintf(out,
		        ", \"solver\": {\"queries\": %" PRIu64 ", \"sat\": %" PRIu64 ", \"unsat\": %" PRIu64
		        ", \"timeouts\": %" PRIu64 ", \"limited\": %" PRIu64 ", \"seconds\": ",
		        solver->queries, solver->sat, solver->unsat, solver->timeouts, solver->limited);
		put_seconds(out, solver->seconds);
		putc('}', out);
	}
	fputs(",\n", out);
}

int mz_json_write(const struct mz_result *result, FILE *out)
{
	errno = 0;
	put_head(out, result);
	put_counts(out, result);
	put_lists(out, result);
	put_solver(out, result);
	fputs(" \"seconds\": ", out);
	put_seconds(out, result->seconds);
	fprintf(out, ", \"executions_per_second\": %" PRIu64 ", \"peak_rss_kb\": %" PRIu64 "}\n",
	        mz_result_rate(result), result->peak_rss_kb);
	if (fflush(out) == 0 && !ferror(out)) return 0;
	if (errno == 0) errno = EIO;
	return -1;
}
