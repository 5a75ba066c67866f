/* SPDX-License-Identifier: MIT
 *
 * Reports for a person: a bug as the interleaving that leads to it, and the result of a run. Plain text; colours only
 * where asked for.
 */
#ifndef MZ_REPORT_TEXT_H
#define MZ_REPORT_TEXT_H

#include "report/sink.h"

struct mz_text {
	FILE *out;
	bool colour;
	bool all; /* list every step of every execution */
};

/* Prepares for writing to `out`, in colour if it is a terminal. */
void mz_text_init(struct mz_text *text, FILE *out);

/* Writes the findings of a trace and its steps. `path`, if not NULL, is the file it was written to. Returns 0, or -1
 * with errno set. */
int mz_text_write_trace(struct mz_text *text, const struct mz_trace *trace, const char *path);

/* Writes the result of a run: one line, and one more for each bug. Returns 0, or -1 with errno set. */
int mz_text_write_result(struct mz_text *text, const struct mz_result *result);

/* Returns a sink that writes each finding and the result as they come. `text` must live as long as the sink is used. */
struct mz_sink mz_text_sink(struct mz_text *text);

#endif
