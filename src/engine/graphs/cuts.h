/* SPDX-License-Identifier: MIT
 *
 * Prefixes of the current execution, as graphs. A *cut* says how many events of each thread are in it; together with an
 * event, all that happens before the event is in the cut. A cut is a state that the program could have been in,
 * although this execution need not have passed through it. What the threads would do there is known all the same,
 * without running the program:
 *   - a thread does next what it did next in the execution, or has pending at its end, because that depends on what it
 *     has done and has been told. If it was told something that is not in the cut, it is not there: it waits;
 *   - an operation that waits for its object is enabled if the state of that allows it: what it is at the end, without
 *     the effects of events outside the cut; one that awaits a write is enabled if there is one in the cut;
 *   - a host does not tell what its threads are about to do. After the same past a thread does what it was seen to do.
 *     If it was ever seen to wait there and the host did not tell for what, then it is known to go on if its step would
 *     have a past that was seen; otherwise nothing is known, and the caller says what to assume;
 *   - what happens before the step follows from what it touches. Whether a compare-exchange succeeds there need not be
 *     known: if the step was ever made in that state, then only one of its outcomes was seen.
 */
#ifndef MZ_ENGINE_GRAPHS_CUTS_H
#define MZ_ENGINE_GRAPHS_CUTS_H

#include "engine/execution/execution.h"
#include "engine/graphs/pasts.h"

struct mz_cut {
	uint64_t hash; /* hash of its graph, see prefixes.h */
	uint32_t *at;  /* how many events of each thread are in; mz_cuts.width entries */
};

/* An event, by its position in its thread. */
struct mz_own_event {
	uint32_t depth;
	uint32_t past;
	uint32_t acquisition; /* the latest position up to here at which something was acquired; 0 if there is none */
	uint32_t wait;        /* the latest position up to here at which the thread may have had to wait; likewise */
	/* how often the thread was preempted up to here, in whatever order: see mz_cut_preemptions() */
	uint32_t preemptions;
};

struct mz_own_events {
	struct mz_own_event *at; /* by position - 1; valid as far as the execution goes */
	size_t capacity;
};

struct mz_cuts {
	struct mz_execution *x;
	const struct mz_view *view; /* after the last event */
	uint32_t width;             /* threads */
	struct mz_pasts pasts;
	bool waited; /* threads have waited and the host did not tell for what */
	struct mz_own_events *threads;
	size_t nthreads, threads_capacity;
	/* scratch */
	uint32_t *clock;
	size_t clock_capacity;
	struct mz_access *accesses;
	size_t accesses_capacity;
	struct mz_description description;
	struct mz_events writes;
};

void mz_cuts_init(struct mz_cuts *cuts, struct mz_execution *x);
void mz_cuts_release(struct mz_cuts *cuts);

/* To be called after each new event. Returns false when there is no memory. */
bool mz_cuts_observe(struct mz_cuts *cuts);
/* Sets what the threads would do after the last event: to be called before any question is asked about cuts. The view
 * has to stay valid meanwhile. `width` may grow. Returns false when there is no memory. */
bool mz_cuts_set_view(struct mz_cuts *cuts, const struct mz_view *view);

/* Makes `cut` the whole execution. */
void mz_cut_whole(const struct mz_cuts *cuts, struct mz_cut *cut);
/* Takes out the events of a thread from position `position` + 1 on. Nothing that stays may happen after them. */
void mz_cut_remove_from(const struct mz_cuts *cuts, struct mz_cut *cut, uint32_t thread, uint32_t position);
/* Fills in the row of the cut's graph, see prefixes.h. */
void mz_cut_row(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t *row);
bool mz_cut_is_empty(const struct mz_cuts *cuts, const struct mz_cut *cut);

/* Returns the position up to which events of other threads need the events of this thread. If that is less than
 * cut->at[thread], the events above it come last in some order. */
uint32_t mz_cut_floor(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread);

/* Returns a lower bound on the preemptions, in whatever order the events of the cut are executed, if `thread` makes the
 * last step or the next one: a thread that does not have to wait is preempted if something has to happen between two of
 * its steps, or if others go on. */
uint32_t mz_cut_preemptions(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread);

/* Returns how many alternatives the thread's next step has in that state; 0 if the thread is not enabled. `perhaps`
 * says what to assume if it is not known whether it is enabled. */
uint32_t mz_cut_alternatives(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, bool perhaps);

/* Returns whether nothing is known about what an enabled thread does next, because no execution has shown it. */
bool mz_cuts_unseen(const struct mz_cuts *cuts, uint32_t thread);

/* Returns the past of the event that the thread's next step would be; MZ_NO_PAST if it was never seen, or there is no
 * memory (then the execution has `failed`). The thread must be enabled there. */
uint32_t mz_cut_next(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, uint32_t choice);

/* For pasts with keys. mz_cuts_whole_key() returns the key of the execution's graph, which is the same in every process,
 * mz_cut_key() that of the cut's;
 * mz_cut_next_keys() fills in the keys of the graphs that the cut's may become by the thread's next step, at most
 * MZ_NEXT_KEYS: of several only one can ever be, whichever outcome the operation has. Returns how many there are; 0 if it is not
 * known what the step would touch. The thread must be enabled there. */
#define MZ_NEXT_KEYS 2
struct mz_key mz_cuts_whole_key(const struct mz_cuts *cuts);
struct mz_key mz_cut_key(const struct mz_cuts *cuts, const struct mz_cut *cut);
size_t mz_cut_next_keys(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, uint32_t choice,
                        struct mz_key keys[MZ_NEXT_KEYS]);

static inline uint32_t mz_cut_last(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread)
{
	return cut->at[thread] ? cuts->threads[thread].at[cut->at[thread] - 1].past : MZ_NO_PAST;
}

#endif
