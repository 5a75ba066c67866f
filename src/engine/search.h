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

#include "engine/options.h"
#include "engine/registry.h"
#include "trace/view.h"

struct mz_search;

struct mz_search_counts {
	uint64_t executions;   /* executions that ran to their end */
	uint64_t redundant;    /* executions cut short: everything beyond is covered elsewhere */
	uint64_t traces;       /* distinct happens-before graphs; only with count_traces */
	uint64_t local_states; /* distinct local states of threads, see graphs/graph.h; only with count_local */
	uint64_t dropped;      /* executions that the program dropped: they are not among the others */
	uint64_t steps;        /* events observed: known prefixes are not counted */
	/* executions that count as neither: made to find out what threads do; 0 if threads tell that beforehand */
	uint64_t futile;
	/* steps that the bounds did not allow; if 0, nothing more would be explored without bounds */
	uint64_t refused;
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

/* The same for an execution that the program has dropped. What it did was observed; it is counted apart. `cut`: it could
 * not be made as it was to be, and is not counted at all. */
void mz_search_drop(struct mz_search *search, const struct mz_view *view, bool cut);

/* Ends this worker's part of a search that several workers share, after an execution or before the first: what it has not
 * explored is left to others. Does nothing in other searches but to end them. */
void mz_search_leave(struct mz_search *search);

/* Ends the search, because the program contradicted what was seen of it before: there is no next execution. */
void mz_search_abandon(struct mz_search *search);

/* Puts `steps`, the first n of the execution that has just ended, into an equivalent order that costs least, with the
 * same thread at the end. Does nothing unless the strategy counts what executions cost by their graphs. */
void mz_search_cheapen(struct mz_search *search, struct mz_step *steps, uint32_t n);

struct mz_search_counts mz_search_counts(const struct mz_search *search);
bool mz_search_failed(const struct mz_search *search);
struct mz_search_memory mz_search_memory(const struct mz_search *search);

/* Returns the probability, by what is known about the program so far, with which each execution meets a bug of the
 * depth asked for, if there is one; 0 if the strategy promises none. */
double mz_search_promise(const struct mz_search *search);

#endif
