/* SPDX-License-Identifier: MIT
 *
 * A search: one strategy exploring one program. The explorer drives it:
 *
 *     struct mz_search *s = mz_search_new(&options);
 *     while (mz_search_next(s, &known)) {
 *             end = executor->run(executor->self, schedule, known, &driver_of_s, &view);
 *             mz_search_end(s, &view, complete);
 *     }
 *
 * The engine is pure: no system call but for memory, no clock, no input or output, no global state. When memory runs
 * out the search ends: mz_search_next() returns false and mz_search_failed() true.
 */
#ifndef MZ_ENGINE_SEARCH_H
#define MZ_ENGINE_SEARCH_H

#include "trace/view.h"
#include <stddef.h>

struct mz_search;
struct mz_strategy;

/* In which order the branches of a node are explored, for strategies that have the choice. */
enum mz_order {
	MZ_ORDER_DFS,
	MZ_ORDER_BIT_REVERSAL,
	MZ_ORDER_ROUND_ROBIN,
	MZ_ORDER_STRIDE,
	MZ_ORDER_CONFLICT_FIRST,
	MZ_ORDER_COUNT
};

/* What may be bounded. A strategy says which of them it can honour. */
enum mz_bound_kind {
	MZ_BOUND_PREEMPTIONS = 1,
	MZ_BOUND_FAIR = 2,
	MZ_BOUND_DELAYS = 4,
	MZ_BOUND_DEPTH = 8,
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
	uint32_t max_depth; /* at most so many steps; 0: any number */
	unsigned no_opt;    /* bits of enum mz_opt: what to do without */
	bool prefixes;      /* cbpor: visit every graph on the way, too */
	/* limit in bytes on what is remembered of all executions, where that is much; 0: no limit */
	size_t max_memory;
	size_t more_memory;      /* and this many bytes more for each execution */
	uint64_t seed;           /* random strategies */
	uint32_t depth;          /* pct: bugs of this depth are found with the promised probability */
	uint64_t max_executions; /* random strategies end after so many; 0: they do not end by themselves */
};

struct mz_search_counts {
	uint64_t executions; /* executions that ran to their end */
	uint64_t redundant;  /* executions cut short: everything beyond is covered elsewhere */
	uint64_t traces;     /* distinct happens-before graphs; only with count_traces */
	uint64_t steps;      /* events observed: known prefixes are not counted */
	/* executions that count as neither: made to find out what threads do; 0 if threads tell that beforehand */
	uint64_t futile;
	/* steps that the bounds did not allow; if 0, nothing more would be explored without bounds */
	uint64_t refused;
};

/* What a strategy remembers of all executions, if that is much. */
struct mz_search_memory {
	uint64_t graphs; /* how many happens-before graphs */
	uint64_t bytes;
	bool full; /* max_memory was reached: that is why the search failed */
};

/* Makes a search. Returns NULL when there is no memory, or no strategy can honour the bounds (mz_strategy_method()), or
 * the strategy searches states. */
struct mz_search *mz_search_new(const struct mz_search_options *options);
void mz_search_free(struct mz_search *search);

/* Starts over, from the first execution on, within a larger bound on preemptions; counts start over, too. What was
 * learned within the smaller bound is kept, where that helps. Returns false when there is no memory. */
bool mz_search_raise(struct mz_search *search, uint32_t preemptions);

/* Begins the next execution. `*known` is how many steps it shares with the last one (the executor still has them in its
 * schedule). Returns false when there is nothing left to explore. The first call always returns true, with 0 known. */
bool mz_search_next(struct mz_search *search, uint32_t *known);

/* The driver's side, see session/executor.h. */
struct mz_step mz_search_choose(void *search, const struct mz_view *view);
void mz_search_observe(void *search, const struct mz_event *event);
void mz_search_order(void *search, uint32_t before, uint32_t after);

/* Says that the thread of `second`, an event that is about to be observed, waited, and that event number `event` of the
 * execution made it go on; the host did not tell for what it waited. It began to wait when there were `since` events.
 * If the two events conflict, that orders them; else this call does. */
