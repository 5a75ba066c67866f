/* SPDX-License-Identifier: MIT
 *
 * The options of `mazurka run`.
 */
#ifndef MZ_CLI_OPTIONS_H
#define MZ_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct mz_run_options {
	const char *strategy;
	const char *order;
	const char *points;      /* "sync" or "all"; NULL: as suits the strategy */
	const char *heap;        /* "fresh" or "reuse" */
	const char *isolation;   /* "image" or "process" */
	const char *checkpoints; /* "auto", "always" or "never" */
	bool no_checkpoints;
	bool no_races;
	const char *volatiles; /* "plain" or "atomic" */
	bool no_spin;
	bool leaks;
	bool thread_leaks;
	const char *fail;    /* names of trace/fault.h, separated by commas; NULL: none */
	uint64_t max_faults; /* of a thread; 0: any number */
	bool no_sleep;
	bool keep_going;
	bool count_traces;
	bool quiet;
	bool help;
	bool to_stderr; /* the report, not a command line option */
	bool exact_states;
	uint64_t jobs;
	uint64_t max_executions; /* 0: none */
	uint64_t max_steps;
	bool iterate;
	bool prefixes;
	uint64_t max_memory;  /* bytes; 0: none */
	uint64_t preemptions; /* UINT64_MAX: any number; so for the next two */
	uint64_t fair;
	uint64_t delays;
	uint64_t max_depth; /* 0: any */
	unsigned no_opt;    /* bits of enum mz_opt in engine/search.h */
	uint64_t seed;
	uint64_t depth;
	double timeout;       /* seconds; 0: none */
	double stall_timeout; /* seconds; 0: none */
	const char *out;      /* NULL: the default folder, made only when a bug is found */
	const char *json;
	char **program; /* and its arguments, NULL-terminated; NULL if none is given */
};

/* Reads the arguments behind `mazurka run`. 0, or -1 after saying in one line what is wrong. */
int mz_run_options_parse(struct mz_run_options *options, int argc, char **argv);
/* What they are before any is given. */
struct mz_run_options mz_run_options_default(void);
/* The table of options for --help. */
void mz_run_options_help(FILE *out);

#endif
