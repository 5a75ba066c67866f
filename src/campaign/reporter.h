/* SPDX-License-Identifier: MIT
 *
 * Turns what a worker found into what the user gets: each finding is confirmed by a replay, written as a trace and
 * reported; at the end the result is. Nothing that was found is lost because something else goes wrong: the reporter
 * says what cannot be written or confirmed, and goes on with the rest.
 */
#ifndef MZ_CAMPAIGN_REPORTER_H
#define MZ_CAMPAIGN_REPORTER_H

#include "campaign/confirm.h"
#include "report/text.h"
#include <limits.h>

struct mz_campaign_cluster;

/* Where the results go, and the work. */
struct mz_reporting {
	const char *out;                           /* NULL: the default folder, made only when a bug is found */
	const char *json;                          /* NULL: nowhere */
	const char *tests;                         /* folder for the inputs of each path; NULL: they are not written */
	const char *resume;                        /* folder in which the open work is kept; NULL: nowhere */
	const struct mz_campaign_cluster *cluster; /* NULL: no other machine takes part, see campaign.h */
	uint32_t quiet;                            /* print nothing but errors */
	bool to_stderr;                            /* print to standard error instead of standard output */
};

struct mz_reporter {
	const struct mz_reporting *wanted;
	const struct mz_subject *subject;
	struct mz_result result;
	struct mz_text text;
	struct mz_sink sink; /* all zero: nothing is printed */
	bool output_open;    /* the output folder exists */
	bool output_made;    /* this run made it */
	bool output_used;    /* something was written to it */
	bool failed;         /* something could not be written, and the user was told */
	bool interrupted;    /* a signal ended a replay: no more findings are confirmed */
	size_t bugs;         /* number of all bugs, also of those that there is no memory for */
	size_t explained;    /* findings that are no bugs of their own: a data race explains them */
	size_t unconfirmed;  /* findings whose replays did not come to an end, so that they may be none */
	char why[320];       /* the reason why a replay did not come to an end */
	char error[640];     /* an internal error; empty: there is none */
	char error_trace[PATH_MAX];
};

/* Prepares for reporting and checks that everything can be written where it is to go. Returns 0, or an exit status
 * after saying what is wrong. */
int mz_reporter_open(struct mz_reporter *reporter, const struct mz_reporting *wanted, const struct mz_subject *subject);

/* Confirms a finding of a worker by a replay and reports it. */
void mz_reporter_add_finding(struct mz_reporter *reporter, const struct mz_expectation *expected);

/* To be called when a worker is gone in the middle of an execution. The schedule is replayed, and becomes last.trace.
 * `signal` is the signal that killed the worker, or 0. If the replay shows that the program itself caused that signal,
 * it is a bug, and true is returned. */
bool mz_reporter_add_lost_worker(struct mz_reporter *reporter, struct mz_expectation *expected, int signal,
                                 const char *message);

/* Reports an internal error, and writes the schedule that led there as far as the trace has it. */
void mz_reporter_add_internal_error(struct mz_reporter *reporter, const char *what, const struct mz_trace *trace);

/* Reports the result, whose reason and counts the caller has filled in. Returns the exit status. */
int mz_reporter_close(struct mz_reporter *reporter);

/* Frees what the reporter holds, and removes the output folder if this run made it and wrote nothing there. */
void mz_reporter_release(struct mz_reporter *reporter);

#endif
