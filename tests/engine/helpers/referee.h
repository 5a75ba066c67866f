/* SPDX-License-Identifier: MIT
 *
 * The referee: enumerates all happens-before graphs of a script by brute force, breadth first, each once. It shares
 * nothing with the engine: no clocks, no races; an event's name is a hash of what it does and of the names of all
 * events it directly depends on.
 *
 * Within a bound, what an execution costs depends on its steps, not only on its graph. What a step costs, though,
 * depends only on the graph before it and on who went last: so each pair of these is looked at once, with how many ways
 * lead there for each cost.
 */
#ifndef MZ_TESTS_REFEREE_H
#define MZ_TESTS_REFEREE_H

#include "machine.h"

struct graph_key {
	uint64_t a, b;
};

/* The graph of an execution under way. */
struct graph {
	uint32_t nthreads;
	struct graph_key *past; /* per thread: sum of the names of what it has done last and was told of since */
	struct graph_event *events;
	size_t count, capacity;
	struct graph_key key; /* of the whole graph */
};

void graph_init(struct graph *graph, uint32_t nthreads);
void graph_copy(struct graph *to, const struct graph *from);
void graph_clear(struct graph *graph);
void graph_release(struct graph *graph);
void graph_event(struct graph *graph, const struct mz_event *event);
void graph_edge(struct graph *graph, struct machine_edge edge);

/* A sorted set of graphs. */
struct graph_set {
	struct graph_key *keys;
	size_t count, capacity;
};

void graph_set_add(struct graph_set *set, struct graph_key key); /* does not sort */
/* Sorts; returns how many were there more than once. */
size_t graph_set_sort(struct graph_set *set);
bool graph_sets_equal(const struct graph_set *a, const struct graph_set *b);
void graph_set_release(struct graph_set *set);

/* What an execution may cost: preemptions, delays or switches. Counted up to a few, what costs more is left out. */
#define REFEREE_COSTS 5

/* What the referee leaves out. All zero: nothing. */
struct referee_bound {
	bool preemptions; /* what costs REFEREE_COSTS of them or more */
	bool delays;      /* likewise; only one of the three */
	bool switches;    /* from any thread to another */
	bool fair;        /* where somebody goes who is more than `yields` yields ahead */
	uint32_t yields;
};

struct truth {
	struct graph_set graphs; /* of complete executions */
	uint64_t deadlocks;      /* how many of them */
	uint64_t interleavings;
	uint64_t prefixes; /* graphs of all executions, complete or not; by who went last, where that matters */
	/* the same of what costs at most so much; without costs everything costs 0 */
	struct graph_set within[REFEREE_COSTS];
	uint64_t interleavings_within[REFEREE_COSTS];
};

/* False if there are more than `limit` prefixes. */
bool referee_enumerate(const struct script *script, uint64_t limit, struct truth *truth);
bool referee_enumerate_bounded(const struct script *script, uint64_t limit, const struct referee_bound *bound,
                               struct truth *truth);
void truth_release(struct truth *truth);

#endif
