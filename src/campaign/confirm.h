/* SPDX-License-Identifier: MIT
 *
 * From a schedule to a trace: the schedule is replayed in a fresh process and what happens there is recorded and named.
 */
#ifndef MZ_CAMPAIGN_CONFIRM_H
#define MZ_CAMPAIGN_CONFIRM_H

#include "configuration/configuration.h"
#include "explorer/supervisor.h"
#include "trace/trace.h"

/* How the program is run. */
struct mz_subject {
	char *path; /* of the file */
	char **argv;
	const char *identity;
	struct mz_configuration configuration; /* complete */
	bool show_output;                      /* of the program */
	/* Called, in a thread of its own, with the session of the replay, which then waits before each step; NULL:
	 * none. */
	void *(*stepper)(void *session);
	/* mz_check(): which call of it in the program, from 1 (0: the whole program is meant), and what explores it in
	 * a forked process instead of starting the program. */
	uint32_t check;
	void (*body)(void *argument, int session_fd);
	void *body_argument;
};

struct mz_worker_job mz_subject_job(const struct mz_subject *subject, struct mz_session_memory *memory);

/* What is to happen again. */
struct mz_expectation {
	const struct mz_step *schedule;
	uint32_t steps;
	const struct mz_session_thread *threads;
	uint32_t nthreads;
	char *const *files; /* that threads share: NULL-terminated, or NULL */
	uint64_t execution;
	uint32_t requests; /* enum mz_requests: those that threads looked for */
	bool any;          /* nothing in particular: a trace is wanted, with the findings it has */
	uint32_t kind;     /* enum mz_finding_kind */
	uint64_t key;
	const char *message;
};

enum mz_confirmed {
	MZ_CONFIRMED, /* the finding that was expected is the first of the trace; if it did not happen again, the first
	                 is one of kind nondeterminism that says so */
	MZ_NOT_REPLAYED, /* the replay did not come to its end: nothing is known. `why` says what ended it */
	MZ_BROKEN        /* an internal error, in `why` */
};

/* What came of a replay. */
struct mz_confirmation {
	struct mz_worker_result worker;
	char why[320];
};

/* Replays and fills `trace`, which is to be released in any case. Where the replay did not come to its end, the trace
 * is made up to its full length from the schedule alone. */
enum mz_confirmed mz_confirm(const struct mz_subject *subject, const struct mz_expectation *expected,
                             struct mz_trace *trace, struct mz_confirmation *confirmation);

/* A trace that has the schedule and nothing else. 0, or -1 when there is no memory. */
int mz_trace_bare(const struct mz_subject *subject, const struct mz_expectation *expected, struct mz_trace *trace);

/* Leaves a session in the environment such that the program, started from now on by whatever program we become,
 * replays. 0, or -1 after saying why it could not be done. */
int mz_gdb_prepare(const struct mz_subject *subject, const struct mz_expectation *expected);

/* Puts a finding that no record tells of first. 0, or -1 when there is no memory. */
int mz_trace_add_first(struct mz_trace *trace, enum mz_finding_kind kind, const char *message);

#endif
