/* SPDX-License-Identifier: MIT
 *
 * Reports for a person: a bug as the interleaving that leads to it, and what a run came to. Plain text; colours only
 * where asked for.
 */
#ifndef MZ_REPORT_TEXT_H
#define MZ_REPORT_TEXT_H

#include "report/sink.h"

struct mz_text {
	FILE *out;
	bool colour;
	bool all; /* every step of every execution */
};

/* Writes to `out`, in colour if it is a terminal. */
void mz_text_init(struct mz_text *text, FILE *out);

/* The findings of a trace and its steps. `path`, if not NULL, is the file it was written to. 0, or -1 with errno. */
int mz_text_trace(struct mz_text *text, const struct mz_trace *trace, const char *path);

/* What a run came to: one line, and one more for each bug. */
int mz_text_result(struct mz_text *text, const struct mz_result *result);

/* A sink that does these as they come. `text` lives as long as the sink is used. */
struct mz_sink mz_text_sink(struct mz_text *text);

#endif
