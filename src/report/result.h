/* SPDX-License-Identifier: MIT
 *
 * What came out of a run: everything that the result formats say.
 */
#ifndef MZ_REPORT_RESULT_H
#define MZ_REPORT_RESULT_H

#include "trace/trace.h"

enum mz_verdict { MZ_VERDICT_PASS, MZ_VERDICT_BUG, MZ_VERDICT_INCOMPLETE, MZ_VERDICT_ERROR };

/* "pass", "bug", "incomplete"; "error" where an internal error leaves nothing to be said. */
const char *mz_verdict_name(enum mz_verdict verdict);

/* A number that may be missing: a bound that is not set, traces that were not counted. */
struct mz_optional {
	bool set;
	uint64_t value;
};

/* One bound of a run that raised it step by step. */
struct mz_result_iteration {
	uint64_t preemptions;
	uint64_t executions;
	uint64_t redundant;
	struct mz_optional traces;
	uint64_t bugs;    /* met up to its end */
	bool traces_lead; /* traces are fewer than executions, and a person is told */
};

/* A function that the runtime does not control, and how often the program called it. */
struct mz_result_call {
	const char *name;
	uint64_t calls;
	/* of what is no function, a write that nobody saw: the variable, and where it was noticed first; else NULL */
	const char *object;
	const char *location;
};

/* Code of the program that runs out of sight. Strings are owned. */
struct mz_result_hidden {
	const char *kind; /* "assembly", "library" or "code"; not owned */
	char *name;       /* the instruction, the library's path, the function; NULL if unknown */
	char *location;   /* "p.c:14", or NULL */
	char *reason;     /* why it is out of sight, or NULL */
};

/* Strings are owned. */
struct mz_result_bug {
	enum mz_finding_kind kind;
	char *message;
	char *location; /* "p.c:14"; only a function if there are no lines; NULL if unknown */
	char *thread;   /* "main/2", NULL if it is nobody's */
	uint32_t preemptions;
	uint64_t execution;
	char *trace; /* path of its trace file, NULL if there is none */
};

/* Starts all zero. Strings not said to be owned are borrowed. */
struct mz_result {
	const char *version;  /* of Mazurka */
	char *const *program; /* path and arguments, NULL-terminated */
	const char *strategy; /* that was asked for */
	const char *method;   /* the one that explored; NULL if it is that */
	const char *points;
	enum mz_verdict verdict;
	bool complete;
	uint64_t executions;
	uint64_t executed; /* besides these: within smaller bounds, or with another method */
	uint64_t redundant;
	struct mz_optional traces;
	bool traces_promised; /* by the strategy, not counted: a person need not be told */
	bool traces_lead;     /* executions repeat them: a person is told of traces */
	uint64_t steps;
	bool stateful;   /* it is about states: `executions` are those that lead nowhere else */
	bool never_ends; /* the program ends in none of its states */
	struct mz_optional states;
	uint64_t state_bytes; /* memory that they take */
	struct mz_optional preemption_bound;
	struct mz_optional fair_bound;
	struct mz_optional delay_bound;
	struct mz_optional depth_bound;
	const struct mz_result_iteration *iterations;
	size_t niterations;
	struct mz_result_bug *bugs; /* owned */
	size_t nbugs;
	const struct mz_result_call *uncontrolled;
	size_t nuncontrolled;
	struct mz_result_hidden *hidden; /* owned */
	size_t nhidden;
	uint64_t hidden_dropped; /* more that are not named */
	double seconds;
	uint64_t peak_rss_kb;
	bool broken;        /* an internal error ended it, which `reason` tells: that is no limit */
	const char *reason; /* why the run is incomplete, in words ("--timeout 10 was reached"); NULL if it is not */
};

/* Adds the first finding of a trace, and the path of the file that the trace was written to (may be NULL). -1 when
 * there is no memory. */
int mz_result_add_bug(struct mz_result *result, const struct mz_trace *trace, const char *path);

/* Whether everything that the program did was observed: only then is a verdict about all of it. */
bool mz_result_observed(const struct mz_result *result);

/* Executions per second of a run, rounded; 0 if it took no time. */
uint64_t mz_result_rate(const struct mz_result *result);

/* Frees what is owned. */
void mz_result_release(struct mz_result *result);

#endif