void mz_search_note_waker(struct mz_search *search, uint32_t event, uint32_t since, const struct mz_event *second);

/* Returns what the step that was chosen has to be if the program does what it did before; NULL if that is not known.
 * Valid until the step is observed. */
const struct mz_event *mz_search_demanded(const struct mz_search *search);

/* Returns whether the execution is made only to see what threads do: it counts for nothing, even if it comes to its
 * end. */
bool mz_search_probes(struct mz_search *search);

/* Ends the execution. `cut`: a limit ended it, so it is not complete. */
void mz_search_end(struct mz_search *search, const struct mz_view *view, bool cut);

/* Ends the search, because the program contradicted what was seen of it before: there is no next execution. */
void mz_search_abandon(struct mz_search *search);

/* Puts `steps`, the first n of the execution that has just ended, into an equivalent order that costs least, with the
 * same thread at the end. Does nothing unless the strategy counts what executions cost by their graphs. */
void mz_search_cheapen(struct mz_search *search, struct mz_step *steps, uint32_t n);

struct mz_search_counts mz_search_counts(const struct mz_search *search);
bool mz_search_failed(const struct mz_search *search);
struct mz_search_memory mz_search_memory(const struct mz_search *search);

/* Return the strategy of that name, or NULL; the name of the n-th strategy, NULL past the last (for help texts); and
 * the name of a strategy. */
const struct mz_strategy *mz_strategy_find(const char *name);
const char *mz_strategy_name(size_t n);
const char *mz_strategy_name_of(const struct mz_strategy *strategy);

/* Returns the strategy that explores when `asked` is asked for within bounds (bits of enum mz_bound_kind): itself if it
 * can honour them, or another one that does its work there, or NULL. */
const struct mz_strategy *mz_strategy_method(const struct mz_strategy *asked, unsigned bounds);
/* Returns a strategy that may need less memory than `method` within these bounds, or NULL. */
const struct mz_strategy *mz_strategy_substitute(const struct mz_strategy *method, unsigned bounds);

/* Returns whether the strategy has to know what threads are about to do. */
bool mz_strategy_foresees(const struct mz_strategy *strategy);

/* Return whether the strategy searches states (cartesian.h), so that mz_search_new() cannot be used; and whether it
 * visits every single state. */
bool mz_strategy_stateful(const struct mz_strategy *strategy);
bool mz_strategy_minimal(const struct mz_strategy *strategy);

/* Returns whether the strategy never gives up an execution as redundant, as long as it is told what threads wait
 * for. */
bool mz_strategy_never_redundant(const struct mz_strategy *strategy);

/* Returns whether the strategy samples executions for as long as it may, and never is complete. */
bool mz_strategy_samples(const struct mz_strategy *strategy);

/* Returns whether the strategy promises that no two complete executions are equivalent: then the number of traces is
 * known without counting. */
bool mz_strategy_exact(const struct mz_strategy *strategy);
/* Returns whether the strategy leaves out executions whose graphs others have: those that remain are traces, some more
 * than once. */
bool mz_strategy_reduces(const struct mz_strategy *strategy);
/* Return which bounds the strategy can honour, as bits of enum mz_bound_kind, and which optimisations it can do
 * without, as bits of enum mz_opt. */
unsigned mz_strategy_bounds(const struct mz_strategy *strategy);
unsigned mz_strategy_opts(const struct mz_strategy *strategy);

/* Returns which bounds are given, as bits of enum mz_bound_kind. */
unsigned mz_bounds_given(const struct mz_search_options *options);

/* Returns the name of the n-th optimisation, NULL past the last. */
const char *mz_opt_name(size_t n);

/* Return the order of that name, or MZ_ORDER_COUNT; and the name of the n-th order, NULL past the last. */
enum mz_order mz_order_find(const char *name);
const char *mz_order_name(unsigned order);

/* Returns the probability, by what is known about the program so far, with which each execution meets a bug of the
 * depth asked for, if there is one; 0 if the strategy promises none. */
double mz_search_promise(const struct mz_search *search);

#endif
