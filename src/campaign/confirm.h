/* SPDX-License-Identifier: MIT
 *
 * Turns a schedule into a trace: replays the schedule in a fresh process, records what happens there, and names it.
 */
#ifndef MZ_CAMPAIGN_CONFIRM_H
#define MZ_CAMPAIGN_CONFIRM_H

#include "configuration/configuration.h"
#include "explorer/supervisor.h"
#include "trace/trace.h"

/* The program that is explored or replayed, and how it is run. */
struct mz_subject {
	char *path; /* the path of the program file */
	char **argv;
	const char *identity;
	struct mz_configuration configuration; /* complete */
	double deadline;  /* of the monotonic clock, in seconds: replays that go on then are ended; 0: none */
	bool show_output; /* show the program's own output */
	/* If not NULL, called in a thread of its own with the session of the replay, which then waits before each
	 * step. */
	void *(*stepper)(void *session);
	/* For mz_check(): which call of it in the program is meant, from 1 (0: the whole program), and the function
	 * that explores it in a forked process instead of starting the program. */
	uint32_t check;
	void (*body)(void *argument, int session_fd);
	void *body_argument;
};

/* Starts the time of a run: sets the deadline. */
void mz_subject_begin(struct mz_subject *subject);
/* Returns how many seconds are left for replays: INFINITY without a deadline, 0 when it has passed. */
double mz_subject_time_left(const struct mz_subject *subject);

struct mz_worker_job mz_subject_job(const struct mz_subject *subject, struct mz_session_memory *memory);

/* What a replay is expected to show. */
struct mz_expectation {
	const struct mz_step *schedule;
	uint32_t steps;
	const struct mz_session_thread *threads;
	uint32_t nthreads;
	const struct mz_session_inputs *inputs; /* what inputs there are, */
	uint32_t ninputs;                       /* how many of them count, */
	const uint8_t *values;                  /* and what they get */
	char *const *files;                     /* files that threads share: NULL-terminated, or NULL */
	uint64_t execution;
	struct mz_session_requests requests; /* those that threads looked for */
	bool any;      /* nothing in particular is expected: a trace is wanted, with the findings that it has */
	bool hangs;    /* behind its last step the execution made no other for too long */
	uint32_t kind; /* enum mz_finding_kind */
	uint64_t key;
	const char *message;
	bool raced;         /* the run knows of a data race */
	bool unseen;        /* see struct mz_session_finding */
	bool reordered;     /* likewise */
	uint64_t signature; /* likewise */
};

enum mz_confirmed {
	/* the expected finding is the first of the trace; if it did not happen again, the first is one of kind
	 * nondeterminism that says so */
	MZ_CONFIRMED,
	MZ_EXPLAINED,    /* it is no bug of its own: a data race makes independent steps depend on their order */
	MZ_NOT_REPLAYED, /* the replay did not come to its end, so nothing is known; `why` says what ended it */
	MZ_BROKEN        /* an internal error occurred, described in `why` */
};

/* What came of a replay. */
struct mz_confirmation {
	struct mz_worker_result worker;
	char why[320];
};

/* Replays what is expected and fills `trace`, which has to be released in any case. If the replay did not come to its
 * end, the rest of the trace is filled in from the schedule alone. */
enum mz_confirmed mz_confirm(const struct mz_subject *subject, const struct mz_expectation *expected,
                             struct mz_trace *trace, struct mz_confirmation *confirmation);

/* Fills in a trace that has the schedule and nothing else. Returns 0, or -1 when there is no memory. */
int mz_trace_from_schedule(const struct mz_subject *subject, const struct mz_expectation *expected,
                           struct mz_trace *trace);

/* Leaves a session in the environment, so that the program replays when a debugger starts it that this process becomes
 * by exec. Returns 0, or -1 after saying why it could not be done. */
int mz_gdb_prepare(const struct mz_subject *subject, const struct mz_expectation *expected);

/* Inserts a finding that is in no record before the other findings of a trace. Returns 0, or -1 when there is no
 * memory. */
int mz_trace_add_first(struct mz_trace *trace, enum mz_finding_kind kind, const char *message);

#endif
