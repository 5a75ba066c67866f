/* SPDX-License-Identifier: MIT
 *
 * The result of a run: everything that the result formats say.
 */
#ifndef MZ_REPORT_RESULT_H
#define MZ_REPORT_RESULT_H

#include "trace/trace.h"

enum mz_verdict { MZ_VERDICT_PASS, MZ_VERDICT_BUG, MZ_VERDICT_INCOMPLETE, MZ_VERDICT_ERROR };

/* Returns "pass", "bug" or "incomplete"; "error" where an internal error allows no verdict. */
const char *mz_verdict_name(enum mz_verdict verdict);

/* A number that may be missing: a bound that is not set, traces that were not counted. */
struct mz_optional {
	bool set;
	uint64_t value;
};

/* What a run with --iterate explored within one bound on preemptions. */
struct mz_result_iteration {
	uint64_t preemptions;
	uint64_t executions;
	uint64_t redundant;
	struct mz_optional traces;
	uint64_t bugs;    /* bugs found within this bound and all smaller ones */
	bool traces_lead; /* text reports give the number of traces, because it is less than that of executions */
};

/* A function that the runtime does not control, and how often the program called it. */
struct mz_result_call {
	const char *name;
	uint64_t calls;
	/* for an unseen write, which is no function: the variable, and where it was noticed first; else NULL */
	const char *object;
	const char *location;
};

/* Code of the program that the runtime does not see, or a place where it loses sight of inputs. Strings are owned. */
struct mz_result_hidden {
	const char *kind; /* "assembly", "library", "code", "input" or "inputs"; not owned */
	uint64_t calls;   /* how often it happened, where that is counted; else 1 */
	char *name;       /* the instruction, the library's path, the function; NULL if unknown */
	char *location;   /* "p.c:14", or NULL */
	char *reason;     /* why it is not seen, or NULL */
};

void mz_result_hidden_release(struct mz_result_hidden *hidden);

/* Strings are owned. */
struct mz_result_bug {
	enum mz_finding_kind kind;
	char *message;
	char *location; /* "p.c:14"; only a function if there are no lines; NULL if unknown */
	char *thread;   /* "main/2"; NULL if the bug is no thread's */
	uint32_t preemptions;
	uint64_t execution;
	char *trace; /* path of its trace file, NULL if there is none */
	struct mz_trace_input *inputs;
	size_t ninputs;
};

/* What the solver was asked about inputs, and what became of it. */
struct mz_result_solver {
	bool used; /* the run had inputs to explore */
	uint64_t queries, sat, unsat, timeouts;
	uint64_t limited; /* places where something had more possible values than were tried */
	double seconds;
};

/* A result starts all zero. Strings not said to be owned are borrowed. */
struct mz_result {
	const char *version;  /* of Mazurka */
	char *const *program; /* path and arguments, NULL-terminated */
	const char *strategy; /* the strategy that was asked for */
	const char *method;   /* the strategy that explored; NULL if it is the same */
	bool as_published;    /* that strategy, as its source prints it */
	const char *points;
	/* threads switched at synchronization only, and data races were not looked for: that other threads come between
	 * plain accesses was neither explored nor ruled out */
	bool plain_unjudged;
	/* states were searched, and threads switched at synchronization only: data races between accesses that follow two
	 * operations which conflict were not seen */
	bool races_may_be_missed;
	enum mz_verdict verdict; /* this and `complete` are filled in by mz_result_conclude() */
	bool complete;
	uint64_t executions;
	uint64_t executed; /* executions besides these: within smaller bounds, or with another method */
	uint64_t redundant;
	uint64_t assumed;           /* executions that mz_assume() dropped: they are not among the others */
	uint64_t shared_operations; /* how often workers had the lock of what they share; 0: there was one worker */
	struct mz_result_solver solver;
	const char *tests; /* folder that inputs of paths were written to, and how many; NULL: none */
	uint64_t ntests;
	struct mz_optional traces;
	/* traces were not counted, the strategy promises their number: text reports leave it out */
	bool traces_promised;
	struct mz_optional local_states;
	bool traces_lead; /* executions repeat traces: text reports give the number of traces */
	uint64_t steps;
	bool stateful;   /* the search was one of states: `executions` counts states that lead nowhere else */
	bool never_ends; /* the program ends in none of its states */
	struct mz_optional states;
	uint64_t state_bytes; /* memory that the states take */
	struct mz_optional preemption_bound;
	struct mz_optional fair_bound;
	struct mz_optional switch_bound;
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
	uint64_t hidden_dropped; /* how many more there are that are not named */
	double seconds;
	uint64_t peak_rss_kb;
	bool broken; /* an internal error ended the run, and `reason` says which; that is no limit */
	/* why the run is incomplete, in words ("--timeout 10 was reached"); NULL if it is complete */
	const char *reason;
};

/* Fills in the verdict and whether the result is complete, from the bugs (`bugs`: how many were found, those that there is no
 * memory for among them), the reason and `broken`. This is the only rule: text, JSON and exit status follow it. */
void mz_result_conclude(struct mz_result *result, size_t bugs);

/* Returns what a complete result speaks of: "everything", or the part of it that was explored or observed. Returns NULL if
 * the result is not complete. */
const char *mz_result_scope(const struct mz_result *result);

/* Returns the exit status of a run; `failed`: something of the result could not be written. */
int mz_result_status(const struct mz_result *result, bool failed);

/* Adds the first finding of a trace as a bug. `path` is the file that the trace was written to (may be NULL). Returns
 * 0, or -1 when there is no memory. */
int mz_result_add_bug(struct mz_result *result, const struct mz_trace *trace, const char *path);

/* Returns whether everything that the program did was observed: only then does a verdict speak of all of it. */
bool mz_result_observed(const struct mz_result *result);

/* Returns executions per second, rounded; 0 if the run took no time. */
uint64_t mz_result_rate(const struct mz_result *result);

/* Frees what is owned. */
void mz_result_release(struct mz_result *result);

#endif
