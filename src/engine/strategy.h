/* SPDX-License-Identifier: MIT
 *
 * What a strategy is. Add one by adding a file under strategies/: static functions and one const struct at its end; and
 * one line in registry.c. No strategy's name appears anywhere else.
 *
 * A strategy decides which step comes next. It need not record what happened: the search (search.c) does that, in the
 * struct mz_execution that is handed to init(), with events, accesses, clocks and races. The order of calls is
 *
 *     init
 *     next                        the first one must give depth 0
 *         choose observe          at depth 0 (or wherever next said), 1, 2, ...
 *         choose observe ...
 *     end
 *     next ... end next ...       until next returns false
 *     release                     at any time after init; also when that failed
 *
 * and what can be relied on is:
 *   - choose() at depth d: the execution has d events. Whether the execution goes on after the step that it returns is
 *     up to the program: the next call may be end(), and observe() may be missing when the program died in the step;
 *   - observe(): the execution has recorded the event already, it is the last one;
 *   - end(): the execution is as long as it got; `cut` if a limit or the search itself ended it before its end;
 *   - next(): the execution is still there. After it, it is rewound to the depth that was given: steps before that
 *     depth are repeated exactly as they were, without any call, so the strategy keeps what it knows about them;
 *   - when memory runs out, a strategy sets `failed` in the execution and returns anything: it is not called again
 *     except for release().
 */
#ifndef MZ_ENGINE_STRATEGY_H
#define MZ_ENGINE_STRATEGY_H

#include "engine/execution/execution.h"
#include "engine/options.h"

struct mz_strategy {
	const char *name;
	size_t size;    /* size of its own state, which is all zero when init() is called */
	bool ordered;   /* it needs accesses, clocks and races in the execution */
	bool exact;     /* it promises that no two complete executions have the same happens-before graph */
	uint8_t bounds; /* which bounds it can honour, of enum mz_bound_kind */
	uint8_t opts;   /* what it can do without, of enum mz_opt */
	bool foresees;  /* it has to know what threads are about to do: pending operations name what they touch */
	bool stateful;  /* it searches states, not executions: cartesian.h does the work, and all functions are NULL */
	bool minimal;   /* stateful: with minimal vectors */
	bool no_inputs; /* it has to know all alternatives of operations before: inputs cannot decide them */
	bool shares;    /* several workers can share its search, see mz_search_options.trunk, */
	uint8_t bounds_shared; /* and which bounds they can honour together */
	/* what they share is which graphs are closed (cbpor.c), and no tree: two of them may happen to execute the same graph */
	bool shares_graphs;
	bool never_redundant; /* it never gives up an execution, unless it was not told what a thread waits for */
	bool samples;         /* it is never complete: it runs as many executions as it is asked for */
	/* within bounds that it cannot honour, another strategy does its work: the first one that `serves` and can */
	bool delegates;
	bool serves; /* it does the work of strategies that delegate */
	/* the same strategy as its source prints it, where that differs: another one of the same name. NULL: none does */
	const struct mz_strategy *published;
	/* Returns whether the strategy may miss graphs that are within these bounds (bits of enum mz_bound_kind), with
	 * sleep sets or without, as some published forms do. NULL: it never does. */
	bool (*may_miss)(unsigned bounds, bool sleeps);
	bool (*init)(void *self, struct mz_execution *x, const struct mz_search_options *options);
	/* Chooses the next step. The thread MZ_NO_THREAD means that everything from here on is covered elsewhere. */
	struct mz_step (*choose)(void *self, const struct mz_view *view);
	/* Sets the depth at which the next execution differs from the last; returns false if there is none. */
	bool (*next)(void *self, uint32_t *depth);
	/* All functions from here on may be NULL. order() is called for an edge that the execution has recorded
	 * already; for promise() and memory() see mz_search_promise() and mz_search_memory(). */
	void (*release)(void *self);
	void (*observe)(void *self);
	void (*end)(void *self, const struct mz_view *view, bool cut);
	void (*order)(void *self, uint32_t before, uint32_t after);
	/* See mz_search_leave(). */
	void (*leave)(void *self);
	/* Called for what the execution has recorded already, see mz_search_note_waker(). */
	void (*note_waker)(void *self, uint32_t event, uint32_t since, const struct mz_event *second);
	/* See mz_search_demanded(). */
	const struct mz_event *(*demanded)(const void *self);
	/* Returns whether the execution counts for nothing (`futile` of mz_search_counts): it was `stopped` only
	 * because it was not known what a thread waits for, or it was made to find that out. */
	bool (*futile)(void *self, bool stopped);
	/* Returns whether another worker has executed the graph of the execution, which has come to its end, before. */
	bool (*is_repeated)(void *self);
	/* Starts over within a larger bound on preemptions, and keeps what it knows; the execution has no events. */
	void (*raise)(void *self, uint32_t preemptions);
	/* See mz_search_cheapen(). */
	void (*cheapen)(void *self, struct mz_step *steps, uint32_t n);
	double (*promise)(const void *self);
	uint64_t (*refused)(const void *self);
	struct mz_search_memory (*memory)(const void *self);
};

#endif
