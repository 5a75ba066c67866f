/* SPDX-License-Identifier: MIT
 *
 * Runs a search over a script, and keeps what the referee wants to compare.
 */
#ifndef MZ_TESTS_HARNESS_H
#define MZ_TESTS_HARNESS_H

#include "engine/search.h"
#include "referee.h"
#include "script_executor.h"

struct outcome {
	struct mz_search_counts counts;
	struct mz_search_memory memory;
	struct graph_set graphs; /* of complete executions; sorted */
	size_t repeated;         /* how many of them came more than once */
	uint64_t deadlocks;
	uint64_t cut;
	uint32_t longest; /* steps of the longest execution */
	bool failed;      /* out of memory */
	bool complete;    /* nothing is left to explore */
};

struct run_options {
	const char *strategy;
	bool published;                   /* that strategy as its source prints it */
	const struct mz_strategy *custom; /* if not NULL: one that has no name */
	bool count_traces;
	bool count_local;
	bool graphs;             /* keep them for comparison */
	uint32_t max_steps;      /* 0: 10000 */
	uint64_t max_executions; /* 0: no limit */
	bool secretive;
	uint64_t whim; /* see struct script_executor */
	/* for the search */
	bool no_sleep;
	unsigned no_opt;
	enum mz_order order;
	bool bounded, fair, delayed, switched;
	uint32_t preemptions, yields, delays, switches, max_depth;
	bool prefixes;
	bool raised; /* the bound on preemptions is raised from 0 on; what came out is of the last */
	size_t max_memory;
	uint64_t seed;
	uint32_t depth;
	uint64_t ends_after; /* max_executions of its own */
	/* Called after each complete execution, if not NULL; true ends the search. */
	bool (*look)(void *looker, const struct machine *machine, enum mz_end end);
	void *looker;
};

void run_search(const struct script *script, const struct run_options *options, struct outcome *outcome);
/* Has an executor record the graph of each execution. */
void harness_watch(struct script_executor *executor, struct graph *graph);
void outcome_release(struct outcome *outcome);

#endif
