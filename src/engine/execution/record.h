/* SPDX-License-Identifier: MIT
 *
 * The record of the current execution: its events, what they touched, and what happens before what.
 *
 * Happens-before is the least order that contains each thread's own order, the order of conflicting accesses and the
 * order() edges (creation, join, wake-up). It is kept as vector clocks: clock(e)[t] is how many events of thread t
 * happen before e or are it. A clock's own entry is implicit (the event's position in its thread), so an event that
 * learns nothing new shares the vector of the event before it; no vector is ever changed once it is made.
 *
 * Depth d is the state after d events. Everything is stored in stacks that mz_execution_rewind() cuts back to a depth;
 * order() edges belong to the depth they were reported at, and stay when the execution is rewound to it.
 *
 * A *race* is a pair (i, j) of events of different threads that conflict, with nothing in between that orders them: in
 * another execution j comes first. An operation that waits for its object races only with what it could have come
 * before: not with the release that let it pass but with the acquisition before that, see waiting.h. One that awaits a
 * write races only with events without which it would have been enabled as well: not with the one write that woke it.
 */
#ifndef MZ_ENGINE_EXECUTION_RECORD_H
#define MZ_ENGINE_EXECUTION_RECORD_H

#include "engine/execution/objects.h"
#include "trace/view.h"

/* A vector of counts; entries past its length are 0. */
struct mz_event_clock {
	uint32_t offset;
	uint32_t length;
};

struct mz_event_record {
	struct mz_event event;       /* its accesses are kept in `objects`, if the execution is ordered */
	uint32_t first_access;       /* index of its first access in `objects` */
	uint32_t position;           /* in its thread, from 1 */
	uint32_t previous;           /* event of the same thread, or MZ_NONE */
	struct mz_event_clock known; /* what its thread knew before it */
	struct mz_event_clock clock; /* what its thread knows after it */
	uint32_t after;              /* the latest event that happens before it, plus one; 0 if there is none */
	uint32_t after_before;       /* `after` of its thread, before the event */
	/* the latest event that conflicts with it and was unknown to its thread, plus one; 0 if there is none */
	uint32_t rival;
	uint32_t counts_before; /* sizes of `counts` and `races` before the event */
	uint32_t races_before;
};

struct mz_thread_state {
	uint32_t last;     /* its latest event, or MZ_NONE */
	uint32_t position; /* how many events it has */
	uint32_t after;    /* the latest event it knows of, plus one; 0 if there is none */
	struct mz_event_clock clock;
};

struct mz_order_edge {
	uint32_t depth;
	uint32_t thread;
	struct mz_event_clock clock; /* clock of the thread before the edge */
	uint32_t after;              /* likewise */
	uint32_t counts_before;
};

struct mz_execution {
	/* Keep accesses, clocks and races. If not, only `event` of the records is there, and its accesses only until
	 * mz_search_observe() returns: strategies that look at no more than that pay for no more. */
	bool ordered;
	bool failed; /* memory ran out: nothing here is to be trusted any more */
	uint32_t depth;
	struct mz_event_record *records;
	size_t records_capacity;
	struct mz_objects objects;
	struct mz_thread_state *threads;
	size_t nthreads, threads_capacity;
	uint32_t *counts; /* all vectors, one behind the other */
	size_t ncounts, counts_capacity;
	struct mz_order_edge *edges;
	size_t nedges, edges_capacity;
	/* the first events of all races; those of event j are races_before(j) .. races_before(j+1) */
	uint32_t *races;
	size_t nraces, races_capacity;
	struct mz_events rivals; /* scratch */
	struct mz_events writes; /* likewise */
	uint32_t waker; /* the event that woke the thread of the next event, or MZ_NONE: see mz_search_note_waker() */
	uint32_t since; /* if there is a waker: how many events there were when that thread began to wait */
	/* what has to be left out of the reversal that is being made, besides the first event of the race: see
	 * waiting.h */
	struct mz_events dropped;
};

/* Returns event i as it was observed. Valid until the next event is (see `ordered` for executions that are not). */
static inline const struct mz_event *mz_execution_event(const struct mz_execution *x, uint32_t i)
{
	return &x->records[i].event;
}

static inline uint32_t mz_event_clock_at(const struct mz_execution *x, struct mz_event_clock clock, uint32_t thread)
{
	return thread < clock.length ? x->counts[clock.offset + thread] : 0;
}

/* Returns whether the event of a record is among those that a clock counts, so that it happens before the event or
 * thread that has the clock. */
static inline bool mz_event_clock_knows(const struct mz_execution *x, struct mz_event_clock clock,
                                        const struct mz_event_record *r)
{
	return mz_event_clock_at(x, clock, r->event.thread) >= r->position;
}

/* Returns whether event i happens before event k, or is the same event. */
static inline bool mz_execution_before(const struct mz_execution *x, uint32_t i, uint32_t k)
{
	const struct mz_event_record *first = &x->records[i], *second = &x->records[k];
	if (first->event.thread == second->event.thread) return i <= k;
	return mz_event_clock_knows(x, second->clock, first);
}

/* Returns the first events of the races in which event j is the second. */
static inline const uint32_t *mz_execution_races(const struct mz_execution *x, uint32_t j, size_t *count)
{
	size_t first = x->records[j].races_before;
	size_t end = j + 1 < x->depth ? x->records[j + 1].races_before : x->nraces;
	*count = end - first;
	return x->races + first;
}

/* Returns whether event k, which came after i, is part of the sequence that reverses the race with i; mz_race_prepare()
 * says which race. */
static inline bool mz_execution_in_reversal(const struct mz_execution *x, uint32_t i, uint32_t k)
{
	if (mz_execution_before(x, i, k)) return false;
	for (size_t n = 0; n < x->dropped.count; n++) {
		if (x->dropped.at[n] <= k && mz_execution_before(x, x->dropped.at[n], k)) return false;
	}
	return true;
}

#endif
