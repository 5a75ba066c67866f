/* SPDX-License-Identifier: MIT
 *
 * What a search is asked to do (the strategy, bounds, the order of branches, what to do without), in terms that the
 * rooms of the engine share with those who ask.
 */
#ifndef MZ_ENGINE_OPTIONS_H
#define MZ_ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mz_strategy;
struct mz_trunk_worker;

/* In which order the branches of a node are explored, for strategies that have the choice. */
enum mz_order {
	MZ_ORDER_DFS,
	MZ_ORDER_BIT_REVERSAL,
	MZ_ORDER_ROUND_ROBIN,
	MZ_ORDER_STRIDE,
	MZ_ORDER_CONFLICT_FIRST,
	MZ_ORDER_RANDOM,
	MZ_ORDER_INTERLEAVED,
	MZ_ORDER_COUNT
};

/* What may be bounded, one bit each; scheduling/bounds has a file for each of them. A strategy says which it can
 * honour. */
enum mz_bound_bit {
	MZ_BOUND_BIT_PREEMPTIONS,
	MZ_BOUND_BIT_FAIR,
	MZ_BOUND_BIT_DELAYS,
	MZ_BOUND_BIT_DEPTH,
	MZ_BOUND_BIT_SWITCHES,
	MZ_BOUND_COUNT
};

enum mz_bound_kind {
	MZ_BOUND_PREEMPTIONS = 1 << MZ_BOUND_BIT_PREEMPTIONS,
	MZ_BOUND_FAIR = 1 << MZ_BOUND_BIT_FAIR,
	MZ_BOUND_DELAYS = 1 << MZ_BOUND_BIT_DELAYS,
	MZ_BOUND_DEPTH = 1 << MZ_BOUND_BIT_DEPTH,
	MZ_BOUND_SWITCHES = 1 << MZ_BOUND_BIT_SWITCHES,
};

/* What a strategy does to save work, and can do without. One bit each; names are what --no-opt takes. */
#define MZ_OPTS(X)                                                                                                     \
	X(SLEEP, "sleep")               /* sleep sets */                                                               \
	X(TRANSITIVE, "transitive")     /* points only for what is not ordered in another way */                       \
	X(DISABLED, "disabled")         /* for a thread that is not enabled, what it waits for instead of all */       \
	X(RELEASE, "release")           /* points before releases only for the bound's sake */                         \
	X(CONSERVATIVE, "conservative") /* points for the bound's sake only where it cut something */

enum mz_opt_bit {
#define X(id, text) MZ_OPT_BIT_##id,
	MZ_OPTS(X)
#undef X
	    MZ_OPT_COUNT
};

enum mz_opt {
#define X(id, text) MZ_OPT_##id = 1 << MZ_OPT_BIT_##id,
	MZ_OPTS(X)
#undef X
};

struct mz_search_options {
	const struct mz_strategy *strategy;
	bool count_traces; /* count distinct happens-before graphs of complete executions */
	bool count_local;  /* count distinct local states of threads */
	/* threads may wait without telling for what (hosts): a step that is demanded need not be enabled */
	bool untold;
	bool no_sleep; /* without sleep sets, where the strategy has the choice */
	enum mz_order order;
	/* Bounds, where the strategy can honour them: only what is within all that are given is explored. */
	bool bounded; /* at most `preemptions` preemptions */
	uint32_t preemptions;
	/* a thread that goes has yielded at most `yields` times more than any other thread that could go */
	bool fair;
	uint32_t yields;
	bool delayed; /* at most `delays` departures from what a fixed scheduler would do */
	uint32_t delays;
	bool switched; /* at most `switches` switches between threads, preemptions or not */
	uint32_t switches;
	uint32_t max_depth; /* at most so many steps; 0: any number */
	unsigned no_opt;    /* bits of enum mz_opt: what to do without */
	bool prefixes;      /* cbpor: visit every graph on the way, too */
	/* limit in bytes on what is remembered of all executions, where that is much; 0: no limit */
	size_t max_memory;
	size_t more_memory;      /* and this many bytes more for each execution */
	uint64_t seed;           /* random strategies, and the random order */
	uint32_t depth;          /* pct: bugs of this depth are found with the promised probability */
	uint64_t max_executions; /* random strategies end after so many; 0: they do not end by themselves */
	/* what this search shares with others of the same program, or NULL: see engine/backtracking/trunk.h */
	struct mz_trunk_worker *trunk;
};

/* What a strategy remembers of all executions, if that is much. */
struct mz_search_memory {
	uint64_t graphs; /* how many happens-before graphs */
	uint64_t bytes;
	bool full; /* max_memory was reached: that is why the search failed */
};

/* Returns which bounds are given, as bits of enum mz_bound_kind. */
unsigned mz_bounds_given(const struct mz_search_options *options);

/* Returns the name of the n-th optimisation, NULL past the last. */
const char *mz_opt_name(size_t n);

/* Return the order of that name, or MZ_ORDER_COUNT; and the name of the n-th order, NULL past the last. */
enum mz_order mz_order_find(const char *name);
const char *mz_order_name(unsigned order);

#endif
