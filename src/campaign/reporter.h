/* SPDX-License-Identifier: MIT
 *
 * From what a worker found to what the user gets: each finding is confirmed by a replay, written as a trace and told;
 * in the end comes the result. Nothing that was found is lost because something else goes wrong: what cannot be written
 * or confirmed is said, and the rest goes on.
 */
#ifndef MZ_CAMPAIGN_REPORTER_H
#define MZ_CAMPAIGN_REPORTER_H

#include "campaign/confirm.h"
#include "report/text.h"
#include <limits.h>

/* Where the results go. */
struct mz_reporting {
	const char *out;  /* NULL: the default folder, made only when a bug is found */
	const char *json; /* NULL: nowhere */
	uint32_t quiet;   /* nothing is printed but errors */
	bool to_stderr;   /* what is printed */
};

struct mz_reporter {
	const struct mz_reporting *wanted;
	const struct mz_subject *subject;
	struct mz_result result;
	struct mz_text text;
	struct mz_sink sink; /* all zero: the user wants to hear nothing */
	bool output_open;    /* the folder is there */
	bool output_made;    /* by us */
	bool output_used;    /* something was written to it */
	bool failed;         /* something could not be written, which was said */
	bool interrupted;    /* during a replay: there will be no more */
	size_t bugs;         /* all of them, also those that there is no memory for */
	size_t unconfirmed;  /* findings that may be none: their replays did not come to an end, */
	char why[320];       /* for this reason */
	char error[640];     /* an internal error; empty: there is none */
	char error_trace[PATH_MAX];
};

/* Sees whether everything can be written where it is to be. 0, or an exit status after saying what is wrong. */
int mz_reporter_open(struct mz_reporter *reporter, const struct mz_reporting *wanted, const struct mz_subject *subject);

/* Confirms what a worker found and tells it. */
void mz_reporter_finding(struct mz_reporter *reporter, const struct mz_expectation *expected);

/* A worker is gone in the middle of an execution. The schedule is replayed, and becomes last.trace. `signal` is the one
 * that killed the worker, or 0: if it is the program's own doing, and the replay shows that, it is a bug, and true is
 * returned. */
bool mz_reporter_lost(struct mz_reporter *reporter, struct mz_expectation *expected, int signal, const char *message);

/* An internal error: keeps the schedule that led there, as far as the trace has it. */
void mz_reporter_broken(struct mz_reporter *reporter, const char *what, const struct mz_trace *trace);

/* Tells the result, whose reason and counts are filled in. Returns the exit status. */
int mz_reporter_close(struct mz_reporter *reporter);

/* Frees what the reporter holds, and removes the output folder if it was made in vain. */
void mz_reporter_release(struct mz_reporter *reporter);

#endif
